"""Kill -9 of the web process at every step of a turn and of its call."""

import pytest

from tests.faults.learner import Learner, failing_turns
from tests.faults.site import Site
from tests.provider import Behaviour, hangs, trickles

pytestmark = pytest.mark.faults


def take_up(site: Site) -> None:
    """The web process is dead; another one serves, and what was leased is free again."""
    site.web().kill()
    site.proxy.disarm()
    site.start()
    site.leases_end()


def test_web_killed_at_each_statement_of_a_turn_and_of_its_call(site: Site, learner: Learner) -> None:
    for step, _ in failing_turns(site, learner, "freeze"):
        take_up(site)
        assert learner.send(step).status_code == 200
        learner.assert_counted()
    site.assert_whole()


@pytest.mark.parametrize("behaviour", [hangs(), trickles()], ids=["before its answer", "in its answer"])
def test_web_killed_while_the_model_is_asked(site: Site, learner: Learner, behaviour: Behaviour) -> None:
    before = len(site.provider.calls)
    site.provider.next(behaviour)
    step = learner.write()
    learner.sending(step)
    site.provider.wait_calls(before + 1)
    take_up(site)
    site.provider.wait_gone(site.provider.gone)
    assert learner.send(step).status_code == 200
    learner.assert_counted()
    site.assert_whole()
    lost = "SELECT outcome, unverified, cost = amount FROM gateway_hold WHERE outcome = 'lost' AND chain = %s"
    assert site.rows(lost, learner.session) == [("lost", True, True)]


def test_a_page_that_is_only_looked_at_takes_the_turn_up(site: Site, learner: Learner) -> None:
    before = len(site.provider.calls)
    site.provider.next(hangs())
    learner.sending(learner.write())
    site.provider.wait_calls(before + 1)
    take_up(site)
    learner.assert_counted()
    site.assert_whole()
