"""The place of every value in a JSON text, held to what json itself reads there."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_engine.lesson_file.json_places import Key, duplicate_of, literal_at, path_written, places_of
from tests.each import each

NAMES = st.one_of(
    st.sampled_from(["a", "b", "steps", "a.b", "a b", 'quo"te', "", "[0]", "ñ", "\\", "\x00", "x" * 70, "1"]), st.text()
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=20,
)
LAYOUTS = st.sampled_from(
    [
        {},
        {"indent": 2},
        {"indent": "\t", "ensure_ascii": False},
        {"separators": (",", ":")},
        {"separators": (" ,\r\n ", "\t: ")},
    ]
)
MANY = 10_000


def paths(value: Any, path: tuple[Key, ...] = ()) -> Iterator[tuple[tuple[Key, ...], Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(child, (*path, key))


@given(VALUES, LAYOUTS)
def test_every_value_stands_where_it_is_said_to(value: Any, layout: dict[str, Any]) -> None:
    text = json.dumps(value, **layout)
    known = [(path_written(path), path, found) for path, found in paths(value)]
    # Of names that are the same once they are shortened the first is meant.
    unique = [one for one in known if [written for written, _, _ in known].count(one[0]) == 1]
    places = places_of(text, [written for written, _, _ in unique], most=MANY)
    for written, path, found in unique:
        place = places[written]
        assert json.loads(text[place.value : place.end]) == found
        assert place.start <= place.value
        if path and isinstance(path[-1], str):
            name, rest = json.JSONDecoder().raw_decode(text, place.start)
            assert name == path[-1]
            assert text[rest : place.value].strip() == ":"


TEXT = '{\n  "meta": {"title": "Light"},\n  "moments": [{"steps": [{"code": "a"}, {"code": "b"}]}]\n}'


@each(
    ("path", "stands"),
    [
        ("$", TEXT),
        ("meta", '"meta": {"title": "Light"}'),
        ("meta.slug", '"meta": {"title": "Light"}'),
        ("meta.title", '"title": "Light"'),
        ("moments[0].steps[1].code", '"code": "b"'),
        ("moments[0].steps[1].answer.accepted[3]", '{"code": "b"}'),
        ("moments[7]", '"moments": [{"steps": [{"code": "a"}, {"code": "b"}]}]'),
        ("nowhere.at.all", TEXT),
        ('["cut short...]', TEXT),
    ],
)
def test_what_is_missing_is_placed_where_it_belongs(path: str, stands: str) -> None:
    place = places_of(TEXT, [path], most=MANY)[path]
    assert TEXT[place.start : place.end] == stands


def test_no_more_values_are_looked_at_than_allowed() -> None:
    text = json.dumps([[n] for n in range(1_000)])
    place = places_of(text, ["[999][0]"], most=10)["[999][0]"]
    assert (place.start, place.end) == (0, 0)


@pytest.mark.parametrize(
    ("text", "path", "name", "offset"),
    [
        ('{"a": 1, "a": 2}', "$", "a", 9),
        ('{"a": {"b": 1, "c": {}, "b": 2}, "a": 0}', "a", "b", 24),
        ('{"x": [{"a": 1}, {"a": 1, "\\u0061": 2}]}', "x[1]", "a", 26),
        ('{"a": 1, "b": {"a": 1}, "a": {"c": 1, "c"', "$", "a", 24),
    ],
)
def test_a_name_that_stands_twice_is_found(text: str, path: str, name: str, offset: int) -> None:
    assert duplicate_of(text) == (path, name, offset)


def test_without_such_a_name_there_is_nothing_to_find() -> None:
    with pytest.raises(LookupError):
        duplicate_of(TEXT)


def test_a_literal_is_found_outside_of_texts() -> None:
    text = '{"NaN": "NaN, -Infinity", "x": [NaN]}'
    assert literal_at(text, "NaN") == text.index("[NaN") + 1
    assert literal_at(text, "-Infinity") is None
