"""Judged answers for staff to look at, and the programs of staff."""

from collections.abc import Iterator
from typing import Any

from accounts.models import Role, Scope, User
from lesson_engine.models import Turn
from tests.api.sessions import Answer, Json, Program, Walk
from tests.lesson_engine.services.conftest import WRONG

GRADING = (Scope.GRADING_READ, Scope.GRADING_WRITE)
VERDICTS, AGREEMENT, LINES = "/api/v1/verdicts/", "/api/v1/verdicts/agreement/", "/api/v1/verdicts/labelled.jsonl"


def staff_create(name: str) -> User:
    return User.objects.create_user(name, password="correct horse battery", role=Role.STAFF)


class Grader(Program):
    """The program of somebody of the staff."""

    def __init__(self, user: User, *, scopes: tuple[Scope, ...] = GRADING, **more: Any) -> None:
        super().__init__(user, scopes=scopes, **more)

    def review(self, turn: Turn, result: str, key: str = "", **body: Any) -> Answer:
        """What they say of an answer, whatever comes of it."""
        headers = {"idempotency_key": key} if key else {}
        return self.post(f"{VERDICTS}{turn.pk}/reviews/", {"result": result, **body}, **headers)

    def pages(self, query: str = "") -> Iterator[list[Json]]:
        """The items of one page after the other, fetched when they are asked for."""
        address: str | None = f"{VERDICTS}?{query}"
        while address:
            page = self.get(address)
            assert page.status == 200, page.text
            assert set(page.json) == {"items", "next"}
            yield page.json["items"]
            address = page.json["next"]

    def listed(self, query: str = "") -> list[int]:
        """The ids of all verdicts, in their order."""
        return [item["id"] for page in self.pages(query) for item in page]


def judged(walk: Walk, text: str = WRONG, *, doubtful: bool = False) -> Turn:
    """The turn of an answer to the question that is shown. Of what the grader is unsure depends on its version."""
    walk.act("answers", text=text)
    turn = Turn.objects.filter(session_id=walk.now["id"], kind=Turn.Kind.ANSWER).latest("pk")
    assert turn.verdict is not None
    if doubtful != turn.verdict.get("doubtful", False):
        turn.verdict = {**turn.verdict, "doubtful": doubtful}
        turn.save()
    return turn
