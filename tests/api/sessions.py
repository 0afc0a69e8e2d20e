"""A program with a token that drives sessions."""

import json
import uuid
from collections.abc import Callable
from typing import Any

from django.test import Client

from accounts.models import Role, Scope, User
from accounts.services import token_issue

Json = dict[str, Any]
LEARNING = (Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE)
STEPS_AT_MOST = 400
"""Actions after which a walk counts as one without an end."""


class Answer:
    """A response: its status, headers and JSON."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers = response.headers
        self.text: str = response.content.decode()
        self.json: Json = json.loads(self.text) if self.text else {}

    def places(self) -> dict[str, str]:
        """What a problem says is wrong, by pointer."""
        return {place["pointer"]: place["detail"] for place in self.json["errors"]}


class Program:
    """Somebody's program. Paths are below `/api/v1/`."""

    def __init__(self, user: User, *, scopes: tuple[Scope, ...] = LEARNING, language: str = "en") -> None:
        _, secret = token_issue(user=user, name="test", scopes=scopes, days=1)
        self.client = Client(headers={"Authorization": f"Bearer {secret}", "Accept-Language": language})

    def get(self, path: str, **headers: str) -> Answer:
        return Answer(self.client.get(_address(path), headers=_headers(headers)))

    def post(self, path: str, body: object, **headers: str) -> Answer:
        return Answer(self._send("post", path, body, headers))

    def patch(self, path: str, body: object, **headers: str) -> Answer:
        return Answer(self._send("patch", path, body, headers))

    def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> Any:
        data = body if isinstance(body, str | bytes) else json.dumps(body)
        send = getattr(self.client, method)
        return send(_address(path), data, content_type="application/json", headers=_headers(headers))

    def start(self, lesson: str, **more: Any) -> "Walk":
        """A session of the lesson, begun or resumed."""
        answer = self.post("sessions/", {"lesson": lesson, **more})
        assert answer.status in (200, 201), answer.text
        return Walk(self, answer.json)


def _address(path: str) -> str:
    return path if path.startswith(("/", "http")) else f"/api/v1/{path}"


def _headers(given: dict[str, str]) -> dict[str, str]:
    """`if_none_match` for If-None-Match."""
    return {name.replace("_", "-").title(): value for name, value in given.items()}


class Walk:
    """A session as its learner's program sees it; `now` is what the last response said."""

    def __init__(self, program: Program, value: Json) -> None:
        self.program, self.now, self.path = program, value, f"sessions/{value['id']}/"

    def send(self, action: str, *, key: str = "", **body: Any) -> Answer:
        """An action, whatever comes of it, made for the version that was seen last unless it says another."""
        body = {"version": self.now["version"], **body}
        return self.program.post(f"{self.path}{action}/", body, idempotency_key=key or uuid.uuid4().hex)

    def act(self, action: str, **body: Any) -> Json:
        """An action that must succeed."""
        answer = self.send(action, **body)
        assert answer.status == 200, answer.text
        self.now = answer.json
        return self.now

    def look(self) -> Json:
        answer = self.program.get(self.path)
        assert answer.status == 200, answer.text
        self.now = answer.json
        return self.now

    def go_to_question(self, code: str = "") -> Json:
        """Read on to the next question, or give up questions until this one."""
        for _ in range(STEPS_AT_MOST):
            question = self.now["question"]
            if self.now["phase"] == "asking" and code in ("", question["code"]):
                return self.now
            if "continue" in self.now["actions"]:
                self.act("continue")
            elif self.now["phase"] == "comparing":
                self.act("self-assessment", said="no")
            else:
                self.act("answers", dont_know=True)
        raise AssertionError(f"no question {code}")

    def to_the_end(self, act: Callable[["Walk"], object]) -> Json:
        """Go on where that is the way, say yes to what is compared, and `act` at each question."""
        for _ in range(STEPS_AT_MOST):
            if self.now["phase"] == "finished":
                return self.now
            if "continue" in self.now["actions"]:
                self.act("continue")
            elif self.now["phase"] == "comparing":
                self.act("self-assessment", said="yes")
            else:
                act(self)
        raise AssertionError(f"no end after {STEPS_AT_MOST} actions")


def integrator_create(name: str = "imas") -> User:
    """Somebody whose program has learners of its own."""
    return User.objects.create_user(name, password="correct horse battery", role=Role.INTEGRATOR)


def meta(slug: str, **changes: Any) -> Json:
    """The metadata of a small lesson under another slug."""
    return {
        "slug": slug,
        "title": slug.capitalize(),
        "language": "en",
        "summary": "What plants do with light.",
        "objectives": ["Say what plants use light for"],
        **changes,
    }
