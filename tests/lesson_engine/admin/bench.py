"""Judged answers for the workbench, and staff who sit at it."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from lesson_engine.models import LessonVersion, Turn
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import Node, parse

BENCH = reverse("admin:lesson_engine_verdictreview_workbench")
AGREEMENT = reverse("admin:lesson_engine_verdictreview_agreement")
EXPORT = reverse("admin:lesson_engine_verdictreview_export")
LIST = reverse("admin:lesson_engine_verdictreview_changelist")
WRONG = "They need it to sleep"
_BACKEND = "django.contrib.auth.backends.ModelBackend"


def pupils(count: int, begin: int = 0) -> list[User]:
    return [User.objects.create_user(f"pupil{number}") for number in range(begin, begin + count)]


def judged(user: User, version: LessonVersion, text: str = WRONG, *, doubtful: bool = False, **verdict: Any) -> Turn:
    """An answer to the first question of a session of its own. Of what the grader is unsure depends on its version."""
    return marked(Walk(user, version).go_on().answer(text), doubtful=doubtful, **verdict)


def marked(walk: Walk, *, doubtful: bool = False, **verdict: Any) -> Turn:
    """The last answer of a walk, its verdict with these values."""
    turn = Turn.objects.filter(session=walk.session, kind=Turn.Kind.ANSWER).latest("pk")
    assert turn.verdict is not None
    turn.verdict = {**turn.verdict, "doubtful": doubtful, **verdict}
    turn.result = turn.verdict["result"]
    turn.save()
    return turn


def verdict_page(turn: Turn, query: str = "") -> str:
    return reverse("admin:lesson_engine_verdictreview_verdict", args=[turn.pk]) + query


def decide(desk: Client, turn: Turn, result: str, query: str = "", **more: Any) -> HttpResponse:
    """What staff say of an answer, in a browser that follows nothing."""
    response = desk.post(verdict_page(turn, query), {"result": result, "note": "", "seen": 0, **more})
    assert isinstance(response, HttpResponse)
    return response


def colleague(name: str = "dora") -> Client:
    """Another person of the staff at a browser of their own, with no right but the role."""
    client = Client()
    client.force_login(User.objects.create_user(name, role=Role.STAFF, is_staff=True), backend=_BACKEND)
    return client


class Bench:
    """The workbench as it stands in a browser."""

    def __init__(self, desk: Client, query: str = "") -> None:
        response = desk.get(f"{BENCH}?{query}")
        assert response.status_code == 200
        self.show(response.content.decode())

    @classmethod
    def of(cls, html: str) -> "Bench":
        """A page of one verdict, which has the same card."""
        bench = cls.__new__(cls)
        bench.show(html)
        return bench

    def show(self, html: str) -> None:
        self.html, self.tree = html, parse(html)

    @property
    def card(self) -> Node:
        return self.tree.one("article", class_="bench-card")

    @property
    def empty(self) -> str:
        """What stands there when there is nothing to decide."""
        return self.tree.one("div", class_="bench-empty").text()

    @property
    def action(self) -> str:
        """Where the decision is sent to."""
        return self.card.one("form", class_="bench-decide").attrs["action"]

    @property
    def turns(self) -> list[int]:
        """The answers that are shown and named, in their order."""
        if not self.tree.find("article", class_="bench-card"):
            return []
        named = self.tree.find("section", class_="bench-queue")
        links = [link.attrs["href"] for section in named for link in section.find("a")]
        return [int(address.split("?")[0].rstrip("/").rsplit("/", 1)[1]) for address in (self.action, *links)]

    @property
    def skip(self) -> str:
        """The query string of what comes behind this one."""
        (link,) = self.card.one("p", class_="bench-skip").find("a")
        return link.attrs["href"].split("?")[1].split("#")[0]


def all_by_skipping(desk: Client, query: str = "") -> list[int]:
    """The answers that come up when each is skipped, up to the end of the queue."""
    found = []
    while (bench := Bench(desk, query)).turns:
        found.append(bench.turns[0])
        query = bench.skip
        assert len(found) < 100
    return found
