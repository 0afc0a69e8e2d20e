"""Kill -9 of the worker at every step of a turn that it takes up, of a call that it closes, and of its own call."""

from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest

from tests.browser.server import until
from tests.faults.learner import PATIENCE, Learner
from tests.faults.site import Site

pytestmark = pytest.mark.faults
TAKE_UP, EXPIRE, REFLECT = "lesson_engine.tasks.take_up_turns", "gateway.tasks.expire_holds", "reflection.tasks.reflect"
EVALUATE = "lesson_engine.tasks.evaluate_goals"
STATEMENTS_OF_CALL = 24
"""From the model's price to the commit of what it cost, and one more."""
RUNNING = "SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'"
OPEN = "SELECT count(*) FROM gateway_hold WHERE state IN ('held', 'dispatched')"
PENDING = "SELECT count(*) FROM evaluation_pendingreflection WHERE state = 'running'"
# As after the first worker that died: after five of them the answer would be given up.
AGAIN = """
UPDATE lesson_engine_turn SET takes = 1 WHERE state = 'running';
UPDATE evaluation_pendingreflection SET takes = 0, lease_until = now() - interval '1 second' WHERE state = 'running'
"""


def killed_workers(site: Site, task: str, begins: str, is_done: Callable[[], bool]) -> Iterator[str]:
    """Send the task until it is done, each time to a worker that is killed one statement later than the last one.

    `begins` is of the task's first statement. Gives the statement that was not reached.
    """
    for number in count(1):
        site.leases_end()
        for statement in AGAIN.split(";"):
            site.change(statement)
        site.proxy.arm(number, who="worker", begins=begins)
        site.task_send(task)
        worker = site.fork("worker")
        until(lambda: site.proxy.reached.is_set() or is_done(), "a statement of the worker, or its work", PATIENCE)
        worker.kill()
        is_over = not site.proxy.reached.is_set()
        site.proxy.disarm()
        if is_over:
            assert number > 5
            return
        yield site.proxy.statements[-1]


def none(site: Site, query: str) -> bool:
    return site.rows(query) == [(0,)]


def test_worker_killed_at_each_statement_of_a_turn_that_it_takes_up(site: Site, left: Learner) -> None:
    for _ in killed_workers(site, TAKE_UP, "lesson_engine_turn", lambda: none(site, RUNNING)):
        pass
    left.assert_counted()
    site.assert_whole()


def test_worker_killed_at_each_statement_that_closes_a_call(site: Site, left: Learner) -> None:
    for _ in killed_workers(site, EXPIRE, "gateway_hold", lambda: none(site, OPEN)):
        pass
    left.assert_counted()
    site.assert_whole()


def test_worker_killed_at_each_statement_of_a_call_of_its_own(site: Site) -> None:
    site.lesson_finish()
    site.work()
    site.task_send(EVALUATE)
    until(lambda: not none(site, PENDING), "the session is evaluated")
    site.web().kill()
    workers = killed_workers(site, REFLECT, "gateway_price", lambda: none(site, PENDING))
    statements = list(islice(workers, STATEMENTS_OF_CALL))
    assert any("'settled'" in statement for statement in statements)
    site.fork("worker")
    site.leases_end()
    site.change(AGAIN.split(";")[1])
    site.task_send(REFLECT)
    until(lambda: none(site, PENDING), "the failure is reflected on")
    site.assert_whole()
