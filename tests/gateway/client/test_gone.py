"""Somebody goes in the middle of a call, a client or a connection: no charge is lost, doubled or made up."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.db import connection
from django.utils import timezone

from gateway.client import Message, Model
from gateway.contracts import Payer, Tier
from gateway.ledger import expire
from gateway.models import Hold
from tests.database import superuser, this_database, with_role
from tests.gateway.ledger_helpers import assert_books_right, lesson, session_account, until_somebody_waits
from tests.provider import Provider, hangs

pytestmark = pytest.mark.django_db(transaction=True)
HOLDS = "SELECT 1 FROM gateway_hold FOR UPDATE"
ACCOUNTS = "SELECT 1 FROM gateway_account WHERE scope = 'session' FOR UPDATE"
END_WAITING = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()
"""


@contextmanager
def locked(rows: str) -> Iterator[psycopg.Connection[Any]]:
    """Hold these rows from a connection of the test's own until the block ends."""
    with psycopg.connect(with_role(this_database(), superuser())) as holder:
        holder.execute(rows.encode())
        yield holder


def asking(payer: Payer) -> Model:
    return Model(Tier.THINKER, payer=payer, operation="decompose_task", timeout_ms=30_000, escalation=True)


class Call:
    """A call on an event loop in a thread of its own, which may be cancelled as a client's going cancels it."""

    def __init__(self, payer: Payer) -> None:
        self.loop, self.pool, self.payer = asyncio.new_event_loop(), ThreadPoolExecutor(1), payer
        self.task: asyncio.Task[Any] | None = None
        self.done: Future[str | None] = self.pool.submit(self._run)

    def _run(self) -> str | None:
        async def work() -> str | None:
            self.task = asyncio.current_task()
            async with ThreadSensitiveContext():
                try:
                    return (await asking(self.payer).areply([Message(content="Why?")])).text
                except asyncio.CancelledError:
                    return None
                finally:
                    await sync_to_async(lambda: connection.close(), thread_sensitive=True)()

        try:
            return self.loop.run_until_complete(work())
        finally:
            # What was begun with the database is finished, as a server does that goes on.
            while others := asyncio.all_tasks(self.loop):
                self.loop.run_until_complete(asyncio.gather(*others, return_exceptions=True))
            self.loop.run_until_complete(self.loop.shutdown_default_executor())

    def cancel(self) -> None:
        assert self.task is not None
        self.loop.call_soon_threadsafe(self.task.cancel)

    def result(self) -> str | None:
        return self.done.result(timeout=60)


def one_hold() -> Hold:
    return Hold.objects.get()


def assert_done(provider: Provider, *, calls: int, escalations: int) -> None:
    """Nothing is held, also when nobody waits for expiry, and the books are right."""
    assert len(provider.calls) == calls
    assert expire(now=timezone.now() + timedelta(hours=1)) == 0
    assert session_account().escalations_used == escalations
    assert_books_right(open_holds=0)


def test_a_client_who_goes_while_the_money_is_set_aside_pays_nothing(provider: Provider) -> None:
    payer = lesson()
    with locked(ACCOUNTS):
        call = Call(payer)
        until_somebody_waits()
        call.cancel()
    assert call.result() is None
    assert session_account().spent == 0
    assert_done(provider, calls=0, escalations=0)


def test_a_client_who_goes_while_the_model_thinks_pays_and_the_model_is_told(provider: Provider) -> None:
    provider.always(hangs())
    call = Call(lesson())
    provider.wait_calls(1)
    call.cancel()
    assert call.result() is None
    provider.wait_gone()
    hold = one_hold()
    assert (hold.outcome, hold.unverified, hold.cost) == ("cancelled", True, hold.amount)
    assert_done(provider, calls=1, escalations=1)


def test_a_client_who_goes_while_the_cost_is_written_down_pays_what_it_cost(provider: Provider) -> None:
    provider.always(hangs())
    call = Call(lesson())
    provider.wait_calls(1)
    with locked(HOLDS):
        provider.release()
        until_somebody_waits()
        call.cancel()
    assert call.result() is None
    hold = one_hold()
    assert (hold.outcome, hold.unverified) == ("answered", False)
    assert session_account().spent == hold.cost
    assert hold.cost in range(1, hold.amount)
    assert_done(provider, calls=1, escalations=1)


def synchronous(payer: Payer) -> Callable[[], str | None]:
    def ask() -> str:
        try:
            return asking(payer).complete("Why?")
        finally:
            connection.close()

    pool = ThreadPoolExecutor(1)
    done = pool.submit(ask)
    return lambda: done.result(timeout=60)


@pytest.mark.parametrize("begin", [synchronous, lambda payer: Call(payer).result], ids=["thread", "event loop"])
def test_a_connection_that_goes_while_the_cost_is_written_down_is_made_anew(
    provider: Provider, begin: Callable[[Payer], Callable[[], str | None]]
) -> None:
    provider.always(hangs(text="Sugar."))
    result = begin(lesson())
    provider.wait_calls(1)
    with locked(HOLDS) as holder:
        provider.release()
        until_somebody_waits()
        with suppress(psycopg.Error):
            assert holder.execute(END_WAITING).fetchall() == [(True,)]
    assert result() == "Sugar."
    assert one_hold().unverified is False
    assert_done(provider, calls=1, escalations=1)
