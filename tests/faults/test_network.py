"""The network between web and database: cut before and after each statement, silent, slow."""

import pytest

from tests.faults.learner import Learner, failing_turns
from tests.faults.proxy import Fault
from tests.faults.site import Site
from tests.provider import hangs

pytestmark = pytest.mark.faults


@pytest.mark.parametrize("fault", ["cut before", "cut after"])
def test_connection_reset_at_each_statement_of_a_turn_and_of_its_call(
    site: Site, learner: Learner, fault: Fault
) -> None:
    """Cut after: PostgreSQL has done it, a commit too, and the web never hears of it."""
    for step, sending in failing_turns(site, learner, fault):
        sending.result()
        site.leases_end()
        learner.send_again(step)
        learner.assert_counted()
    site.assert_whole()


def test_split_while_the_model_is_asked(site: Site, learner: Learner) -> None:
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    step = learner.write()
    sending = learner.sending(step)
    site.provider.wait_calls(calls + 1)
    site.proxy.black_hole(True)
    site.provider.release()
    site.provider.wait_idle()
    site.proxy.reset()
    site.proxy.black_hole(False)
    sending.result()
    site.leases_end()
    learner.send_again(step)
    learner.assert_counted()
    site.assert_whole()


def test_silence_ends_and_everything_goes_on(site: Site, learner: Learner) -> None:
    """Nothing arrives for a while and nobody is told: what was sent arrives late."""
    step = learner.write()
    site.proxy.black_hole(True)
    sending = learner.sending(step)
    assert site.get("/healthz") == 200
    assert site.get("/readyz") == 0  # it does not answer in time
    site.proxy.black_hole(False)
    assert sending.result().status_code == 200
    learner.assert_counted()
    site.assert_whole()


def test_slow_network(site: Site, learner: Learner) -> None:
    site.proxy.seconds = 0.05
    try:
        learner.answer()
    finally:
        site.proxy.seconds = 0.0
    learner.assert_counted()
    site.assert_whole()
