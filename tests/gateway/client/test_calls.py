"""The door: whatever a provider does, the caller gets an answer or a clear error, and the ledger has it right."""

import asyncio
import json
import socket
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from typing import Literal

import numpy as np
import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as project_settings
from django.db import connections, transaction
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from core.contracts import Contract
from core.operations.connections import TransactionOpen
from gateway import ledger
from gateway.client import Message, Model, atexts_embed, texts_embed
from gateway.client.breaker import breaker_look, breaker_succeeded, breaker_try
from gateway.contracts import Limits, Payer, Tier, TokenPrices, Usage
from gateway.errors import (
    CircuitOpen,
    EscalationRefused,
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
    ModelNotConfigured,
    ModelUnavailable,
    PriceUnknown,
    ProviderFailed,
    SchemaNotMet,
)
from gateway.ledger.pricing import cost_of, price_of, price_set
from gateway.models import Account, Alert, Breaker, CallText, Hold
from gateway.operations.deadlines import aoperation_run, operation_run
from gateway.selectors import budget_of
from tests.gateway.ledger_helpers import assert_books_right
from tests.provider.behaviour import (
    Behaviour,
    Used,
    cuts,
    fails,
    garbage,
    hangs,
    no_usage,
    overlong,
    says,
    trickles,
    wrong_schema,
    wrong_shape,
)
from tests.provider.server import Provider

pytestmark = pytest.mark.django_db(transaction=True)


class Opinion(Contract):
    """What the thinker is asked for in these tests."""

    result: Literal["ACCEPT", "REJECT"]


GOOD = '{"result": "ACCEPT"}'


@pytest.fixture
def payer(learner: User) -> Payer:
    """A session of somebody, with a dollar and five escalations."""
    session = str(uuid.uuid4())
    limits = Limits(cents=100, escalations=5, thinker_floor_cents=10, economy_floor_cents=5)
    ledger.account_open(scope="session", key=session, limits=limits)
    return Payer(chain=session, session=session, user_id=learner.pk, course="light", mode="adaptive", subject="turn:1")


@pytest.fixture(autouse=True)
def books_are_right(payer: Payer) -> Iterator[None]:
    """Whatever a test did: nothing is held any more, the ledger adds up, the chains are whole."""
    yield
    assert_books_right(open_holds=0)


def thinker(payer: Payer, **more: object) -> Model:
    return Model(Tier.THINKER, payer=payer, operation="decompose_task", **more)  # type: ignore[arg-type]


def cheap(payer: Payer, **more: object) -> Model:
    return Model(Tier.CHEAP, payer=payer, operation="decompose_task", **more)  # type: ignore[arg-type]


def outcomes() -> list[tuple[str, str, bool]]:
    """Model, outcome and whether it is unverified, of all calls in their order."""
    return list(Hold.objects.order_by("reserved_at").values_list("model", "outcome", "unverified"))


def test_an_answer_costs_what_the_provider_counted(provider: Provider, payer: Payer) -> None:
    provider.always(says("Hello.", used=Used(100, 20, cached=40, reasoning=5)))
    assert cheap(payer).complete("Say hello.") == "Hello."
    hold = Hold.objects.select_related("price").get()
    assert hold.cost == cost_of(Tier.CHEAP, hold.price.tokens, hold_usage(hold)) == 60_000
    assert budget_of("session", payer.session or "").spent_cheap == 60_000
    assert (hold.prompt_bytes > 0, hold.reply_bytes, hold.subject) == (True, 6, "turn:1")
    assert not CallText.objects.exists()


def hold_usage(hold: Hold) -> Usage:
    return Usage(
        input=hold.input_tokens or 0,
        cached=hold.cached_tokens or 0,
        output=hold.output_tokens or 0,
        reasoning=hold.reasoning_tokens or 0,
    )


def test_the_worst_case_is_never_less_than_what_is_counted(provider: Provider, payer: Payer) -> None:
    said = [Message(role="system", content="¿Qué?" * 50), Message(content="🌱" * 50)]
    cheap(payer).reply(said)
    hold = Hold.objects.get()
    assert hold.cost is not None
    assert 0 < hold.cost <= hold.amount
    assert hold.overrun == 0


def test_no_model_configured_means_no_model(payer: Payer) -> None:
    with pytest.raises(ModelNotConfigured):
        cheap(payer).complete("Hello?")
    assert not Hold.objects.exists()


def test_unknown_price_no_call(provider: Provider, payer: Payer, settings: Settings) -> None:
    settings.CHEAP_MODEL = "brand-new"
    with pytest.raises(PriceUnknown):
        cheap(payer).complete("Hello?")
    assert provider.calls == []
    assert not Hold.objects.exists()


def test_a_model_is_not_asked_inside_a_transaction(provider: Provider, payer: Payer) -> None:
    with transaction.atomic(), pytest.raises(TransactionOpen):
        cheap(payer).complete("Hello?")
    assert provider.calls == []


def test_a_refusal_costs_nothing_and_is_tried_again_when_the_provider_says(provider: Provider, payer: Payer) -> None:
    provider.next(fails(429, retry_after=0.01), says("Now."))
    assert cheap(payer).complete("Hello?") == "Now."
    model = "gpt-4o-mini"
    assert outcomes() == [(model, "refused", False), (model, "answered", False)]
    assert Hold.objects.order_by("reserved_at")[0].cost == 0
    assert Hold.objects.values("call").distinct().count() == 1


def test_after_a_server_error_the_worst_case_is_charged_unverified(provider: Provider, payer: Payer) -> None:
    provider.next(fails(500), says("Now."))
    assert cheap(payer).complete("Hello?") == "Now."
    first = Hold.objects.order_by("reserved_at")[0]
    assert (first.outcome, first.unverified, first.cost) == ("failed", True, first.amount)


def test_tries_are_counted_over_the_whole_chain(provider: Provider, payer: Payer) -> None:
    provider.always(fails(429, retry_after=0.01))
    with pytest.raises(ProviderFailed, match="429"):
        thinker(payer, escalation=True).complete("Hello?")
    assert len(provider.calls) == Hold.objects.filter(state="settled").count() == 3
    assert budget_of("session", payer.session or "").escalations_used == 1


def test_a_wrong_key_is_not_tried_again_but_a_cheaper_model_is(provider: Provider, payer: Payer) -> None:
    provider.always(fails(401), model="o3-mini")
    provider.always(says("From the cheap one."), model="gpt-4o-mini")
    assert thinker(payer).complete("Hello?") == "From the cheap one."
    assert [call[0] for call in outcomes()] == ["o3-mini", "gpt-4o-mini"]


@pytest.mark.parametrize("kind", ["input", "cached", "output", "reasoning"])
def test_fallback_only_goes_to_something_cheaper(provider: Provider, payer: Payer, kind: str) -> None:
    dear = TokenPrices(**{"input": 1, "cached": 1, "output": 1, "reasoning": 1, "embedding": 0, kind: 9_000_000})
    price_set(tier=Tier.CHEAP, model="gpt-4o-mini", prices=dear, after=1, reason="test", by=None)
    provider.always(fails(400), model="o3-mini")
    with pytest.raises(ProviderFailed):
        thinker(payer).complete("Hello?")
    provider.always(fails(400), model="gpt-4o-mini")
    with pytest.raises(ProviderFailed):
        cheap(payer).complete("Hello?")
    assert [call[0] for call in outcomes()] == ["o3-mini", "gpt-4o-mini"]


@pytest.mark.parametrize("behaviour", [garbage(), wrong_shape(), cuts()], ids=["garbage", "wrong-shape", "cut"])
def test_nonsense_is_no_answer_and_is_charged(provider: Provider, payer: Payer, behaviour: Behaviour) -> None:
    provider.always(behaviour)
    with pytest.raises(ProviderFailed):
        cheap(payer).complete("Hello?")
    assert len(provider.calls) == len(outcomes()) == 2  # each is charged, so there is no third
    assert all(unverified for _model, _outcome, unverified in outcomes())


@pytest.mark.parametrize(
    "usage", [{"prompt_tokens": 12}, {"prompt_tokens": 12, "completion_tokens": 0}, {"prompt_tokens": -1}, {}]
)
def test_a_count_that_cannot_be_is_no_count(provider: Provider, payer: Payer, usage: dict[str, int]) -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "word " * 200}}], "usage": usage}
    provider.always(Behaviour(body=json.dumps({"id": "1", "object": "chat.completion", "model": "m", **body}).encode()))
    cheap(payer).complete("Hello?")
    hold = Hold.objects.get()
    assert (hold.outcome, hold.unverified, hold.cost) == ("answered", True, hold.amount)


@pytest.fixture
def full_of_callers() -> Iterator[str]:
    """The address of a server that takes no connection any more: nobody is told so."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server, ExitStack() as stack:
        for _ in range(4):
            caller = stack.enter_context(socket.socket())
            caller.setblocking(False)
            caller.connect_ex(server.getsockname())
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def test_a_request_that_never_left_costs_nothing(
    payer: Payer, settings: Settings, provider: Provider, full_of_callers: str
) -> None:
    settings.OPENAI_BASE_URL = full_of_callers
    with pytest.raises((ProviderFailed, MetacognitionTimeoutError)):
        thinker(payer, escalation=True, timeout_ms=500).complete("Hello?")
    assert set(Hold.objects.values_list("state", "cost")) == {("released", 0)}
    assert budget_of("session", payer.session or "").escalations_used == 0


def test_no_time_left_costs_nothing(provider: Provider, payer: Payer) -> None:
    """The deadline passes while the money is set aside: somebody holds the row of the agent's month."""
    cheap(payer).complete("Open the accounts.")
    ended = threading.Event()

    def hold_the_month() -> None:
        with transaction.atomic():
            Account.objects.select_for_update().get(scope="agent_month")
            locked.set()
            assert ended.wait(10)
        connections.close_all()

    locked = threading.Event()
    with ThreadPoolExecutor() as threads:
        holding = threads.submit(hold_the_month)
        assert locked.wait(10)
        asking = threads.submit(in_thread, lambda: cheap(payer, timeout_ms=200).complete("Hello?"))
        with pytest.raises(TimeoutError):
            asking.result(timeout=0.4)
        ended.set()
        holding.result()
        with pytest.raises((MetacognitionTimeoutError, ProviderFailed)):
            asking.result()
    assert len(provider.calls) == 1
    assert Hold.objects.order_by("reserved_at").values_list("state", "cost")[1] == ("released", 0)
    assert not Breaker.objects.exists()  # that we were slow says nothing of the model


def in_thread(work: Callable[[], str]) -> str:
    """With a connection of its own, closed at its end."""
    try:
        return work()
    finally:
        connections.close_all()


def test_missing_usage_is_charged_in_full_and_unverified(provider: Provider, payer: Payer) -> None:
    provider.always(no_usage("Hello."))
    assert cheap(payer).complete("Hello?") == "Hello."
    hold = Hold.objects.get()
    assert (hold.outcome, hold.unverified, hold.cost) == ("answered", True, hold.amount)


def test_more_output_than_asked_is_taken_from_what_is_left(provider: Provider, payer: Payer) -> None:
    provider.always(overlong(4))
    cheap(payer, max_tokens=500).complete("Hello?")
    hold = Hold.objects.get()
    assert hold.cost is not None
    assert hold.cost > hold.amount
    assert not hold.unverified


@pytest.mark.parametrize("behaviour", [hangs(), trickles(0.05)], ids=["hang", "trickle"])
def test_a_deadline_is_over_the_whole_answer(provider: Provider, payer: Payer, behaviour: Behaviour) -> None:
    provider.always(behaviour)
    with pytest.raises(MetacognitionTimeoutError, match="decompose_task exceeded 400ms"):
        cheap(payer, timeout_ms=400).complete("Hello?")
    provider.wait_gone(1)
    assert outcomes() == [("gpt-4o-mini", "timed_out", True)]


def test_the_deadline_of_the_operation_reaches_the_call(provider: Provider, payer: Payer) -> None:
    provider.always(hangs())
    with pytest.raises(MetacognitionTimeoutError), operation_run("create_plan", timeout_ms=300):
        Model(Tier.CHEAP, payer=payer, operation="create_plan").complete("Plan.")
    provider.wait_gone(1)


def test_the_cap_of_the_operation_covers_all_its_calls(provider: Provider, payer: Payer) -> None:
    with operation_run("evaluate_result"):
        model = Model(Tier.CHEAP, payer=payer, operation="check_criteria", max_tokens=300)

        def ask_on() -> None:
            for _ in range(30):
                model.complete("And another one." * 10)

        with pytest.raises(MetacognitionCostExceeded, match="Would exceed operation budget"):
            ask_on()
    assert len(provider.calls) > 1
    assert Account.objects.get(scope="operation").limit == 500_000
    assert Account.objects.get(scope="operation").spent <= 500_000


def test_a_cap_covers_what_is_nested_in_it_and_is_not_escaped_by_nesting(provider: Provider, payer: Payer) -> None:
    with operation_run("decompose_task"):
        judge = Model(Tier.CHEAP, payer=payer, operation="evaluate_result", max_tokens=20_000)
        with pytest.raises(MetacognitionCostExceeded, match="Would exceed operation budget"):
            judge.complete("Too dear for its own cap.")
    with operation_run("create_plan"), operation_run("evaluate_result"):
        Model(Tier.CHEAP, payer=payer, operation="check_criteria", max_tokens=100).complete("Counts for both.")
    spent = dict(Account.objects.filter(scope="operation", spent__gt=0).values_list("limit", "spent"))
    assert set(spent) == {1_000_000, 500_000}
    assert len(set(spent.values())) == 1


def test_no_connection_costs_nothing_and_gives_the_escalation_back(
    payer: Payer, settings: Settings, provider: Provider
) -> None:
    settings.OPENAI_BASE_URL = "http://127.0.0.1:9/v1"
    with pytest.raises(ProviderFailed, match="no connection"):
        thinker(payer, escalation=True, fallback=False).complete("Hello?")
    assert set(Hold.objects.values_list("state", "cost")) == {("released", 0)}
    budget = budget_of("session", payer.session or "")
    assert (budget.spent, budget.held, budget.escalations_used) == (0, 0, 0)


def test_the_sixth_escalation_is_refused_before_it_is_asked(provider: Provider, payer: Payer) -> None:
    for _ in range(5):
        thinker(payer, escalation=True).complete("Hello?")
    with pytest.raises(EscalationRefused):
        thinker(payer, escalation=True).complete("Hello?")
    assert len(provider.calls) == 5


def test_a_model_that_keeps_failing_is_left_alone_and_tried_again_later(provider: Provider, payer: Payer) -> None:
    provider.always(fails(503, retry_after=0.0))
    for _ in range(2):  # the fifth request in a row that fails opens it
        with pytest.raises(ModelUnavailable):
            cheap(payer).complete("Hello?")
    asked = len(provider.calls)
    with pytest.raises(CircuitOpen):
        cheap(payer).complete("Hello?")
    assert len(provider.calls) == asked
    row = Breaker.objects.get()
    assert row.opened_at is not None
    assert Alert.objects.filter(kind="breaker_open").count() == 1
    Breaker.objects.update(open_until=row.opened_at)  # its time is over, and the one that tries fails
    with pytest.raises(ModelUnavailable):
        cheap(payer).complete("Hello?")
    assert len(provider.calls) == asked + 1
    assert (Breaker.objects.get().trips, Alert.objects.filter(kind="breaker_open").count()) == (2, 1)
    Breaker.objects.update(open_until=row.opened_at)
    provider.always(says("Back."))
    assert cheap(payer).complete("Hello?") == "Back."
    assert (Breaker.objects.get().failures, Breaker.objects.get().open_until) == (0, None)


def test_a_call_that_cannot_pay_leaves_the_trial_to_others(provider: Provider, payer: Payer) -> None:
    now = timezone.now()
    Breaker.objects.create(model="gpt-4o-mini", failures=5, trips=1, opened_at=now, open_until=now, changed_at=now)
    poor = Payer(chain="poor", session="poor")
    ledger.account_open(scope="session", key="poor", limits=Limits(cents=0))
    with pytest.raises(MetacognitionCostExceeded):
        cheap(poor).complete("Hello?")
    assert cheap(payer).complete("Hello?")
    assert Breaker.objects.get().failures == 0


def test_of_two_trials_one_is_made(provider: Provider, payer: Payer) -> None:
    now = timezone.now()
    Breaker.objects.create(model="gpt-4o-mini", failures=5, trips=1, opened_at=now, open_until=now, changed_at=now)
    seen = breaker_look("gpt-4o-mini")
    breaker_try(seen)
    with pytest.raises(CircuitOpen):
        breaker_try(seen)
    with pytest.raises(CircuitOpen):
        cheap(payer).complete("Hello?")
    assert provider.calls == []


def test_a_success_from_before_it_opened_does_not_close_it() -> None:
    now = timezone.now()
    Breaker.objects.create(model="m", failures=5, trips=1, opened_at=now, open_until=now, changed_at=now)
    breaker_succeeded("m", began=now - timedelta(seconds=9))
    assert Breaker.objects.get().failures == 5
    breaker_succeeded("m", began=now)
    assert Breaker.objects.get().failures == 0


def test_a_provider_that_is_busy_for_long_leaves_it_to_the_fallback(provider: Provider, payer: Payer) -> None:
    provider.always(fails(429, retry_after=60), model="o3-mini")
    provider.always(says("From the cheap one."), model="gpt-4o-mini")
    assert thinker(payer).complete("Hello?") == "From the cheap one."
    provider.always(fails(429, retry_after=0.01), model="o3-mini")
    assert thinker(payer).complete("Hello?") == "From the cheap one."
    assert [model for model, _outcome, _unverified in outcomes()] == [
        *("o3-mini", "gpt-4o-mini"),
        *("o3-mini", "o3-mini", "gpt-4o-mini"),
    ]


def test_what_a_provider_says_of_a_request_is_not_kept(provider: Provider, payer: Payer) -> None:
    provider.always(Behaviour(status=404, body=b'{"error": {"message": "bad input: SECRET WORDS"}}'))
    with pytest.raises(ProviderFailed) as raised:
        cheap(payer).complete("SECRET WORDS")
    assert "SECRET" not in str(raised.value)
    assert Breaker.objects.get().last_failure == "HTTP 404"


def test_structured_answers_fit_the_schema(provider: Provider, payer: Payer) -> None:
    provider.next(says(f"```json\n{GOOD}\n```"))
    found = thinker(payer).structured([Message(content="Judge.")], Opinion)
    assert found.value == Opinion(result="ACCEPT")
    assert found.model == "o3-mini"
    sent = provider.bodies[0]["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["required"] == ["result"]


def test_one_repair_at_most(provider: Provider, payer: Payer) -> None:
    provider.next(wrong_schema(), says(GOOD))
    assert thinker(payer).structured([Message(content="Judge.")], Opinion).value.result == "ACCEPT"
    assert len(provider.bodies[1]["messages"]) == 3
    provider.always(wrong_schema())
    with pytest.raises(SchemaNotMet):
        thinker(payer).structured([Message(content="Judge.")], Opinion)
    assert len(provider.calls) == 4


def test_a_stream_comes_in_pieces_and_is_settled_at_its_end(provider: Provider, payer: Payer) -> None:
    provider.always(says("One two three four."))
    pieces = list(cheap(payer).stream([Message(content="Count.")]))
    assert len(pieces) > 1
    assert "".join(pieces) == "One two three four."
    assert outcomes() == [("gpt-4o-mini", "answered", False)]


def test_a_stream_is_not_read_inside_a_transaction(provider: Provider, payer: Payer) -> None:
    provider.always(hangs(after=2, text="One two three four five."))
    stream = cheap(payer).stream([Message(content="Count.")])
    assert next(stream)
    with transaction.atomic(), pytest.raises(TransactionOpen):
        next(stream)
    provider.wait_gone(1)
    assert outcomes() == [("gpt-4o-mini", "cancelled", True)]


def test_a_reader_who_goes_cancels_the_request(provider: Provider, payer: Payer) -> None:
    provider.always(hangs(after=2, text="One two three four five."))
    stream = cheap(payer).stream([Message(content="Count.")])
    assert next(iter(stream))
    stream.close()  # type: ignore[attr-defined]
    provider.wait_gone(1)
    assert outcomes() == [("gpt-4o-mini", "cancelled", True)]


def test_a_cut_stream_is_charged_and_not_begun_anew(provider: Provider, payer: Payer) -> None:
    provider.always(cuts(after=2, text="One two three four five."))
    with pytest.raises(ProviderFailed):
        list(cheap(payer).stream([Message(content="Count.")]))
    assert len(provider.calls) == 1
    assert outcomes() == [("gpt-4o-mini", "cut", True)]


def test_a_stream_that_fails_before_its_first_piece_begins_anew(provider: Provider, payer: Payer) -> None:
    provider.next(fails(429, retry_after=0.01), says("Here."))
    assert "".join(cheap(payer).stream([Message(content="Hello?")])) == "Here."


def test_cancelling_cancels(provider: Provider, payer: Payer) -> None:
    provider.always(hangs())

    async def ask_and_go() -> None:
        asking = asyncio.create_task(cheap(payer).acomplete("Hello?"))
        await asyncio.to_thread(provider.wait_calls, 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await sync_to_async(connections.close_all)()

    asyncio.run(ask_and_go())
    provider.wait_gone(1)
    assert outcomes() == [("gpt-4o-mini", "cancelled", True)]


def test_everything_has_an_asynchronous_twin(provider: Provider, payer: Payer) -> None:
    provider.next(says("One."), says(GOOD), says("a b c"))

    async def ask() -> tuple[str, str, str, tuple[int, ...]]:
        async with aoperation_run("create_plan"):
            words = await cheap(payer).acomplete("Hello?")
            opinion = await cheap(payer).astructured([Message(content="Judge.")], Opinion)
        pieces = [piece async for piece in cheap(payer).astream([Message(content="Spell.")])]
        vectors = await atexts_embed(["a", "b"], payer=payer, operation="relevance_grading")
        await sync_to_async(connections.close_all)()
        return words, opinion.value.result, "".join(pieces), vectors.shape

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(project_settings, "EMBED_MODEL", "text-embedding-3-small")
        said = asyncio.run(ask())
    assert said[:3] == ("One.", "ACCEPT", "a b c")
    assert said[3][0] == 2


def test_the_charged_embedder_works_in_batches_and_asks_for_a_text_once(
    provider: Provider, payer: Payer, settings: Settings
) -> None:
    settings.EMBED_MODEL = "text-embedding-3-small"
    texts = [f"text {number % 150}" for number in range(300)]
    vectors = texts_embed(texts, payer=payer, operation="relevance_grading")
    assert len(vectors) == 300
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors[0], vectors[150])
    assert len(provider.calls) == 2
    assert budget_of("session", payer.session or "").spent_embed > 0


def test_texts_are_kept_only_where_a_setting_allows_it(provider: Provider, payer: Payer, settings: Settings) -> None:
    settings.MODEL_TEXT_LOG = True
    provider.always(says("Hello."))
    cheap(payer).complete("Good morning")
    text = CallText.objects.get()
    assert "Good morning" in (text.prompt or "")
    assert text.reply == "Hello."


def test_the_price_of_the_reservation_counts_when_it_changes_under_way(provider: Provider, payer: Payer) -> None:
    provider.always(hangs(text="Hello."))
    free = TokenPrices(input=0, cached=0, output=0, reasoning=0, embedding=0)

    def ask() -> str:
        try:
            return cheap(payer).complete("Hello?")
        finally:
            connections.close_all()

    with ThreadPoolExecutor() as threads:
        asking = threads.submit(ask)
        provider.wait_calls(1)
        price_set(tier=Tier.CHEAP, model="gpt-4o-mini", prices=free, after=1, reason="test", by=None)
        provider.release()
        assert asking.result() == "Hello."
    hold = Hold.objects.get()
    assert hold.cost is not None
    assert hold.cost > 0
    assert hold.price.version == 1
    assert price_of(Tier.CHEAP, "gpt-4o-mini").tokens.input == 0
