"""Kill -9 of beat at every statement with which it sends a message."""

import pytest

from tests.browser.server import until
from tests.faults.learner import PATIENCE
from tests.faults.site import Site, Work

pytestmark = pytest.mark.faults
STATEMENTS_OF_TWO_MESSAGES = 14


def test_beat_killed_at_each_statement_of_a_message(site: Site, work_left: Work) -> None:
    """What it did not send, and what it sent to nobody, is sent by the next one."""
    for number in range(1, STATEMENTS_OF_TWO_MESSAGES + 1):
        site.proxy.arm(number, who="beat", begins="kombu_queue", broker=True)
        beat = site.fork("beat")
        until(site.proxy.reached.is_set, "beat sends", PATIENCE)
        beat.kill()
        site.proxy.disarm()
    site.work()
    site.fork("beat")
    work_left.wait_done()
    work_left.assert_once()
    site.assert_whole()
