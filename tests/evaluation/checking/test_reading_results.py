"""Results of any shape: nothing in them is run, used up or able to do harm."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from pydantic import BaseModel

from evaluation.checking.check import criterion_check
from evaluation.checking.results import result_json
from evaluation.checking.walk import DEPTH, LEAVES, result_read
from planning.contracts import SuccessCriterion
from tests.each import each

CRITERIA = [
    SuccessCriterion(text=text)
    for text in ("Price <= 200", "Hotel has pool", "User confirms", "No advanced-only resorts", "At least 3 hotels")
]
PRICE = CRITERIA[0]


class Plain:
    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)


@dataclass(slots=True)
class Slotted:
    price: int


class Named(NamedTuple):
    price: int


class Model(BaseModel):
    price: int


class Lazy:
    asked: list[str] = []

    @property
    def price(self) -> int:
        return 150

    @property
    def pool(self) -> bool:
        raise RuntimeError


class OfClass:
    price = 150


class Level(Enum):
    PRICE = 150


class Stream:
    """Something that never ends when it is gone through, and has a price."""

    def __init__(self, price: int) -> None:
        self.price = price

    def __iter__(self) -> "Stream":
        return self

    def __next__(self) -> int:
        raise AssertionError("nothing of it is used up")


@each(
    "result",
    [
        {"price": 150},
        Plain(price=150),
        SimpleNamespace(hotel=Plain(price=150)),
        Slotted(150),
        Named(150),
        Model(price=150),
        Lazy(),
        OfClass(),
        [{"price": 150}],
        ({"hotel": {"price": Decimal("150.00")}},),
        {"price": np.int64(150)},
        {"price": np.float32(150)},
        {"price": np.array([150])},
        {"price": Level.PRICE},
        {"hotel": {"price": {"amount": "150"}}},
        '{"hotel": {"price": 150}}',
        b'{"price": 150}',
        {b"other": 1, 3: 4, "price": 150, None: 5},
    ],
)
def test_a_price_is_found_in_any_shape(result: object) -> None:
    assert criterion_check(PRICE, result).met is True


def test_paths_say_where_a_value_stands() -> None:
    nodes = {node.path: node.value for node in result_read({"hotels": [{"price": 1}], "tags": ["a"]}).nodes}
    assert nodes["hotels[0].price"] == 1
    assert nodes["tags[0]"] == "a"


def test_days_and_enums_are_values() -> None:
    before = SuccessCriterion(text="Check-in before 2026-12-20")
    assert criterion_check(before, {"check_in": date(2026, 12, 15)}).met is True
    found = criterion_check(before, {"check_in": datetime(2026, 12, 22, 15, 0)})  # noqa: DTZ001
    assert (found.met, found.actual) == (False, "2026-12-22T15:00:00")

    class Status(Enum):
        APPROVED = 3

    assert criterion_check(SuccessCriterion(text="Status is approved"), {"status": Status.APPROVED}).met is True


class Raising:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class Endless:
    @property
    def price(self) -> "Endless":
        return Endless()

    @property
    def more(self) -> "Endless":
        return Endless()


class BadKey:
    def __str__(self) -> str:
        raise ValueError

    def __hash__(self) -> int:
        return 1


class BadMapping(dict[str, Any]):
    def __iter__(self) -> Any:
        raise SystemError


def hostile() -> Iterator[object]:
    cycle: dict[str, Any] = {"a": []}
    cycle["a"].append(cycle)
    deep: dict[str, Any] = {}
    at = deep
    for _ in range(5_000):
        at["k"] = at = {}
    yield from (
        None,
        "",
        b"\xff",
        object(),
        int,
        len,
        cycle,
        deep,
        Raising(),
        {"price": Raising()},
        Endless(),
        BadMapping(a=1),
    )
    yield from ({BadKey(): 1}, {"price": 10**5_000}, {"\ud800": "\ud800"}, [[]] * 20_000, {"x" * 50_000: 1})
    yield from ("pool " * 100_000, {"text": "no pool " * 50_000}, {"user_feedback": "not " * 50_000 + "confirmed"})
    yield from ({f"key {n}": n for n in range(20_000)}, {"price": "9" * 50_000}, [{"price": n} for n in range(20_000)])
    yield {"hotel": {"amenities": [f"thing {n}" for n in range(20_000)]}}


@pytest.mark.hard
def test_hostile_results_do_no_harm() -> None:
    for result in hostile():
        reading = result_read(result)
        assert len(reading.nodes) <= LEAVES
        assert all(len(node.names) <= DEPTH + 1 for node in reading.nodes)
        for criterion in CRITERIA:
            found = criterion_check(criterion, reading)
            assert found.checked_by == "grammar", (type(result), found)
            found.model_dump_json()


def test_generators_are_not_used_up() -> None:
    values = iter([1, 2, 3])
    result = {"price": values, "hotels": (n for n in range(3))}
    assert criterion_check(PRICE, result).met is None
    assert next(values) == 1


def test_what_lies_beyond_the_bounds_is_told() -> None:
    assert result_read(list(range(LEAVES * 2))).cut
    assert not result_read([1, 2]).cut


def test_objects_are_stored_as_they_are_read() -> None:
    assert [result_json(one) for one in (Slotted(150), Lazy(), OfClass(), Stream(150))] == [
        {"price": 150},
        {"price": 150, "pool": None},
        {"price": 150},
        {"price": 150},
    ]
    assert criterion_check(PRICE, Stream(150)).met is True


def test_of_a_dataclass_its_fields_are_stored_and_no_property_is_called() -> None:
    @dataclass
    class Stay:
        price: int
        _room: str

        @property
        def rating(self) -> int:
            raise AssertionError("called")

    assert result_json(Stay(150, "101")) == {"price": 150, "_room": "101"}
