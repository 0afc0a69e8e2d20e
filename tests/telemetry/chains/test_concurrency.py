"""Several at once, each with a connection of its own."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from telemetry.chains.verification import chains_verify
from telemetry.models import Chain, Event
from telemetry.services import events_append
from tests.telemetry.conftest import drafts_of

pytestmark = pytest.mark.django_db(transaction=True)


def in_own_connection(work: Callable[[], None]) -> None:
    try:
        work()
    finally:
        connection.close()


def append_one() -> None:
    with transaction.atomic():
        events_append(chain="shared", course="c", mode="adaptive", drafts=drafts_of(2))


def wait_until_somebody_waits() -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waited for the lock")


def assert_whole(length: int) -> None:
    assert Chain.objects.get().length == Event.objects.count() == length
    assert [check.fault for check in chains_verify()] == [None]


@pytest.mark.parametrize("already_there", [False, True])
def test_the_second_waits_for_the_first_and_follows_it(already_there: bool) -> None:
    if already_there:
        append_one()
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            events_append(chain="shared", course="c", mode="adaptive", drafts=drafts_of(2))
            second: Future[None] = pool.submit(in_own_connection, append_one)
            wait_until_somebody_waits()
        second.result(timeout=30)
    assert_whole(6 if already_there else 4)


def test_a_first_turn_rolled_back_leaves_the_chain_to_the_second() -> None:
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            events_append(chain="shared", course="c", mode="adaptive", drafts=drafts_of(1))
            second: Future[None] = pool.submit(in_own_connection, append_one)
            wait_until_somebody_waits()
            transaction.set_rollback(True)
        second.result(timeout=30)
    assert_whole(2)


def test_many_at_once_keep_the_chain_whole() -> None:
    start = threading.Barrier(6)

    def work() -> None:
        start.wait(timeout=30)
        for _ in range(10):
            append_one()

    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(in_own_connection, work) for _ in range(6)]:
            done.result(timeout=60)
    assert_whole(120)


def test_a_check_meanwhile_sees_no_fault() -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            append_one()

    with ThreadPoolExecutor(1) as pool:
        writer = pool.submit(in_own_connection, write)
        try:
            checks = [check for _ in range(30) for check in chains_verify()]
        finally:
            stop.set()
        writer.result(timeout=30)
    assert not [check for check in checks if check.fault]
