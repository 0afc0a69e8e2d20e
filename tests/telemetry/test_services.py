from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from telemetry.chains.verification import chains_verify
from telemetry.contracts import EventDraft, EventLevel
from telemetry.contracts.hashing import event_hash, genesis_hash, timestamp_text
from telemetry.errors import TransactionRequired
from telemetry.models import Chain, Event
from telemetry.selectors import events_of, records_in_blocks
from telemetry.services import events_append
from tests.telemetry.conftest import NOON, Append, drafts_of

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
NUMBERS = st.integers(-(2**1000), 2**1000) | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def test_events_follow_from_each_other_and_from_the_key(append: Append) -> None:
    append(count=2)
    append(count=1)
    events = list(events_of("plan-123"))
    previous = genesis_hash("plan-123")
    for seq, event in enumerate(events, start=1):
        assert (event.seq, event.previous_hash) == (seq, previous)
        previous = event_hash(
            chain="plan-123",
            seq=seq,
            timestamp=timestamp_text(event.timestamp),
            level="info",
            event="evaluation.result",
            course="photosynthesis",
            mode="adaptive",
            data=event.data,
            previous_hash=previous,
        )
        assert event.hash == previous
    chain = Chain.objects.get()
    assert (chain.key, chain.course, chain.length, chain.head_hash) == ("plan-123", "photosynthesis", 3, previous)


def test_records_are_what_is_read_back(append: Append) -> None:
    written = append(
        drafts=[EventDraft(event="budget.usage", level=EventLevel.WARNING, data={"cents": 1.0, "ñ": [None]})]
    )
    assert list(records_in_blocks(events_of("plan-123"))) == [written]
    assert written[0].seq == 1


def test_ids_follow_the_order_of_the_drafts(append: Append) -> None:
    append(count=30)
    assert list(Event.objects.order_by("id").values_list("seq", flat=True)) == list(range(1, 31))


def test_a_turn_costs_two_statements_however_many_events(append: Append, django_assert_num_queries: Any) -> None:
    append()
    for count in (1, 40):
        with transaction.atomic(), django_assert_num_queries(2):
            events_append(chain="plan-123", course="c", mode="adaptive", drafts=drafts_of(count))


def test_the_first_turn_costs_four(db: None, django_assert_num_queries: Any) -> None:
    with transaction.atomic(), django_assert_num_queries(4):
        events_append(chain="new", course="c", mode="adaptive", drafts=drafts_of(1))


def test_no_drafts_touch_nothing(db: None, django_assert_num_queries: Any) -> None:
    with transaction.atomic(), django_assert_num_queries(0):
        assert events_append(chain="new", course="c", mode="adaptive", drafts=[]) == []
    assert not Chain.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_appended() -> None:
    with pytest.raises(TransactionRequired, match="inside the transaction"):
        events_append(chain="plan-123", course="c", mode="adaptive", drafts=drafts_of(1))
    assert not Chain.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_the_caller_rolls_back_leaves_no_event() -> None:
    with transaction.atomic():
        events_append(chain="plan-123", course="c", mode="adaptive", drafts=drafts_of(1))
        transaction.set_rollback(True)
    assert not Chain.objects.exists()
    assert not connection.in_atomic_block


def test_times_are_cut_to_the_millisecond_and_need_a_zone(append: Append) -> None:
    madrid = datetime(2024, 1, 1, 13, 0, 0, 250_999, tzinfo=timezone(timedelta(hours=1)))
    assert append(now=madrid)[0].timestamp == datetime(2024, 1, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    assert Event.objects.get().timestamp == datetime(2024, 1, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    with pytest.raises(ValueError, match="time zone"):
        append(now=NOON.replace(tzinfo=None))


@given(value=JSON)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_json_comes_back_with_the_same_hash(append: Append, value: object) -> None:
    draft = EventDraft(event="budget.usage", data={"value": value})
    [record] = append(chain="any", drafts=[draft])
    event = Event.objects.get(chain_id="any", seq=record.seq)
    assert event.data == draft.data
    assert EventDraft(event="budget.usage", data=event.data) == draft
    with transaction.atomic():
        assert [check.fault for check in chains_verify(["any"])] == [None]
