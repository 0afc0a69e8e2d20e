"""Learners' words, erased on request."""

import io
import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from lesson_engine.contracts import Reply
from lesson_engine.errors import StaleSession
from lesson_engine.models import LearnerText, LessonVersion, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.words import words_erase
from telemetry.chains.verification import chains_verify
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.services.conftest import WRONG, answer, fresh, turn_begun
from tests.lesson_engine.services.threads import at_once

QUOTED = "light, zanahorias"


@pytest.fixture
def listing(make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]) -> Session:
    """A session at a question whose verdicts quote the answer."""
    return start(make_lesson(ask(answer={"kind": "list", "items": [["light"], ["water"]]})))


def assert_gone(session: Session) -> None:
    assert_words_gone(session)
    assert {check.fault for check in chains_verify()} == {None}


def assert_words_gone(session: Session) -> None:
    kept = [list(Turn.objects.values_list("verdict", flat=True)), fresh(session).state]
    assert "zanahorias" not in json.dumps(kept)
    assert not LearnerText.objects.filter(text__contains="zanahorias").exists()


def erase(*arguments: str) -> str:
    out = io.StringIO()
    call_command("erase_words", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_erases_and_counts(listing: Session) -> None:
    answer(listing, QUOTED)
    assert "zanahorias" in json.dumps([Turn.objects.get(kind="answer").verdict, fresh(listing).state["notice"]])
    answer(listing, WRONG)
    assert erase("ana", "--yes") == "erased what ana wrote: 2 texts\n"
    assert erase("ANA", "--yes") == "erased what ana wrote: 0 texts\n"
    assert_gone(listing)


def test_nobody_of_that_name(asking: Session, stranger: User) -> None:
    answer(asking, WRONG)
    with pytest.raises(CommandError, match="no user is called anna"):
        erase("anna", "--yes")
    assert erase("berto", "--yes") == "erased what berto wrote: 0 texts\n"
    assert LearnerText.objects.filter(text=WRONG).exists()


@pytest.mark.parametrize(("typed", "erased"), [("ana\n", True), ("no\n", False), ("\n", False), ("", False)])
def test_without_yes_it_asks(asking: Session, monkeypatch: pytest.MonkeyPatch, typed: str, erased: bool) -> None:
    answer(asking, WRONG)
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    if erased:
        erase("ana")
    else:
        with pytest.raises(CommandError, match="nothing was erased"):
            erase("ana")
    assert LearnerText.objects.filter(text=None).exists() == erased


def test_an_answer_that_was_being_judged_meanwhile_is_not_quoted_afterwards(listing: Session) -> None:
    turn = turn_begun(listing, QUOTED, lease=timedelta(minutes=5))
    words = LearnerText.objects.get()
    words_erase(user_id=listing.user_id)
    with pytest.raises(StaleSession):
        turns._complete(fresh(listing), turn, words)
    assert turns.turn_take_up(turn=Turn.objects.get(pk=turn.pk))
    assert Turn.objects.get(pk=turn.pk).result == "NOT_GRADABLE"
    assert_gone(listing)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("round_", range(5))
def test_erasing_while_it_is_answered_leaves_no_details_of_erased_words(listing: Session, round_: int) -> None:
    def send() -> object:
        reply = Reply(text=QUOTED)
        return turns.session_answer(session=fresh(listing), version=listing.version, key="k", reply=reply)

    at_once([send, lambda: words_erase(user_id=listing.user_id), lambda: words_erase(user_id=listing.user_id)])
    assert fresh(listing).version == listing.version + 1
    if LearnerText.objects.get().erased_at:
        assert_gone(listing)
    words_erase(user_id=listing.user_id)
    assert_gone(listing)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("round_", range(3))
def test_many_erasures_of_one_learner_with_many_answers_wait_for_each_other(listing: Session, round_: int) -> None:
    """Each updates all of them: without an order among the erasures they would stop each other."""
    answer(listing, QUOTED)
    first = Turn.objects.get(kind="answer")
    Turn.objects.bulk_create(
        Turn(**{**_values(first), "version": first.version + n, "key": f"k{n}"}) for n in range(1, 200)
    )
    erased = at_once([lambda: words_erase(user_id=listing.user_id) for _ in range(6)])
    assert sorted(erased) == [0, 0, 0, 0, 0, 1]
    assert_words_gone(listing)  # the copied turns have no events


def _values(turn: Turn) -> dict[str, object]:
    fields = (field for field in Turn._meta.concrete_fields if not field.primary_key)
    return {field.attname: getattr(turn, field.attname) for field in fields}
