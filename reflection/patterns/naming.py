"""Criteria by names that do not depend on the language: "calidad >= 7" and "quality >= 7" are the same."""

import hashlib
import re
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from language.fold import fold, visible
from language.word_lists import json_file
from planning.criteria import CriterionKind, CriterionParse, ValueType, criterion_parse
from planning.experience import field_key
from planning.understanding.known import canonical_of

FEATURE_LENGTH: Final = 120
_DATA: Final = Path(__file__).parent / "data"
_TEXT: Final = 500
_MARK: Final = 8
_OPERATOR: Final = re.compile(r" (?:>=|<=|==|!=|>|<) ")
_KIND: Final = re.compile("[:=]")
_VALUE: Final = re.compile(r" (?:>=|<=|==|!=|>|<|between|in|not in) ")
_UNIT: Final = re.compile(r"\d( [^\W\d]\S*)$")


class Named(NamedTuple):
    """A criterion: its normal form, the key of the field that it is of, and which verdict of a person it asks for.

    `field` is empty where the grammar does not understand the criterion, and where a field says nothing ("no smoking").
    """

    normal: str
    field: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class Names:
    """`names.json`: the names of fields and things by key and language, and the kinds of verdicts.

    `known` are fields and things; `keys` are theirs by each of their names without accents, one and many.
    """

    known: dict[str, dict[str, str]]
    things: frozenset[str]
    verdicts: dict[str, str]
    keys: dict[str, str]


@cache
def names() -> Names:
    """The lists, read once."""
    read: dict[str, Any] = json_file(_DATA / "names.json")
    verdicts = {word: kind for kind, words in read["verdicts"].items() for word in words}
    known: dict[str, dict[str, str]] = {**read["fields"], **read["things"]}
    keys: dict[str, str] = {}
    for key, name in known.items():
        for word in (key.replace("_", " "), name["en"], name["es"].partition(" ")[2]):
            plain = _plain(word)
            for form in (plain, f"{plain}s", f"{plain}es", plain.removesuffix("s"), plain.removesuffix("es")):
                keys.setdefault(form, key)
    return Names(known=known, things=frozenset(read["things"]), verdicts=verdicts, keys=keys)


def named(text: str, parse: CriterionParse | None = None) -> Named:
    """The criterion by its names; as written where the grammar does not understand it. `parse`: its parse, if known."""
    return _named(parse.model_dump_json(), text) if parse is not None else read(text)


@lru_cache(4_096)
def read(text: str) -> Named:
    """The same for a criterion of which only the text is known."""
    parse = criterion_parse(text[:_TEXT]) if text.strip() else None
    return _of(parse) if parse is not None else Named(_plain(text))


@lru_cache(4_096)
def key_of(name: str) -> str:
    """The key of a field or thing by its name in either language ("calidad" is quality, "piscina" pool); the name as it
    is written where no list has it.
    """
    words = visible(name.replace("_", " ")).casefold()
    key = names().keys.get(_plain(words)) or field_key(words)
    if key in names().known:
        return key
    listed = [word for word in canonical_of(words) if word in names().known] if " " not in words else []
    return listed[0] if len(listed) == 1 else words.replace(" ", "_")


@lru_cache(4_096)
def kind_of(feature: str) -> str:
    """The kind of a feature: "priority" of "priority=price", "fails" of "fails:quality >= 7"."""
    return _KIND.split(feature, maxsplit=1)[0]


def value_of(feature: str) -> str:
    """The value of a feature: "price" of "priority=price"; empty for "rejected"."""
    return feature[len(kind_of(feature)) + 1 :]


@lru_cache(4_096)
def field_of(feature: str) -> str:
    """The field of a feature: "quality" of "meets:quality >= 7"."""
    value = value_of(feature)
    at = _VALUE.search(value)
    return (value[: at.start()] if at else value).replace(" ", "_")


def feature(kind: str, value: str, sign: str = ":") -> str:
    """A feature, at most 120 characters: of what is longer, the beginning and a mark of its own."""
    text = visible(f"{kind}{sign}{value}")
    if len(text) <= FEATURE_LENGTH:
        return text
    mark = hashlib.sha256(text.encode()).hexdigest()[:_MARK]
    return f"{text[: FEATURE_LENGTH - _MARK - 1]}~{mark}"


@lru_cache(4_096)
def _named(parse: str, text: str) -> Named:
    return _of(CriterionParse.model_validate_json(parse)) if parse else read(text)


def _of(parse: CriterionParse) -> Named:
    key = key_of(parse.field)
    name = key.replace("_", " ")
    match parse.kind:
        case CriterionKind.VERDICT:
            verdict = names().verdicts.get(parse.field.casefold(), "")
            return Named(verdict or name, "", verdict or name)
        case CriterionKind.PRESENCE:
            things = _things(parse)
            return Named(things or name, things.replace(" ", "_") or key)
        case CriterionKind.ABSENCE:
            return Named(f"no {_things(parse) or name}")
        case CriterionKind.RANGE:
            unit = _UNIT.search(parse.normal)
            ends = f"{_value(parse, parse.low)} and {_value(parse, parse.high)}"
            return Named(f"{name} between {ends}{unit[1] if unit else ''}", key)
        case CriterionKind.MEMBERSHIP:
            options = ", ".join(sorted(option.casefold() for option in parse.options))
            return Named(f"{name} {parse.operator.value} {{{options}}}", key)
    value = _value(parse, parse.value)
    if parse.value_type != ValueType.PERCENT and (operator := _OPERATOR.search(parse.normal)):
        value = parse.normal[operator.end() :]
    return Named(f"{name} {parse.operator.value} {value}", key)


def _things(parse: CriterionParse) -> str:
    return " or ".join(sorted(key_of(option).replace("_", " ") for option in parse.options))


def _value(parse: CriterionParse, value: object) -> str:
    if parse.value_type == ValueType.PERCENT and isinstance(value, int | float):
        return f"{value * 100:.4f}".rstrip("0").rstrip(".") + " %"
    if isinstance(value, float):
        return f"{value:.6f}".rstrip("0").rstrip(".")
    return str(value)


def _plain(text: str) -> str:
    """Folded words with single spaces: two spellings of the same are equal."""
    return fold(visible(text[:_TEXT]))
