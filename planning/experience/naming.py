"""Names and values as adjustments write them: settings, conditions, amounts."""

import math
import re
from functools import cache
from typing import Final

from language.word_lists import rows_of
from planning.criteria import CriterionParse
from planning.experience.conditions import bound_of, parsed, said
from planning.experience.fields import bound_named
from planning.experience.words import DATA, normalised

SETTING_AT_MOST: Final = 60
PLAIN: Final = re.compile(r"[-+]?\d{1,15}(?:[.,]\d{1,6})?")
_PERCENT: Final = re.compile(r"(\d{1,6}(?:[.,]\d{1,4})?) ?(?:%|percent|por ciento)")
_NAME: Final = re.compile(r"[^\W\d][\w .-]{0,59}")
_OF: Final = re.compile(r"(?::| of| de| a| at)$")
_NO_NAMES: Final = frozenset(("to", "from", "by", "of", "a", "de", "en", "por"))
_STEM: Final = re.compile(r"\b(?:the|el|la|los|las|number of|numero de|de)\s+")
_WORDS: Final = re.compile(r"[\w\s'/&.,-]*\w[\w\s'/&.,-]*")


@cache
def _aliases() -> dict[str, str]:
    rows = rows_of(DATA / "settings.jsonl", lambda row: (row["setting"], row["names"]))
    return {normalised(name): setting for setting, names in rows for name in names}


@cache
def _states() -> dict[str, bool]:
    rows = rows_of(DATA / "states.jsonl", lambda row: (bool(row["value"]), row["names"]))
    return {normalised(name): value for value, names in rows for name in names}


def setting_named(name: str) -> str | None:
    """Which of planning's own settings the words name: priority, constraint, steps or criterion."""
    return _aliases().get(re.sub(r"^(?:the|el|la|los|las) ", "", normalised(name).strip()))


def setting_key(name: str) -> str:
    """A name of a setting in snake_case, a bound with `min_` or `max_` before it; empty for what is no name."""
    plain = name.strip()
    words = normalised(plain).split()
    if not _NAME.fullmatch(plain) or len(words) > 6 or words[0] in _NO_NAMES:
        return ""
    bound = bound_named(plain)
    name = f"{'max' if bound[1] == '<=' else 'min'} {bound[0]}" if bound else plain
    return re.sub(r"[\W_]+", "_", _STEM.sub("", normalised(name))).strip("_")[:SETTING_AT_MOST]


def condition_said(text: str) -> str | None:
    """The condition in normal form, where the grammar of criteria reads it; also of a bare thing ("free wifi")."""
    plain = re.sub(r"^(?:that|que|only|solo|the)\s+", "", text.strip(), flags=re.IGNORECASE)
    parse = parsed(plain) or _bound_said(plain)
    return said(parse)[:200] if parse is not None else None


def _bound_said(text: str) -> CriterionParse | None:
    """A bound that is named: "valoración mínima de 8"."""
    name, _, amount = text.rpartition(" ")
    bound = bound_named(_OF.sub("", name)) if any(letter.isdigit() for letter in amount) else None
    return parsed(f"{bound[0]} {bound[1]} {amount}") if bound else None


def amount_said(text: str, name: str) -> str | int | float | bool | None:
    """A value: a number where it is plain, text where it has a unit or is a word, a flag for on and off."""
    plain = text.strip()
    state = _states().get(normalised(plain))
    if state is not None:
        return state
    if PLAIN.fullmatch(plain):
        return number_said(plain)
    if match := _PERCENT.fullmatch(plain.lower()):
        return f"{number_said(match[1])} %"
    parse = parsed(f"{name.removeprefix('max_').removeprefix('min_').replace('_', ' ')} <= {plain}") if name else None
    bound = bound_of(parse)
    if parse is not None and bound is not None:
        value = said(parse).split("<=", 1)[-1].strip()
        return number_said(value) if PLAIN.fullmatch(value) else value
    return plain if len(plain) <= SETTING_AT_MOST and _WORDS.fullmatch(plain) else None


def number_said(text: str) -> int | float:
    """A plain number with either decimal sign, whole where it is."""
    number = float(text.replace(",", "."))
    return int(number) if number.is_integer() and math.isfinite(number) else number
