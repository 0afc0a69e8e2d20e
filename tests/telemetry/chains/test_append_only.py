"""The database itself refuses, whoever asks."""

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError

from telemetry.models import Chain, Event
from tests.hands import assert_never, executing
from tests.telemetry.conftest import Append


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE telemetry_event SET level = 'error'",
        "UPDATE telemetry_event SET level = 'error' WHERE false",
        "DELETE FROM telemetry_event",
        "TRUNCATE telemetry_event",
        "TRUNCATE telemetry_chain CASCADE",
        "DELETE FROM telemetry_chain",
    ],
)
def test_sql_is_refused(append: Append, statement: str) -> None:
    append()
    connection.check_constraints()  # PostgreSQL truncates nothing while a check is pending
    assert_never(executing(statement))
    assert Event.objects.get().level == "info"


@pytest.mark.parametrize("change", ["length = length - 1", "head_hash = repeat('0', 64)", "key = 'other'"])
def test_a_head_only_grows(append: Append, change: str) -> None:
    append()
    with pytest.raises(IntegrityError, match="is refused"), transaction.atomic():
        connection.cursor().execute(f"UPDATE telemetry_chain SET {change}")


@pytest.mark.parametrize(
    "change",
    [
        lambda: Event.objects.update(level="error"),
        lambda: Event.objects.get().save(),
        lambda: Event.objects.all().delete(),
        lambda: Event.objects.get().delete(),
        lambda: Chain.objects.all()._raw_delete("default"),
    ],
)
def test_the_orm_is_refused(append: Append, change: Callable[[], object]) -> None:
    append()
    assert_never(change)
    assert Event.objects.get().level == "info"


def test_a_chain_with_events_is_protected_and_an_empty_one_too(append: Append) -> None:
    append()
    with pytest.raises(ProtectedError):
        Chain.objects.get().delete()
    empty = Chain.objects.create(key="empty", head_hash="0" * 64)
    assert_never(empty.delete)


@pytest.mark.parametrize(
    ("column", "value", "constraint"),
    [
        ("seq", "0", "event_seq_from_one"),
        ("seq", "1", "event_once_per_place"),
        ("level", "'debug'", "event_level_known"),
        ("hash", "'abc'", "event_hashes_are_sha256"),
        ("chain_id", "'nobody'", "telemetry_event_chain_id"),
    ],
)
def test_rows_that_make_no_sense_are_refused(append: Append, column: str, value: str, constraint: str) -> None:
    append()
    columns = ["chain_id", "seq", "timestamp", "level", "event", "course", "mode", "data", "previous_hash", "hash"]
    values = ["2" if name == "seq" else name for name in columns]
    values[columns.index(column)] = value
    insert = f"INSERT INTO telemetry_event ({', '.join(columns)}) SELECT {', '.join(values)} FROM telemetry_event"
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
            cursor.execute(insert)
