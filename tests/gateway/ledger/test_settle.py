"""Design, "Money": settle once at the real usage, costs round up; after dispatch a lost reply is charged."""

import uuid
from datetime import timedelta
from functools import partial

import pytest

from gateway.contracts import CallReport, Outcome, Settled, Tier, TokenPrices, Usage
from gateway.errors import HoldNotOpen
from gateway.ledger import release, settle
from gateway.ledger.pricing import cost_of, price_set, worst_cost
from gateway.models import Entry
from telemetry.models import Event
from tests.gateway.ledger_helpers import (
    LATER,
    MODELS,
    NOON,
    answered,
    assert_books_right,
    cents,
    events_of,
    held,
    hold_of,
    lesson,
    lost,
    money_of,
    price_now,
    sent,
    session_account,
)
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


def free(**prices: int) -> TokenPrices:
    """Nothing costs anything but what is given."""
    return TokenPrices(**{**dict.fromkeys(TokenPrices.model_fields, 0), **prices})


def new_price(tier: Tier = Tier.CHEAP, **prices: int) -> None:
    price_set(tier=tier, model=MODELS[tier], prices=free(**prices), after=1, reason="a test", by=None)


# What a call costs


@pytest.mark.parametrize(
    ("tier", "tokens", "microcents"),
    [(Tier.CHEAP, 1000, 500_000), (Tier.EMBED, 1000, 100_000), (Tier.THINKER, 1000, 2_500_000)],
)
def test_the_documented_prices(tier: Tier, tokens: int, microcents: int) -> None:
    """spec/3: $0.005, $0.001 and $0.025 for 1,000 tokens."""
    hold = sent(lesson(), cents(3), tier)
    assert settle(hold, answered(tokens), now=NOON).cost == microcents
    assert money_of(session_account()) == (microcents, 0)
    assert getattr(session_account(), f"spent_{tier}") == microcents
    assert_books_right(open_holds=0)


@pytest.mark.parametrize(("tokens", "cost"), [(1, 1), (999, 1), (1000, 1), (1001, 2), (2000, 2)])
def test_costs_round_up(tokens: int, cost: int) -> None:
    new_price(input=1)
    assert settle(sent(lesson()), answered(tokens), now=NOON).cost == cost


def test_costs_round_up_once_for_a_call_and_not_for_each_kind_of_token() -> None:
    prices = free(input=1, cached=1, output=1, reasoning=1)
    assert cost_of(Tier.CHEAP, prices, Usage(input=500, cached=250, output=500, reasoning=250)) == 1


def test_cached_and_reasoning_tokens_are_charged_once() -> None:
    new_price(Tier.THINKER, input=8000, cached=1000, output=20_000, reasoning=30_000)
    hold = sent(lesson(), cents(1), Tier.THINKER)
    report = answered(10, cached=4, output=7, reasoning=5)
    assert settle(hold, report, now=NOON).cost == 6 * 8 + 4 * 1 + 2 * 20 + 5 * 30


def test_the_worst_case_covers_whatever_the_tokens_turn_out_to_be() -> None:
    prices = free(input=3, cached=5, output=7, reasoning=11)
    worst = worst_cost(Tier.THINKER, prices, input_tokens=10, output_tokens=10)
    for cached in range(11):
        for reasoning in range(11):
            usage = Usage(input=10, cached=cached, output=10, reasoning=reasoning)
            assert cost_of(Tier.THINKER, prices, usage) <= worst


def test_what_was_held_too_much_is_given_back() -> None:
    payer = lesson()
    hold = sent(payer, cents(100))
    assert session_account().held == cents(100)
    settle(hold, answered(2000), now=NOON)
    assert money_of(session_account()) == (cents(1), 0)
    held(payer, cents(99))


def test_a_price_that_changes_during_a_call_counts_from_the_next_one_on() -> None:
    payer = lesson()
    hold = sent(payer)
    new_price(input=900_000)
    assert settle(hold, answered(1000), now=NOON).cost == 500_000
    later = sent(payer, price=price_now())
    assert settle(later, answered(1000), now=NOON).cost == 900_000
    assert hold_of(hold).price.version == 1
    assert hold_of(later).price.version == 2
    assert_books_right(open_holds=0)


def test_a_call_is_written_down_with_what_the_provider_counted() -> None:
    hold = sent(lesson(subject="turn:5"))
    report = answered(100, cached=10, output=50, reasoning=5).model_copy(update={"reply_digest": "r", "reply_bytes": 7})
    settle(hold, report, now=NOON + timedelta(seconds=1))
    row = hold_of(hold)
    assert (row.input_tokens, row.cached_tokens, row.output_tokens, row.reasoning_tokens) == (100, 10, 50, 5)
    assert (row.outcome, row.latency_ms, row.reply_digest, row.reply_bytes) == ("answered", 300, "r", 7)
    assert row.subject == "turn:5"
    assert row.settled_at == NOON + timedelta(seconds=1)


def test_each_settlement_is_told_with_what_is_left() -> None:
    hold = sent(lesson(), cents(1), Tier.THINKER, escalation=True)
    settle(hold, answered(400), now=NOON)
    assert events_of("lesson", "budget.usage") == [
        {
            "tier": "thinker",
            "model": "o3-mini",
            "operation": "tutor_turn",
            "costMicrocents": cents(1),
            "hold": str(hold),
            "escalation": True,
            "leftMicrocents": cents(99),
            "budgetMode": "full",
        }
    ]


# A reply that was lost


@pytest.mark.parametrize(
    "outcome",
    [Outcome.ANSWERED, Outcome.FAILED, Outcome.TIMED_OUT, Outcome.CANCELLED, Outcome.CUT, Outcome.LOST],
)
def test_after_dispatch_a_lost_reply_is_charged_in_full_and_unverified(outcome: Outcome) -> None:
    hold = sent(lesson(), cents(2))
    settled = settle(hold, lost(outcome), now=NOON)
    assert (settled.cost, settled.unverified, settled.overrun) == (cents(2), True, 0)
    assert money_of(session_account()) == (cents(2), 0)
    assert (hold_of(hold).unverified, hold_of(hold).input_tokens) == (True, None)
    assert events_of("lesson", "budget.usage")[0]["unverified"] is True
    assert Event.objects.get(event="budget.usage").level == "warning"
    assert_books_right(open_holds=0)


def test_a_cut_stream_whose_usage_came_is_charged_by_it() -> None:
    report = CallReport(outcome=Outcome.CUT, usage=Usage(input=1000))
    settled = settle(sent(lesson(), cents(2)), report, now=NOON)
    assert (settled.cost, settled.unverified) == (500_000, False)


def test_a_provider_that_refused_did_nothing_and_costs_nothing() -> None:
    hold = sent(lesson(), cents(2), Tier.THINKER, escalation=True)
    settled = settle(hold, lost(Outcome.REFUSED), now=NOON)
    assert (settled.cost, settled.unverified) == (0, False)
    assert money_of(session_account()) == (0, 0)
    assert session_account().escalations_used == 1  # the thinker was asked
    assert_books_right(open_holds=0)


def test_a_count_that_no_provider_can_mean_is_no_count() -> None:
    """More tokens than the ledger's columns hold: refused as a value, so that a settlement never fails on it."""
    with pytest.raises(ValueError, match="less than 2147483648"):
        Usage(input=2**31)
    hold = sent(lesson(), cents(2))
    settled = settle(hold, answered(2**31 - 1, output=2**31 - 1), now=NOON)
    assert settled.cost == cents(100)
    assert_books_right(open_holds=0)


# Settle once


def test_a_late_settlement_is_refused_and_moves_nothing() -> None:
    hold = sent(lesson(), cents(2))
    settle(hold, answered(1000), now=NOON)
    before, entries = money_of(session_account()), Entry.objects.count()
    for late in (answered(9), lost(), lost(Outcome.REFUSED)):
        with pytest.raises(HoldNotOpen, match="closed before: what came later is not written"):
            settle(hold, late, now=LATER)
    with pytest.raises(HoldNotOpen):
        release(hold)
    assert (money_of(session_account()), Entry.objects.count()) == (before, entries)
    assert_books_right(open_holds=0)


def test_what_was_never_dispatched_cannot_be_settled() -> None:
    hold = held(lesson())
    with pytest.raises(HoldNotOpen):
        settle(hold.id, answered(), now=NOON)
    assert money_of(session_account()) == (0, cents(1))


def test_a_hold_that_never_was_cannot_be_settled() -> None:
    with pytest.raises(HoldNotOpen):
        settle(uuid.uuid4(), answered(), now=NOON)


@pytest.mark.django_db(transaction=True)
def test_of_several_settlers_at_once_one_settles() -> None:
    hold = sent(lesson(), cents(2))

    def settler(tokens: int) -> Settled | None:
        try:
            return settle(hold, answered(tokens), now=NOON)
        except HoldNotOpen:
            return None

    outcomes = at_once([partial(settler, tokens) for tokens in (1000, 2000, 3000, 4000)])
    winner = [settled for settled in outcomes if settled is not None]
    assert len(winner) == 1
    assert money_of(session_account()) == (winner[0].cost, 0)
    assert_books_right(open_holds=0)
