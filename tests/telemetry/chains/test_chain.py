import json
import math
from datetime import UTC, datetime, timedelta, timezone
from enum import StrEnum
from typing import Any

import pytest

from telemetry.contracts.hashing import (
    DEPTH_LIMIT,
    canonical_json,
    data_normalise,
    event_hash,
    genesis_hash,
    timestamp_text,
)
from telemetry.errors import DataRefused
from tests.each import each

EVENT: dict[str, Any] = {
    "chain": "plan-123",
    "seq": 1,
    "timestamp": "2024-01-01T12:00:00.000000Z",
    "level": "info",
    "event": "evaluation.result",
    "course": "photosynthesis",
    "mode": "adaptive",
    "data": {"askCode": "ASK_001"},
    "previous_hash": genesis_hash("plan-123"),
}


class Op(StrEnum):
    REASK = "reask"


def test_the_hash_of_a_known_event_never_changes() -> None:
    assert genesis_hash("plan-123") == "79bad346025c82571f72d45bdff13355b2ab0612bcda531abad434e3ef05adfc"
    assert event_hash(**EVENT) == "3a0614387d16ef7232f357e9651165a3850864ca4f297b3896dc24c26775a89d"


@each(
    ("field", "other"),
    [
        ("chain", "plan-124"),
        ("seq", 2),
        ("timestamp", "2024-01-01T12:00:00.001000Z"),
        ("level", "error"),
        ("event", "evaluation.resul"),
        ("course", "photosynthesi"),
        ("mode", "deterministic"),
        ("data", {"askCode": "ASK_002"}),
        ("previous_hash", genesis_hash("plan-124")),
    ],
)
def test_every_field_changes_the_hash(field: str, other: object) -> None:
    assert event_hash(**{**EVENT, field: other}) != event_hash(**EVENT)


def test_text_cannot_move_from_one_field_to_the_next() -> None:
    moved = {**EVENT, "course": 'photosynthesis","adaptive', "mode": ""}
    assert event_hash(**moved) != event_hash(**EVENT)


def test_key_order_does_not_count() -> None:
    assert canonical_json({"b": 1, "a": {"d": 2, "c": "ñ"}}) == '{"a":{"c":"ñ","d":2},"b":1}'


def test_each_chain_begins_with_a_hash_of_its_own() -> None:
    assert genesis_hash("a") != genesis_hash("b")


def test_a_time_is_hashed_in_utc_to_the_microsecond() -> None:
    madrid = timezone(timedelta(hours=1))
    assert timestamp_text(datetime(2024, 1, 1, 13, tzinfo=madrid)) == "2024-01-01T12:00:00.000000Z"
    assert timestamp_text(datetime(2024, 1, 1, 12, 0, 0, 7, tzinfo=UTC)) == "2024-01-01T12:00:00.000007Z"


@each(
    ("given", "stored"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e16, "10000000000000000"),
        (1e23, "1" + "0" * 23),
        (0.1, "0.1"),
        (1e-7, "1e-07"),
        (True, "true"),
        ((1, 2), "[1,2]"),
        (Op.REASK, '"reask"'),
        (2**70, str(2**70)),
    ],
)
def test_values_take_the_form_that_comes_back(given: object, stored: str) -> None:
    assert canonical_json(data_normalise(given)) == stored


@each(
    ("refused", "message"),
    [
        ({"a": [0, math.nan]}, r"data\.a\[1\]: nan is no JSON value"),
        ({"a": -math.inf}, r"data\.a: -inf"),
        ({"a": "b\0"}, r"data\.a: text with a NUL"),
        ({"a": {"b\0": 1}}, r"data\.a, key 'b\\x00': text with a NUL"),
        ({"a": "\ud800"}, r"data\.a: text with half of a surrogate pair"),
        ({"a": {1: 2}}, r"data\.a: the key 1 is not text"),
        ({"a": {1}}, r"data\.a: set is no JSON value"),
        ({"a": 1 << 1024}, r"data\.a: an integer of more than 1024 bits"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_its_path(refused: object, message: str) -> None:
    with pytest.raises(DataRefused, match=message):
        data_normalise(refused)


def test_nesting_has_a_limit_however_deep_it_goes() -> None:
    def nested(depth: int) -> object:
        value: object = 1
        for _ in range(depth):
            value = [value]
        return value

    assert json.loads(canonical_json(data_normalise(nested(DEPTH_LIMIT))))
    for depth in (DEPTH_LIMIT + 1, 100_000):
        with pytest.raises(DataRefused, match="nested deeper than 32 levels"):
            data_normalise(nested(depth))
