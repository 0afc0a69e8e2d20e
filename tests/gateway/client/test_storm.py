"""Storms through the door, with real waiting: 200 calls at once on one session, 20 sessions of one user at once."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.db import connection

from accounts.models import User
from gateway.client import Message, Model
from gateway.contracts import Payer, Tier
from gateway.errors import EscalationRefused, MetacognitionCostExceeded
from gateway.models import Hold
from tests.gateway.ledger_helpers import account, assert_books_right, cents, lesson, money_of, session_account
from tests.gateway.watching import pooled, watched
from tests.lesson_engine.services.threads import at_once
from tests.provider import Provider, Used, says

pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]
PATIENCE = 60_000
CENT = 1900
"""Tokens of an answer whose hold is about a cent at the cheap tier's price."""
TOKEN = {Tier.CHEAP: 500, Tier.THINKER: 2500}
PROMPT = [Message(content="What do plants need light for?")]


@pytest.fixture(autouse=True)
def _pooled() -> Iterator[None]:
    with pooled():
        yield


def model(payer: Payer, tier: Tier = Tier.CHEAP, *, tokens: int = CENT, escalation: bool = False) -> Model:
    return Model(
        tier,
        payer=payer,
        operation="decompose_task",
        max_tokens=tokens,
        timeout_ms=PATIENCE,
        escalation=escalation,
        fallback=False,
    )


def asked(payer: Payer, tokens: int = CENT) -> str:
    try:
        model(payer, tokens=tokens).reply(PROMPT)
    except MetacognitionCostExceeded:
        return "refused"
    return "answered"


def assert_counts_equal(provider: Provider, answered: int) -> None:
    """What the callers got, what the server counted and what was settled is the same, to the token."""
    settled = Hold.objects.filter(state=Hold.State.SETTLED)
    assert answered == len(provider.calls) == settled.count()
    assert not settled.filter(unverified=True).exists()
    used = provider.used
    counted = [settled.values_list(name, flat=True) for name in ("input_tokens", "output_tokens")]
    assert [sum(tokens or 0 for tokens in column) for column in counted] == [used.prompt, used.completion]
    assert_books_right(open_holds=0)


def test_200_calls_at_once_on_one_session_never_spend_over_its_100_cents(provider: Provider) -> None:
    provider.always(says("Sugar.", delay=0.3, used=Used(prompt=40, completion=CENT)))
    payer = lesson()
    with watched("session") as seen:
        outcomes = Counter(at_once([partial(asked, payer)] * 200))
    assert outcomes.total() == 200
    assert cents(80) < seen.spent_and_held <= cents(100)  # they did stand in each other's way
    assert outcomes["answered"] < 110
    assert session_account().spent == outcomes["answered"] * (40 + CENT) * TOKEN[Tier.CHEAP]
    assert_counts_equal(provider, outcomes["answered"])


def escalating(payer: Payer) -> str:
    """Ask the thinker, again when the money is only set aside for others."""
    while True:
        try:
            model(payer, Tier.THINKER, tokens=300, escalation=True).reply(PROMPT)
        except EscalationRefused:
            return "no escalation left"
        except MetacognitionCostExceeded:
            continue
        return "answered"


def test_exactly_five_of_200_calls_at_once_escalate(provider: Provider) -> None:
    provider.always(says("Sugar.", delay=0.3, used=Used(prompt=40, completion=60)))
    payer = lesson()
    works: list[Callable[[], str]] = [*[partial(escalating, payer)] * 40, *[partial(asked, payer, 600)] * 160]
    random.Random(1).shuffle(works)
    with watched("session") as seen:
        outcomes = Counter(at_once(works))
    thinkers = [call for call in provider.calls if call.body["model"] == "o3-mini"]
    assert len(thinkers) == session_account().escalations_used == seen.escalations == 5
    assert outcomes["no escalation left"] == 35
    assert seen.spent_and_held <= cents(100)
    assert_counts_equal(provider, outcomes["answered"])


def test_the_same_on_an_event_loop(provider: Provider) -> None:
    """200 tasks as the web server has them, each with its own thread for the database while it needs one."""
    provider.always(says("Sugar.", delay=0.3, used=Used(prompt=40, completion=CENT)))
    payer = lesson()

    async def ask(number: int) -> str:
        async with ThreadSensitiveContext():
            try:
                if number < 5:
                    await model(payer, Tier.THINKER, tokens=300, escalation=True).areply(PROMPT)
                else:
                    await model(payer).areply(PROMPT)
            except MetacognitionCostExceeded:
                return "refused"
            finally:
                await sync_to_async(lambda: connection.close(), thread_sensitive=True)()
        return "answered"

    async def everybody() -> list[str]:
        return await asyncio.gather(*[ask(number) for number in range(200)])

    with watched("session") as seen:
        outcomes = Counter(asyncio.run(everybody()))
    assert cents(80) < seen.spent_and_held <= cents(100)
    assert session_account().escalations_used == len([c for c in provider.calls if c.body["model"] == "o3-mini"])
    assert_counts_equal(provider, outcomes["answered"])


@pytest.mark.usefixtures("whole_months")
def test_20_sessions_of_one_user_at_once_under_one_day(provider: Provider, learner: User) -> None:
    tokens = 5 * CENT
    provider.always(says("Sugar.", delay=0.3, used=Used(prompt=40, completion=tokens)))
    payers = [lesson(f"lesson-{number}", user_id=learner.pk, is_guest=True) for number in range(20)]
    works = [partial(asked, payer, tokens) for payer in payers for _ in range(10)]
    with watched("session", "user_day", "guests_day", "agent_month") as seen:
        outcomes = Counter(at_once(works))
    assert cents(490) < seen.spent_and_held <= cents(500)
    assert 95 <= outcomes["answered"] <= 110
    day = account("user_day", Hold.objects.values_list("reserved_at", flat=True)[0].strftime(f"{learner.pk}:%Y-%m-%d"))
    assert money_of(day) == (outcomes["answered"] * (40 + tokens) * TOKEN[Tier.CHEAP], 0)
    assert_counts_equal(provider, outcomes["answered"])
