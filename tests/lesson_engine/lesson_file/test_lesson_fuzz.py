"""Arbitrary and mutated files: reading them never raises anything but LessonRefused."""

import copy
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lesson_engine.errors import LessonRefused
from lesson_engine.grading import warm_up
from lesson_engine.lesson_file.lesson import lesson_read
from tests.lesson_engine.lesson_file.build import ask, item_step, lesson, text_step
from tests.lesson_engine.lesson_file.test_lesson_bytes import DEMO

NAMES = ["format", "meta", "moments", "steps", "type", "kind", "answer", "accepted", "code", "value", "choices", "goto"]
VALUES = ["andamio.lesson/1", "ASK", "CONTENT", "open", "numeric", "choice", "a1", "", "\ud800", "\x00", "1/3", "1e99"]
text = st.text() | st.sampled_from(VALUES)
scalars = st.none() | st.booleans() | st.integers() | st.integers(10**20, 10**120) | st.floats() | text
trees = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES) | st.text(), inner, max_size=4),
    max_leaves=20,
)
warm_up()  # once: hypothesis takes the time of each example
DEMO_VALUE = json.loads(DEMO.read_bytes())
WHOLE = lesson(
    [text_step(), ask("a1", hints=["h"], skills=["gases"], micro_steps=[{"code": "m", "body": "b"}])],
    [item_step(), ask("b1", answer={"kind": "numeric", "value": 3, "tolerance": 0.5, "unit": "kg"})],
    [
        ask(
            "c1",
            answer={
                "kind": "choice",
                "choices": [{"code": "x", "text": "X", "correct": True}, {"code": "y", "text": "Y"}],
            },
        )
    ],
    [
        ask("d1", answer={"kind": "list", "items": [["a", "b"]]}),
        ask("d2", answer={"kind": "procedure", "steps": [["a"], ["b"]]}),
    ],
)


def survives(source: bytes) -> None:
    with suppress(LessonRefused):
        lesson_read(source)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container in the tree with each of its keys."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@given(st.binary(max_size=200))
def test_any_bytes(source: bytes) -> None:
    survives(source)


@given(trees)
def test_any_json(value: object) -> None:
    survives(json.dumps(value).encode())


@given(trees, trees)
def test_any_json_where_a_lesson_has_its_parts(meta: object, steps: object) -> None:
    value = lesson(meta=meta)
    value["moments"][0]["steps"] = [value["moments"][0]["steps"][0], steps]
    survives(json.dumps(value).encode())


@settings(max_examples=30)
@given(st.data())
@pytest.mark.parametrize("whole", [WHOLE, DEMO_VALUE], ids=["small", "demo"])
def test_a_mutated_lesson(whole: dict[str, Any], data: st.DataObject) -> None:
    value = copy.deepcopy(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        found = places(value)
        container, key = found[data.draw(st.integers(0, len(found) - 1))]
        match data.draw(st.sampled_from(["replace", "remove", "add", "swap"])):
            case "replace":
                container[key] = data.draw(trees)
            case "remove":
                del container[key]
            case "add" if isinstance(container, dict):
                container[data.draw(st.sampled_from(NAMES) | st.text())] = data.draw(trees)
            case _:
                other, place = found[data.draw(st.integers(0, len(found) - 1))]
                container[key] = (
                    copy.deepcopy(other[place])
                    if place in other or (isinstance(other, list) and place < len(other))
                    else 0
                )
        if not places(value):
            break
    survives(json.dumps(value).encode())


@given(st.integers(0, 10**6), st.binary(max_size=8))
def test_a_damaged_file(at: int, patch: bytes) -> None:
    source = json.dumps(WHOLE).encode()
    at %= len(source)
    survives(source[:at] + patch + source[at + 3 :])
    survives(source[:at])
