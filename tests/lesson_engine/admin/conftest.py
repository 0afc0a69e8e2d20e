"""Staff in a browser, and sessions that were really walked."""

from typing import Any

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.models import User
from lesson_engine.contracts import Reply
from lesson_engine.models import LessonVersion, Mode, QuestionReport, Session
from lesson_engine.player.state import PlayerState
from lesson_engine.services import turns
from lesson_engine.services.questions import question_report
from lesson_engine.services.sessions import session_start
from tests.lesson_engine.network import right_network, unsure_network, wrong_network

__all__ = ("right_network", "unsure_network", "wrong_network")


class Walk:
    """A learner on the way through a lesson; every step goes through the services, as the page's do."""

    def __init__(self, user: User, version: LessonVersion) -> None:
        self.session: Session = session_start(user=user, lesson=version.lesson)

    @property
    def state(self) -> PlayerState:
        return turns.state_of(self.session)

    def go_on(self) -> "Walk":
        """Continue; from a comparison with "No"."""
        if self.state.phase == "comparing":
            self.session = turns.session_self_assess(session=self.session, word="no", **self._seen())
        else:
            self.session = turns.session_continue(session=self.session, **self._seen())
        return self

    def hint(self) -> "Walk":
        self.session = turns.session_hint(session=self.session, **self._seen())
        return self

    def skip(self) -> "Walk":
        self.session = turns.session_skip(session=self.session, **self._seen())
        return self

    def report(self, kind: str = "unclear", comment: str = "What is meant?") -> "Walk":
        reason = QuestionReport.Kind(kind)
        self.session = question_report(session=self.session, kind=reason, comment=comment, **self._seen())
        return self

    def answer(self, text: str = "", *choices: str) -> "Walk":
        reply = Reply(text=text, choices=choices)
        self.session = turns.session_answer(session=self.session, reply=reply, **self._seen())
        return self

    def mode(self, mode: Mode) -> "Walk":
        self.session = turns.session_set_mode(session=self.session, mode=mode, key=f"mode-{self.session.version}")
        return self

    def for_turns(self, count: int, text: str = "no sé") -> "Walk":
        """So many turns, giving every question the same answer; fewer when the lesson ends before."""
        while self.session.version < count and self.session.status == Session.Status.ACTIVE:
            if self.state.phase == "asking":
                self.answer(text)
            else:
                self.go_on()
        return self

    def _seen(self) -> dict[str, Any]:
        return {"version": self.session.version, "key": f"turn-{self.session.version}"}


@pytest.fixture
def desk(staff: User, client: Client) -> Client:
    """A browser in which staff is signed in."""
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*apps.get_models())  # a process asks for them once; counted pages come after
    return client
