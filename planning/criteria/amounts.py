"""Single values as people or programs write them: what results hold."""

from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from language import Language, language_base
from language.numbers import plain_number

from .contracts import Amount, ValueType
from .lexicon import lexicon, tagged
from .tokens import TEXT_AT_MOST, Token, criterion_tokens, tidy
from .units import longest, units
from .values import ARTICLES, alike, values_merged

_HUGE: Final = 10**18
_END: Final = ".!;, "
_LOWER: Final = frozenset({">=", ">"})
_DENYING: Final = frozenset({"not", "no", "lack", "nor", "absent", "block"})
__all__ = ("amount_read",)


def amount_read(value: object, language: str = "en") -> Amount | None:
    """The amount that a value is: 8, "8", "$1,200.50", "1.200,50 EUR", "90 %", "4 km", "8/10", "2026-12-15", "18:30",
    "100-150 €", "3 hints". None where it is none, or more than one.

    "18 h" is eighteen hours; in a comparison with a time of day it may be read as one. "free" is money, 0.
    """
    if isinstance(value, bool):
        return Amount(value=value, value_type=ValueType.BOOLEAN)
    if isinstance(value, int):
        return Amount(value=value) if abs(value) < _HUGE else None
    if isinstance(value, float):
        return Amount(value=value) if abs(value) < _HUGE else None
    if isinstance(value, Decimal):
        return Amount(value=plain_number(value)) if value.is_finite() and abs(value) < _HUGE else None
    if isinstance(value, datetime | date | time):
        return _moment(value)
    if not isinstance(value, str) or not 0 < len(value) <= TEXT_AT_MOST:
        return None
    return _read(value, language_base(language))


def _moment(value: date | time) -> Amount:
    if isinstance(value, time):
        return Amount(value=value.isoformat("seconds" if value.second else "minutes"), value_type=ValueType.TIME)
    text = value.isoformat(timespec="seconds" if value.second else "minutes") if isinstance(value, datetime) else None
    return Amount(value=text or value.isoformat(), value_type=ValueType.DATE)


@lru_cache(maxsize=4096)
def _read(text: str, language: Language) -> Amount | None:
    tidied = tidy(text).strip(_END)
    if not tidied or len(tidied) > TEXT_AT_MOST:
        return None
    words = lexicon(language)
    if words.has("free", tidied.lower()):
        return Amount(value=0, value_type=ValueType.MONEY)
    tokens = values_merged(tagged(_counted(criterion_tokens(tidied)), words), words)
    return _amount(tokens)


def _counted(tokens: list[Token]) -> list[Token]:
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
    """The amount with "about", "from" or "or more" taken in; None where other words come before it, or deny it."""
    if not all(_BEFORE & token.senses.keys() or token.text == ":" for token in before):
        return None
    if not all(_may_follow(token) for token in after):
        return None
    bounds = [token.senses["after"] for token in after if "after" in token.senses]
    for token in before:
        bounds += [token.senses[kind] for kind in _BOUNDS if kind in token.senses][:1]
    if len(bounds) > 1 or (bounds and amount.value is None):
        return None
    changes: dict[str, Any] = {}
    if bounds:
        changes = {"low" if bounds[0] in _LOWER else "high": amount.value, "value": None}
    if after and after[0].kind == "word" and not after[0].senses.keys() & {"preposition", "per", "after"}:
        changes["counted"] = after[0].text
    if any("approximate" in token.senses and "after" not in token.senses for token in (*before, *after)):
        changes["approximate"] = True
    return amount.model_copy(update=changes) if changes else amount


def _may_follow(token: Token) -> bool:
    if {"after", "approximate"} & token.senses.keys():
        return True
    if token.glued and token.kind == "word" and not token.senses:
        return False
    return not (_DENYING & token.senses.keys())


_BOUNDS: Final = ("compare", "compare value", "compare moment", "limit")
_BEFORE: Final = frozenset({*_BOUNDS, "approximate", "range", "from", "article", "at", "count", "filler"})
