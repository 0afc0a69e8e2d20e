"""What one call is: a question with its retries and fallbacks. Source: design.md, "Money"."""

import uuid
from datetime import datetime, timedelta

import pytest

from gateway.contracts import CallReport, Outcome, Payer, Tier, Usage
from gateway.figures.contracts import Days
from gateway.figures.reading import figures_of
from gateway.ledger import settle
from gateway.models import Hold
from tests.gateway.calls import DAY, at, in_session
from tests.gateway.ledger_helpers import NOON, answered, cents, price_now, sent

pytestmark = pytest.mark.django_db
TODAY = Days(since=DAY, until=DAY)
NEXT_DAY = DAY + timedelta(days=1)


def request(call: uuid.UUID, attempt: int, tier: Tier, outcome: Outcome, *, now: datetime = NOON) -> None:
    """One request of a call; answered it cost half a cent, otherwise its worst case, 2 cents."""
    hold = sent(Payer(chain="plain"), cents(2), tier, call=call, attempt=attempt, now=now)
    usage = Usage(input=cents(0.5) * 1000 // price_now(tier).tokens.input) if outcome == Outcome.ANSWERED else None
    settle(hold, CallReport(outcome=outcome, usage=usage), now=now)


def test_a_call_counts_once_for_the_tier_that_answered_and_each_request_costs() -> None:
    fell_back, retried = uuid.uuid4(), uuid.uuid4()
    request(fell_back, 1, Tier.THINKER, Outcome.FAILED)
    request(fell_back, 2, Tier.THINKER, Outcome.CUT)
    request(fell_back, 3, Tier.CHEAP, Outcome.ANSWERED)
    request(retried, 1, Tier.CHEAP, Outcome.FAILED)
    request(retried, 2, Tier.CHEAP, Outcome.ANSWERED)
    figures = figures_of(TODAY)
    assert [(use.calls, use.share, use.cost) for use in figures.tiers] == [
        (2, 1.0, cents(3)),
        (0, 0.0, 0),
        (0, 0.0, cents(4)),
    ]
    assert [(one.tier, one.calls, one.cost) for one in figures.by_day] == [
        (Tier.CHEAP, 2, cents(3)),
        (Tier.THINKER, 0, cents(4)),
    ]
    assert [(one.calls, one.cost) for one in figures.operations] == [(2, cents(7))]
    assert sum(one.calls for one in figures.failures) == 3


def test_a_call_that_nobody_answered_counts_for_the_last_that_was_tried() -> None:
    failed, under_way = uuid.uuid4(), uuid.uuid4()
    request(failed, 1, Tier.THINKER, Outcome.FAILED)
    request(failed, 2, Tier.CHEAP, Outcome.REFUSED)
    request(under_way, 1, Tier.CHEAP, Outcome.FAILED)
    sent(Payer(chain="plain"), cents(2), Tier.THINKER, call=under_way, attempt=2)
    assert {use.tier: use.calls for use in figures_of(TODAY).tiers} == {Tier.CHEAP: 1, Tier.EMBED: 0, Tier.THINKER: 1}


def test_a_call_over_midnight_is_of_the_day_of_the_answer() -> None:
    over_midnight = uuid.uuid4()
    request(over_midnight, 1, Tier.CHEAP, Outcome.FAILED, now=at(DAY, 23, 59))
    request(over_midnight, 2, Tier.CHEAP, Outcome.ANSWERED, now=at(NEXT_DAY, 0))
    figures = figures_of(Days(since=DAY, until=NEXT_DAY))
    assert figures.calls == 1
    assert [(one.calls, one.cost) for one in figures.by_day] == [(0, cents(2)), (1, cents(0.5))]


def test_retries_of_one_escalation_count_once() -> None:
    payer = in_session()
    first = sent(payer, cents(2), Tier.THINKER, escalation=True)
    settle(first, CallReport(outcome=Outcome.FAILED), now=NOON)
    same = Hold.objects.get(pk=first).call
    settle(sent(payer, cents(2), Tier.THINKER, escalation=True, call=same, attempt=2), answered(100), now=NOON)
    figures = figures_of(TODAY)
    assert (figures.calls, figures.escalations.made) == (1, 1)
    assert [(one.calls, one.escalations) for one in figures.costliest] == [(1, 1)]
