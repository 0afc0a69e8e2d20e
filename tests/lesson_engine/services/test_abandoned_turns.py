"""A turn whose worker was killed is finished once, by whoever comes by first."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.contracts import Reply
from lesson_engine.errors import StaleSession, TurnStillRunning
from lesson_engine.models import LearnerText, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.sessions import session_start
from lesson_engine.services.turns import state_of, turn_take_up
from lesson_engine.services.words import words_erase
from lesson_engine.tasks import take_up_turns
from telemetry.chains.verification import chains_verify
from telemetry.selectors import events_of
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.services.conftest import IN_OTHER_WORDS, fresh, key, turn_begun
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.usefixtures("wrong_network")
OVER, LIVE = timedelta(seconds=-1), timedelta(minutes=5)


def assert_taken_once(session: Session) -> None:
    now = fresh(session)
    assert state_of(now).record("ASK_001").attempts == 1
    assert now.version == session.version + 1
    turn = Turn.objects.get(kind="answer")
    assert (turn.state, turn.result, turn.lease_until) == (Turn.State.DONE, "REJECT", None)
    names = [event.event for event in events_of(str(session.pk)) if event.data.get("turn") != 0]
    for name in ("evaluation.result", "advancement.reject"):
        assert names.count(name) == 1, name
    assert {check.fault for check in chains_verify()} == {None}


def test_the_task_finishes_what_was_left(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    take_up_turns()
    assert_taken_once(asking)
    take_up_turns()
    assert_taken_once(asking)


@pytest.mark.django_db(transaction=True)
def test_four_workers_at_once_finish_it_once(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    at_once([take_up_turns] * 4)
    assert_taken_once(asking)
    assert Turn.objects.get(kind="answer").takes == 2


@pytest.mark.django_db(transaction=True)
def test_only_one_of_many_that_take_a_turn_up_did_it(asking: Session) -> None:
    turn = turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    took = at_once([lambda: turn_take_up(turn=Turn.objects.get(pk=turn.pk))] * 4)
    assert sorted(took) == [False, False, False, True]
    assert_taken_once(asking)


def test_the_learners_retry_finds_it_done(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    take_up_turns()
    turns.session_answer(session=fresh(asking), version=asking.version, key="begun", reply=Reply(text=IN_OTHER_WORDS))
    assert_taken_once(asking)


def test_the_learners_retry_finishes_it_without_any_worker(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    turns.session_answer(session=asking, version=asking.version, key="begun", reply=Reply(text=IN_OTHER_WORDS))
    assert_taken_once(asking)


@pytest.mark.django_db(transaction=True)
def test_retries_and_workers_at_once_finish_it_once(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)

    def retry() -> None:
        turns.session_answer(
            session=fresh(asking), version=asking.version, key="begun", reply=Reply(text=IN_OTHER_WORDS)
        )

    at_once([retry, take_up_turns, retry, take_up_turns])
    assert_taken_once(asking)


def test_any_other_action_on_the_session_finishes_it_first_and_then_is_stale(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    with pytest.raises(StaleSession):
        turns.session_hint(session=asking, version=asking.version, key=key())
    assert_taken_once(asking)


def test_a_live_lease_is_left_alone(asking: Session) -> None:
    turn = turn_begun(asking, IN_OTHER_WORDS, lease=LIVE)
    take_up_turns()
    assert not turn_take_up(turn=turn)
    assert fresh(asking).version == asking.version
    assert Turn.objects.get(kind="answer").state == Turn.State.RUNNING


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "_PATIENCE_SECONDS", 0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("htmx", [False, True])
@pytest.mark.parametrize("sent", ["begun", "another"])
def test_while_somebody_works_on_it_the_page_says_so_and_counts_nothing(
    asking: Session, learner: User, client: Client, sent: str, htmx: bool
) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=LIVE)
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    data = {"answer": IN_OTHER_WORDS, "version": asking.version, "key": sent, "form": "text"}
    headers = {"HX-Request": "true"} if htmx else {}
    page = Page(client.post(f"/sessions/{asking.pk}/answers/", data, headers=headers))
    assert page.status == 200
    assert "Your last answer is still being checked." in page.words
    assert page.typed == IN_OTHER_WORDS
    assert fresh(asking).version == asking.version
    assert Turn.objects.filter(kind="answer").count() == 1
    assert Page(client.get(f"/sessions/{asking.pk}/")).status == 200


@pytest.mark.usefixtures("impatient")
def test_hints_wait_for_a_running_answer_too(asking: Session) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=LIVE)
    with pytest.raises(TurnStillRunning):
        turns.session_hint(session=asking, version=asking.version, key=key())


@pytest.mark.django_db(transaction=True)
def test_a_worker_slower_than_its_lease_does_not_count_twice_nor_fail(
    asking: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LEASE", timedelta(seconds=-1))  # every lease is over before the work begins
    monkeypatch.setattr(turns, "MOST_TAKES", 1_000)  # taken often because it is slow, not because it fails

    def send() -> Session:
        return turns.session_answer(
            session=fresh(asking), version=asking.version, key="k", reply=Reply(text=IN_OTHER_WORDS)
        )

    for session in at_once([send] * 6):
        assert session.version == asking.version + 1
    assert_taken_once(asking)


def test_words_erased_before_the_turn_was_taken_up_are_no_answer(asking: Session, learner: User) -> None:
    turn_begun(asking, IN_OTHER_WORDS, lease=OVER)
    assert words_erase(user_id=learner.pk) == 1
    take_up_turns()
    assert Turn.objects.get(kind="answer").result == "NOT_GRADABLE"
    assert state_of(fresh(asking)).record("ASK_001").attempts == 0


def test_many_abandoned_turns_are_all_taken_up(stranger: User, asking: Session) -> None:
    other = session_start(user=stranger, lesson=asking.lesson)
    turns.session_continue(session=other, version=0, key=key())
    for session in (asking, fresh(other)):
        turn_begun(session, IN_OTHER_WORDS, lease=OVER)
    take_up_turns()
    assert set(Turn.objects.filter(kind="answer").values_list("state", flat=True)) == {Turn.State.DONE}
    assert LearnerText.objects.count() == 2
