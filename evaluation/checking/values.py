"""Values of results as they are told, and as amounts: with the unit or currency that they or their keys say."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final

from planning.criteria import Amount, CriterionParse, ValueType, amount_read

from .lexicon import names, words
from .naming import name_read
from .plain import Opaque
from .walk import Group, Listing, Node
from .words import name_stems, plain_text

MOMENTS: Final = (ValueType.DATE, ValueType.TIME)
_SIGNS_OF_NOTHING: Final = " -–—.…?*_/~,;:()[]<>"
_SHOWN: Final = 200
_STAR: Final = frozenset({"star", "estrella"})
_THOUSANDS: Final = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.,])")
_REST: Final = re.compile(r"\d[\d.,]*|[(),;]")
_STARS: Final = 5
"""What stars are out of."""


def json_value(node: Node) -> Any:
    """The value as it is stored and told: JSON, and not long."""
    value = node.value
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, str):
        return value if len(value) <= _SHOWN else f"{value[: _SHOWN - 1]}…"
    if isinstance(value, Listing):
        return value.size if not value.texts else [text[:_SHOWN] for text in value.texts[:20]]
    return value.size if isinstance(value, Group) else None if isinstance(value, Opaque) else value


def is_missing(value: object, *, soft: bool = True) -> bool:
    """Whether a value says nothing: null, empty, a placeholder. `soft`: words that may be a state count ("pending")."""
    if value is None:
        return True
    if not isinstance(value, str):
        return isinstance(value, (Listing, Group)) and not value.size
    text = plain_text(value[:60]).strip(" \t\r\n*_")
    if not text.strip(_SIGNS_OF_NOTHING):
        return True
    bare = text.strip(".!:;()[]<> ")
    return (text in words().placeholders or bare in words().placeholders) and (
        soft or bare not in words().may_be_states
    )


def says_unit(node: Node, parse: CriterionParse) -> bool:
    amount = amount_of(node, parse)
    return amount is not None and bool(amount.unit or amount.currency)


def amount_of(node: Node, parse: CriterionParse) -> Amount | None:
    """The value as an amount; None for what is none: yes and no, words, containers."""
    value = node.value
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return _with_names(Amount(value=value), node)
    if isinstance(value, datetime):
        return Amount(value=value.strftime("%Y-%m-%dT%H:%M"), value_type=ValueType.DATE)
    if isinstance(value, date):
        return Amount(value=value.isoformat(), value_type=ValueType.DATE)
    if isinstance(value, time):
        return Amount(value=value.strftime("%H:%M"), value_type=ValueType.TIME)
    if isinstance(value, timedelta):
        return Amount(value=value.total_seconds(), unit="second")
    read = _read(_grouped(value[:_SHOWN], node, parse), parse.language) if isinstance(value, str) else None
    return _with_names(read, node) if read else None


@lru_cache(8_192)  # of every text of a result, for as many criteria as there are
def _read(text: str, language: str) -> Amount | None:
    """In the criterion's language, else in the other: a criterion and the data need not share one."""
    for code in (language, "es" if language == "en" else "en"):
        amount = amount_read(text, code)
        if amount is not None and amount.value_type not in (ValueType.TEXT, ValueType.BOOLEAN):
            return _with_more(amount, text)
    return None


def _with_more(amount: Amount, text: str) -> Amount:
    """An amount to which something comes ("150 + taxes", "150 plus IVA") is the least that it may be."""
    if amount.value is None or amount.value_type in MOMENTS or not isinstance(amount.value, (int, float)):
        return amount
    end = " ".join(_REST.split(plain_text(text))[-1].split())
    padded = f" {end} "
    return (
        _changed(amount, low=amount.value, value=None)
        if any(f" {phrase} " in padded for phrase in words().more)
        else amount
    )


def is_strict(value: object) -> bool:
    """Whether a bound is written that leaves its own end out: "over 200", "< 5"."""
    if not isinstance(value, str):
        return False
    text = plain_text(value[:40]).strip()
    if text.startswith((">", "<")):
        return text[1:2] != "="
    return any(text.startswith(f"{word} ") for word in words().strict)


def _grouped(text: str, node: Node, parse: CriterionParse) -> str:
    """The text without points between thousands: no price has thousandths, so "1.200" of one is 1200."""
    if not (parse.currency or _is_price(node.name)):
        return text
    return _THOUSANDS.sub(lambda number: number[0].replace(".", ""), text)


def _is_price(name: str) -> bool:
    groups_of, price = names().groups_of, {group for group, _ in names().groups_of.get(("pric",), ())}
    key = name_read(name)
    return any(group in price for piece in (key.stems, *key.phrases) for group, _ in groups_of.get(piece, ()))


def _with_names(amount: Amount, node: Node) -> Amount:
    """An amount with what the key says of it ("price_usd"), or another key of the same parent ("currency": "EUR")."""
    if amount.value_type in MOMENTS or amount.unit or amount.currency or amount.value_type is ValueType.PERCENT:
        return amount
    if _STAR.intersection(name_read(node.name).stems) and amount.scale is None:
        return _changed(amount, scale=_STARS)
    # A key that says nothing by itself has the unit of the key above: "distance_km": {"value": 4}.
    is_generic = name_read(node.name).stems in words().generic
    units = [name_read(name).unit for name in reversed(node.names[-2:]) if name == node.name or is_generic]
    unit = next(filter(None, units), "") or _unit_of_siblings(node.siblings)
    if unit == "%":
        return _changed(amount, value_type=ValueType.PERCENT)
    if len(unit) == 3 and unit.isupper():
        return _changed(amount, currency=unit, value_type=ValueType.MONEY)
    return _changed(amount, unit=unit) if unit else amount


def _unit_of_siblings(siblings: Mapping[str, str]) -> str:
    for key, value in siblings.items():
        stems = name_stems(key)
        if stems in words().currency_keys or stems[-1:] in words().currency_keys:
            return _currency(value.strip())
        if stems in words().unit_keys:
            return _unit(value.strip())
    return ""


def _currency(text: str) -> str:
    if len(text) == 3 and text.isalpha():
        return text.upper()
    read = amount_read(f"1 {text[:20]}")
    return (read.currency if read else None) or ""


def _unit(text: str) -> str:
    unit = "%" if text == "%" else words().units.get(plain_text(text))
    read = None if unit else amount_read(f"1 {text[:20]}")
    return unit or (read.unit if read else None) or ""


def _changed(amount: Amount, **changes: Any) -> Amount:
    return amount.model_copy(update=changes)
