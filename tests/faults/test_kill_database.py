"""Kill -9 of PostgreSQL, all its processes at once, at every step of a turn and of its call."""

import pytest

from tests.browser.server import until
from tests.faults.learner import Learner, failing_turns
from tests.faults.site import Site
from tests.provider import hangs

pytestmark = pytest.mark.faults


def test_database_killed_at_each_statement_of_a_turn_and_of_its_call(site: Site, learner: Learner) -> None:
    for step, sending in failing_turns(site, learner, "freeze"):
        site.cluster.kill()
        site.proxy.disarm()
        site.cluster.start()
        sending.result()
        site.leases_end()
        learner.send_again(step)
        learner.assert_counted()
    site.assert_whole()


def test_database_killed_while_the_model_is_asked(site: Site, learner: Learner) -> None:
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    step = learner.write()
    sending = learner.sending(step)
    site.provider.wait_calls(calls + 1)
    site.cluster.kill()
    site.cluster.start()
    site.provider.release()
    sending.result()
    site.leases_end()
    learner.send_again(step)
    learner.assert_counted()
    site.assert_whole()


def test_worker_and_beat_outlive_a_killed_database(site: Site, learner: Learner) -> None:
    worker, beat = site.work(), site.fork("beat")
    site.cluster.kill()
    site.cluster.start()
    site.change("DELETE FROM core_heartbeat")
    until(lambda: site.rows("SELECT 1 FROM core_heartbeat"), "beat and worker go on", 60)
    assert worker.is_alive()
    assert beat.is_alive()
    learner.assert_counted()
    site.assert_whole()
