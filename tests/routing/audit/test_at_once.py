"""Several at once, each with a connection of its own."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from accounts.models import User
from routing.models import AuditChain, AuditEntry
from telemetry.chains.verification import chains_verify
from tests.routing.rows import entry_row, failure_row

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*works: Callable[[], object]) -> None:
    """Each in a thread and a connection of its own, begun together; raises what one of them raised."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait(timeout=30)
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(run, work) for work in works]:
            done.result(timeout=120)


def assert_whole(lengths: dict[str, int]) -> None:
    assert {check.chain: check.length for check in chains_verify() if not check.fault} == lengths
    for chain, length in lengths.items():
        seqs = AuditEntry.objects.filter(chain=chain).order_by("seq").values_list("seq", flat=True)
        assert list(seqs) == list(range(1, length + 1))


def test_one_person_from_eight_threads_has_one_chain_without_a_gap(learner: User) -> None:
    at_once(*[lambda: [failure_row(learner) for _ in range(5)] for _ in range(7)], lambda: entry_row(learner))
    assert_whole({f"consult:{learner.pk}": 36})


def test_two_people_do_not_wait_for_each_other(learner: User, stranger: User) -> None:
    inside = threading.Barrier(2)

    def write(user: User) -> None:
        with transaction.atomic():
            failure_row(user)
            inside.wait(timeout=30)  # both hold their chain's lock now

    at_once(lambda: write(learner), lambda: write(stranger))
    assert_whole({f"consult:{learner.pk}": 1, f"consult:{stranger.pk}": 1})


def test_what_is_rolled_back_leaves_its_place_to_the_next(learner: User) -> None:
    failure_row(learner)
    with transaction.atomic():
        failure_row(learner)
        transaction.set_rollback(True)
    failure_row(learner)
    assert_whole({f"consult:{learner.pk}": 2})
    assert AuditChain.objects.get().length == 2


def test_a_check_meanwhile_sees_no_fault(learner: User) -> None:
    found: list[object] = []

    def check() -> None:
        found.extend(check.fault for _ in range(20) for check in chains_verify() if check.fault)

    at_once(lambda: [failure_row(learner) for _ in range(20)], check)
    assert found == []
