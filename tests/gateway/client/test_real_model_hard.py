"""A real language model behind the door. It is weak: it may say anything, and the schema holds or an error comes.

Whatever it says, the ledger has what llama.cpp's server counted, token by token.
"""

import uuid
from collections.abc import Callable, Iterator
from typing import Literal

import pytest
from django.core.management import call_command
from django.db.models import Sum
from pydantic import BaseModel, Field
from pytest_django import Settings

from accounts.models import User
from gateway import ledger
from gateway.client import Message, Model
from gateway.contracts import Limits, Payer, Tier, TokenPrices
from gateway.errors import ProviderFailed, SchemaNotMet
from gateway.models import Account, Hold
from gateway.selectors import budget_of
from gateway.services import price_set
from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.models import LessonVersion, Mode, Session, Turn
from lesson_engine.services import turns
from telemetry.contracts import EventName
from telemetry.models import Event
from tests.conftest import LessonMaker
from tests.lesson_engine.services.conftest import fresh, start  # noqa: F401 - a fixture
from tests.provider.real_model import MODEL, Counted, RealModel, real_model

pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]

PATIENCE_MS = 300_000
# What each kind of token costs, in micro-cents a token: whole, so that nothing is rounded, and different.
PROMPT, CACHED, WRITTEN = 3, 1, 5
PRICES = TokenPrices(
    input=PROMPT * 1000, cached=CACHED * 1000, output=WRITTEN * 1000, reasoning=WRITTEN * 1000, embedding=0
)
IN_DOUBT = "Plants make sugar"


class Opinion(BaseModel):
    """Short, so that it fits."""

    verdict: Literal["ACCEPT", "PARTIAL", "REJECT"]
    sure: bool


class Essay(BaseModel):
    """Longer than what it may take."""

    text: str = Field(min_length=400)


@pytest.fixture(scope="module")
def running() -> Iterator[RealModel]:
    with real_model() as model:
        yield model


@pytest.fixture
def counted(running: RealModel, settings: Settings) -> Callable[[], Counted]:
    """The settings of somebody who has this model alone; what the server counted since the test began."""
    settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.MODELS_CONFIGURED = running.url, "", True
    settings.CHEAP_MODEL = settings.THINKER_MODEL = MODEL
    for tier in (Tier.CHEAP, Tier.THINKER):
        price_set(tier=tier, model=MODEL, prices=PRICES, after=0, reason="the tests' own", by=None)
    before = running.counted()
    return lambda: running.counted() - before


@pytest.fixture
def payer(learner: User) -> Payer:
    session = str(uuid.uuid4())
    ledger.account_open(scope="session", key=session, limits=Limits(cents=100, escalations=5))
    return Payer(chain=session, session=session, user_id=learner.pk)


def model(payer: Payer, tier: Tier = Tier.CHEAP, *, max_tokens: int = 24) -> Model:
    return Model(tier, payer=payer, operation="decompose_task", max_tokens=max_tokens, timeout_ms=PATIENCE_MS)


def assert_ledger_equals(counted: Counted, session: str) -> None:
    """The same tokens of each kind, and the session paid for exactly these."""
    held = Hold.objects.aggregate(*map(Sum, ("input_tokens", "cached_tokens", "output_tokens")))
    cached = held["cached_tokens__sum"]
    assert Counted(held["input_tokens__sum"] - cached, cached, held["output_tokens__sum"]) == counted
    cost = counted.prompt * PROMPT + counted.cached * CACHED + counted.written * WRITTEN
    assert budget_of("session", session).spent == cost
    assert not Hold.objects.exclude(state=Hold.State.SETTLED).exists()
    assert not Hold.objects.filter(unverified=True).exists()
    assert_books_clean()


def assert_books_clean() -> None:
    assert not Account.objects.exclude(held=0).exists()
    call_command("ledger_check")
    call_command("audit_verify")


def test_a_plain_answer_costs_what_the_server_counted(counted: Callable[[], Counted], payer: Payer) -> None:
    reply = model(payer).reply([Message(role="system", content="Be brief."), Message(content="What is light?")])
    assert reply.text
    assert reply.model == MODEL
    assert counted().written > 0
    assert_ledger_equals(counted(), payer.chain)


def test_what_the_server_had_read_before_is_charged_as_cached(counted: Callable[[], Counted], payer: Payer) -> None:
    asked = "What do plants make of light, water and carbon dioxide, and what do they need it for? " * 4
    for _ in range(2):
        model(payer, max_tokens=4).complete(asked)
    assert counted().cached > 40
    assert_ledger_equals(counted(), payer.chain)


def test_a_stream_comes_in_pieces_and_costs_what_the_server_counted(
    counted: Callable[[], Counted], payer: Payer
) -> None:
    pieces = list(model(payer).stream([Message(content="Plants make sugar with light. Go on:")]))
    assert len(pieces) > 1
    assert "".join(pieces).strip()
    assert_ledger_equals(counted(), payer.chain)


@pytest.mark.parametrize(
    "said",
    [
        "Is this right? Plants eat soil.",
        "Say nothing but the word banana. No JSON.",
        '{"verdict": "MAYBE", "sure": "who knows"}',
        "¿Está bien? Las plantas fabrican azúcar con la luz. 🌱",
    ],
)
def test_the_schema_holds_or_an_error_comes(counted: Callable[[], Counted], payer: Payer, said: str) -> None:
    try:
        answer = model(payer, Tier.THINKER, max_tokens=60).structured([Message(content=said)], Opinion)
    except ProviderFailed:
        assert Hold.objects.count() > 1  # it was asked again before anybody gave up
    else:
        assert isinstance(answer.value, Opinion)
        assert [one.hold for one in answer.settled] == [str(pk) for pk in _holds()]
    assert_ledger_equals(counted(), payer.chain)


def test_an_answer_that_cannot_fit_is_refused_after_one_repair_and_both_are_charged(
    counted: Callable[[], Counted], payer: Payer
) -> None:
    with pytest.raises(SchemaNotMet):
        model(payer, Tier.THINKER, max_tokens=8).structured([Message(content="Tell me of light.")], Essay)
    assert Hold.objects.count() == 2
    assert counted().written == 16
    assert_ledger_equals(counted(), payer.chain)


def test_who_goes_early_pays_the_worst_case_and_never_less_than_was_counted(
    counted: Callable[[], Counted], running: RealModel, payer: Payer
) -> None:
    stream = model(payer, max_tokens=200).stream([Message(content="Count to a thousand: 1, 2, 3,")])
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    hold = Hold.objects.get()
    assert (hold.state, hold.outcome, hold.unverified) == ("settled", "cancelled", True)
    assert hold.cost == hold.amount == budget_of("session", payer.chain).spent
    assert_books_clean()
    model(payer, max_tokens=1).complete("Hello?")  # the server is free again, and has counted what it did
    total = counted()
    assert total.written < 200  # it stopped when its reader had gone
    done = total.prompt * PROMPT + total.cached * CACHED + total.written * WRITTEN
    assert done <= budget_of("session", payer.chain).spent


def test_a_learner_in_doubt_is_judged_by_rules_and_model_and_the_ledger_is_exact(
    counted: Callable[[], Counted],
    make_lesson: LessonMaker,
    start: Callable[[LessonVersion], Session],  # noqa: F811
) -> None:
    session = start(make_lesson())
    turns.session_set_mode(session=session, mode=Mode.ADAPTIVE, key=uuid.uuid4().hex)
    session = fresh(session)
    turns.session_answer(session=session, version=session.version, key=uuid.uuid4().hex, reply=Reply(text=IN_DOUBT))
    turn = Turn.objects.get(session=session, kind=Turn.Kind.ANSWER)
    told = Event.objects.get(chain_id=str(session.pk), event=EventName.ESCALATION_TRIGGERED).data
    assert turn.result in {one.value for one in VerdictResult}
    assert told["asked"] is True
    assert (told["resultAfter"] == told["resultBefore"]) or told["outcome"] == "moved"
    assert Hold.objects.filter(escalation=True).count() == 1
    if told["outcome"] == "timed_out":  # a slow machine; then the rules judged, and nothing is lost
        assert Hold.objects.get().unverified
        assert_books_clean()
    else:
        assert told["costMicrocents"] == budget_of("session", str(session.pk)).spent
        assert_ledger_equals(counted(), str(session.pk))


def _holds() -> list[uuid.UUID]:
    return list(Hold.objects.order_by("reserved_at").values_list("pk", flat=True))
