"""Values as people or programs write them, one at a time: what results hold."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from .contracts import Amount, ValueType
from .lexicon import LANGUAGES, lexicon
from .numbers import plain
from .phrases import tagged
from .tokens import TEXT_AT_MOST, Token, tidy, tokens_of
from .units import longest, units
from .values import ARTICLES, alike, values_merged

_HUGE: Final = 10**18
_END: Final = ".!;, "
_LOWER: Final = frozenset({">=", ">"})
_DENYING: Final = frozenset({"not", "no", "lack", "nor", "absent", "block"})
__all__ = ("amount_read",)


def amount_read(value: object, language: str = "en") -> Amount | None:
    """The amount that a value is: 8, "8", "$1,200.50", "1.200,50 EUR", "90 %", "4 km", "8/10", "2026-12-15", "18:30",
    "100-150 €", "3 hints". None where it is none, or says more than one.

    "18 h" is eighteen hours here; in a comparison with a time of day it may be read as one. "free" is money, 0.
    """
    if isinstance(value, bool):
        return Amount(value=value, value_type=ValueType.BOOLEAN)
    if isinstance(value, int):
        return Amount(value=value) if abs(value) < _HUGE else None
    if isinstance(value, float):
        return Amount(value=value) if abs(value) < _HUGE else None
    if isinstance(value, Decimal):
        return Amount(value=plain(value)) if value.is_finite() and abs(value) < _HUGE else None
    if isinstance(value, datetime | date | time):
        return _moment(value)
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_AT_MOST:
        return None
    return _read(value, language if language in LANGUAGES else "en")


def _moment(value: date | time) -> Amount:
    if isinstance(value, time):
        return Amount(value=value.isoformat("seconds" if value.second else "minutes"), value_type=ValueType.TIME)
    text = value.isoformat(timespec="seconds" if value.second else "minutes") if isinstance(value, datetime) else None
    return Amount(value=text or value.isoformat(), value_type=ValueType.DATE)


@lru_cache(maxsize=4096)
def _read(text: str, language: str) -> Amount | None:
    tidied = tidy(text).strip(_END)
    if not tidied or len(tidied) > TEXT_AT_MOST:
        return None
    words = lexicon(language)
    if words.has("free", tidied.lower()):
        return Amount(value=0, value_type=ValueType.MONEY)
    tokens = values_merged(tagged(_one(tokens_of(tidied)), words), words)
    return _amount(tokens)


def _one(tokens: list[Token]) -> list[Token]:
    """With "an hour" as "1 hour"."""
    first = tokens[0]
    if len(tokens) > 1 and first.text in ARTICLES and longest(units()[0], tokens, 1)[0]:
        return [Token("number", "1", first.raw), *tokens[1:]]
    return tokens


def _amount(tokens: Sequence[Token]) -> Amount | None:
    """The one value among the tokens, with what qualifies it."""
    values = [at for at, token in enumerate(tokens) if token.amount is not None]
    if not values or len(values) > 2:
        return None
    first, last = values[0], values[-1]
    amount = tokens[first].amount if first == last else _between(tokens, first, last)
    return _qualified(tokens[:first], amount, tokens[last + 1 :]) if amount else None


def _between(tokens: Sequence[Token], first: int, last: int) -> Amount | None:
    low, high = tokens[first].amount, tokens[last].amount
    joint = [token for token in tokens[first + 1 : last] if "article" not in token.senses]
    if low is None or high is None or len(joint) != 1 or not {"to", "and"} & joint[0].senses.keys():
        return None
    if "and" in joint[0].senses and "range" not in (tokens[first - 1].senses if first else {}):
        return None
    ends = alike(low, high)
    if ends is None:
        return None
    return ends[1].model_copy(update={"value": None, "low": ends[0].value, "high": ends[1].value})


def _qualified(before: Sequence[Token], amount: Amount, after: Sequence[Token]) -> Amount | None:
    """The amount with "about", "from" or "or more" taken in; None where other words stand before it, or deny it."""
    if not all(_may_stand_before(token) for token in before) or not all(_may_stand_after(token) for token in after):
        return None
    bounds = [*filter(None, (_bound(token) for token in before)), *(token.senses.get("after") for token in after)]
    said = [bound for bound in bounds if bound]
    if len(said) > 1 or (said and amount.value is None):
        return None
    changes: dict[str, Any] = {}
    if said:
        changes = {"low" if said[0] in _LOWER else "high": amount.value, "value": None}
    if after and after[0].kind == "word" and not after[0].senses.keys() & {"preposition", "per", "after"}:
        changes["counted"] = after[0].text
    if any("approximate" in token.senses and "after" not in token.senses for token in (*before, *after)):
        changes["approximate"] = True
    return amount.model_copy(update=changes) if changes else amount


def _bound(token: Token) -> str | None:
    return next((token.senses[kind] for kind in _BOUNDS if kind in token.senses), None)


def _may_stand_before(token: Token) -> bool:
    return bool(_BEFORE & token.senses.keys()) or token.text == ":"


def _may_stand_after(token: Token) -> bool:
    if {"after", "approximate"} & token.senses.keys():
        return True
    if token.glued and token.kind == "word" and not token.senses:
        return False
    return not (_DENYING & token.senses.keys())


_BOUNDS: Final = ("compare", "compare value", "compare moment", "limit")
_BEFORE: Final = frozenset({*_BOUNDS, "approximate", "range", "from", "article", "at", "count", "filler"})
