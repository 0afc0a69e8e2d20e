"""kill -9 in an escalating turn: no charge is lost or doubled, nothing stays held, the turn can be taken again.

No product code helps. A lock that the test holds, or a model that does not answer, makes a process of its own wait at
the place where it is to be killed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.models import User
from config.database_roles import OWNER
from gateway.ledger import expire
from gateway.models import Account, Hold
from lesson_engine.contracts import Reply
from lesson_engine.models import Mode, Session, Turn
from lesson_engine.services import sessions, turns
from tests.browser.server import PROJECT, end, until
from tests.conftest import LessonMaker, ask, number
from tests.database import this_database
from tests.gateway.ledger_helpers import assert_books_right, until_somebody_waits
from tests.hands import as_role
from tests.provider import Provider, hangs, says

pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]
UNSURE = "Plants use the light to make something"
OPINION = json.dumps({"verdict": "ACCEPT", "confidence": "high", "tricks": False})
TAKE_TURN = """
import django; django.setup()
import sys
from lesson_engine.contracts import Reply
from lesson_engine.models import Session
from lesson_engine.services import turns
session = Session.objects.select_related("lesson").get(pk=sys.argv[1])
turns.session_answer(session=session, version=session.version, key="killed", reply=Reply(text=sys.argv[2]))
"""
# What the process needs next at each place, taken from it.
SESSION = "SELECT 1 FROM gateway_account WHERE scope = 'session' FOR UPDATE"
HOLD = "SELECT 1 FROM gateway_hold FOR UPDATE"
MONTH = "SELECT 1 FROM gateway_account WHERE scope = 'agent_month' FOR UPDATE"
CHAIN = "SELECT 1 FROM telemetry_chain FOR UPDATE"
# Between the hold and the request there is no row yet that could be locked: the test's own trigger waits there.
GATE = "SELECT pg_advisory_lock(5)"
BUILD_GATE = """
CREATE FUNCTION gate() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock(5); RETURN NEW; END';
CREATE TRIGGER gate BEFORE UPDATE ON gateway_hold FOR EACH ROW WHEN (NEW.state = 'dispatched') EXECUTE FUNCTION gate();
"""
REMOVE_GATE = "DROP TRIGGER gate ON gateway_hold; DROP FUNCTION gate()"


@dataclass(frozen=True)
class Place:
    """Where the process is killed: what it waits for, whether the model was asked by then, and what it leaves."""

    lock: str
    asked: bool
    states: tuple[str, ...] = ("dispatched",)


PLACES = {
    "before the reservation": Place(SESSION, asked=False, states=()),
    "with the hold": Place(GATE, asked=False, states=("held",)),
    "after the request": Place("", asked=True),
    "after the reply": Place(HOLD, asked=True),
    "while it settles": Place(MONTH, asked=True),
    "before the settlement is committed": Place(CHAIN, asked=True),
}


@contextmanager
def locked(rows: str) -> Iterator[None]:
    with psycopg.connect(this_database()) as holder:
        holder.execute(rows.encode())
        yield


@contextmanager
def gate() -> Iterator[None]:
    with as_role(OWNER), connection.cursor() as cursor:
        cursor.execute(BUILD_GATE)
    try:
        yield
    finally:
        with as_role(OWNER), connection.cursor() as cursor:
            cursor.execute(REMOVE_GATE)


class Process:
    """A process that takes the turn, as a worker of the web server does."""

    def __init__(self, session: Session, provider: Provider, *, noticed: bool = True) -> None:
        """`noticed`: the database looks whether it is still there, or else finishes the statement that it waits in."""
        options = f"-c client_connection_check_interval={50 if noticed else 0}"
        url = this_database(application_name="killed", options=options)
        own = {"DATABASE_URL": url, "OPENAI_BASE_URL": provider.url, "SECRET_KEY": settings.SECRET_KEY}
        arguments = [sys.executable, "-c", TAKE_TURN, str(session.pk), UNSURE]
        self.process = subprocess.Popen(arguments, cwd=PROJECT, env={**os.environ, **own}, start_new_session=True)

    def kill(self) -> None:
        """As a power cut does; returns when the database has noticed."""
        assert self.process.poll() is None, "it ended by itself"
        end(self.process)
        until(lambda: not self.connections(), "its connections are gone")

    def connections(self) -> int:
        with psycopg.connect(this_database()) as looking:
            query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'killed'"
            return int((looking.execute(query).fetchone() or (0,))[0])


@pytest.fixture
def session(make_lesson: LessonMaker, learner: User) -> Session:
    """In adaptive mode, at a question about which one can be unsure."""
    version = make_lesson(ask(), number())
    begun = sessions.session_enter(user=learner, lesson=version.lesson, mode=Mode.ADAPTIVE).session
    return turns.session_continue(session=begun, version=begun.version, key="begin")


def killed_at(place: Place, session: Session, provider: Provider) -> None:
    provider.always(hangs(text=OPINION))
    with ExitStack() as held:
        if place.lock == GATE:
            held.enter_context(gate())
        if not place.asked:
            held.enter_context(locked(place.lock))
        process = Process(session, provider)
        held.callback(end, process.process)
        if place.asked:
            until(lambda: provider.calls, "the model is asked")
            if place.lock:
                held.enter_context(locked(place.lock))
                provider.release()
        if place.lock:
            until_somebody_waits()
        process.kill()


def account_of(session: Session) -> Account:
    return Account.objects.get(scope="session", key=str(session.pk))


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_kill_9(session: Session, provider: Provider, place: Place) -> None:
    killed_at(place, session, provider)
    assert tuple(Hold.objects.values_list("state", flat=True)) == place.states
    assert_books_right()

    expire(now=timezone.now() + timedelta(minutes=5))
    lost = list(Hold.objects.filter(state=Hold.State.SETTLED))
    assert len(lost) == len(provider.calls) == place.asked
    assert all(hold.unverified and hold.cost == hold.amount and hold.outcome == "lost" for hold in lost)
    assert account_of(session).spent == sum(hold.amount for hold in lost)
    assert account_of(session).escalations_used == len(lost)
    assert_books_right(open_holds=0)

    taken_again(session)
    assert len(provider.calls) == len(lost)
    provider.always(says(OPINION))
    assert answer_again(session) == "open.thinker"
    settled = Hold.objects.filter(state=Hold.State.SETTLED)
    assert settled.count() == len(provider.calls) == len(lost) + 1
    assert account_of(session).spent == sum(hold.cost or 0 for hold in settled)
    assert account_of(session).escalations_used == len(lost) + 1
    assert_books_right(open_holds=0)


def taken_again(session: Session) -> None:
    """What the worker does that finds the turn when its lease is over: without a model, which may have been asked."""
    turn = Turn.objects.get(session=session, kind="answer")
    assert turn.state == Turn.State.RUNNING
    Turn.objects.filter(pk=turn.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    turn.refresh_from_db()
    assert turns.turn_take_up(turn=turn)
    assert Turn.objects.get(pk=turn.pk).state == Turn.State.DONE


def answer_again(session: Session) -> str:
    """The learner's next answer: the rule by which it was judged."""
    now = Session.objects.select_related("lesson", "user").get(pk=session.pk)
    turns.session_answer(session=now, version=now.version, key="again", reply=Reply(text=UNSURE))
    return str((Turn.objects.get(session=session, key="again").verdict or {})["rule"])


def test_with_its_hold_and_a_database_that_does_not_notice_the_worst_case_is_charged(
    session: Session, provider: Provider
) -> None:
    """A request that may have been made is charged: PostgreSQL finishes the statement it was asked for."""
    provider.always(says(OPINION))
    with gate():
        with locked(GATE):
            process = Process(session, provider, noticed=False)
            until_somebody_waits()
            end(process.process)
        until(lambda: not process.connections(), "its connections are gone")
    assert Hold.objects.get().state == Hold.State.DISPATCHED
    expire(now=timezone.now() + timedelta(minutes=5))
    assert (Hold.objects.get().unverified, len(provider.calls)) == (True, 0)
    taken_again(session)
    assert_books_right(open_holds=0)
