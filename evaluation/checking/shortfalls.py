"""Texts that hold the word and yet do not say so: failed, half done, to be confirmed, at a charge."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from .lexicon import made
from .words import folded, name_stems

_FILE: Final = "shortfalls.json"
_TEXT, _REACH = 400, 3
_TOKEN: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?")
_OF: Final = re.compile(r"(?<![\d/.-])(\d{1,6}) ?(?:/|of|out of|de) ?(\d{1,6})(?![\d/.-])")
_PER_CENT: Final = re.compile(r"(\d{1,3}(?:[.,]\d{1,3})?) ?(?:%|percent|por ciento)")
_MONEY: Final = re.compile(
    r"[$€£¥] ?\d*[1-9]|\d*[1-9]\d*(?:[.,]\d+)? ?(?:[$€£¥]|usd|eur|euros?|gbp|dollars?|dolares|pesos)"
)
_NEGATING: Final = ("un", "in", "im", "ir", "il", "dis", "non", "no")


class Shortfall(StrEnum):
    """In what way a text falls short of saying that something is so."""

    FAILED = "failed"
    PARTIAL = "partial"
    DOUBTFUL = "doubtful"


@dataclass(frozen=True)
class _Lists:
    failed: frozenset[tuple[str, ...]]
    partial: frozenset[tuple[str, ...]]
    doubtful: frozenset[tuple[str, ...]]
    denials: frozenset[tuple[str, ...]]
    gratis: frozenset[tuple[str, ...]]
    charged: frozenset[tuple[str, ...]]
    optional: frozenset[tuple[str, ...]]
    capacity: frozenset[str]
    taken: frozenset[tuple[str, ...]]
    other_heads: frozenset[str]


@cache
def _lists() -> _Lists:
    """`shortfalls.json`."""

    def spoken(name: str) -> frozenset[tuple[str, ...]]:
        return made(_FILE, name, lambda lines: frozenset(tuple(folded(line).split()) for line in lines))

    def stems(name: str) -> frozenset[str]:
        return made(_FILE, name, lambda lines: frozenset(one for line in lines for one in name_stems(line)))

    return _Lists(
        failed=spoken("failed"),
        partial=spoken("partial"),
        doubtful=spoken("doubtful"),
        denials=spoken("denials"),
        gratis=spoken("gratis_words"),
        charged=spoken("charged"),
        optional=spoken("optional"),
        capacity=stems("capacity"),
        taken=spoken("taken"),
        other_heads=stems("other_heads"),
    )


@lru_cache(4_096)
def shortfall_of(text: str) -> Shortfall | None:
    """How a text falls short of what it names: "9/10 passed", "payment failed", "almost confirmed", "confirmed?"."""
    plain = folded(text[:_TEXT])
    tokens = tuple(_TOKEN.findall(plain))
    if _says(tokens, _lists().failed, denied=False):
        return Shortfall.FAILED
    if _says(tokens, _lists().partial, denied=False) or _is_part(plain):
        return Shortfall.PARTIAL
    if plain.strip(" .)(!").endswith("?") or _says(tokens, _lists().doubtful, denied=False):
        return Shortfall.DOUBTFUL
    return None


def _is_part(plain: str) -> bool:
    """Less than the whole: "9/10", "9 of 10", "50 %"."""
    shares = [float(found.replace(",", ".")) for found in _PER_CENT.findall(plain)]
    counts = [(int(some), int(whole)) for some, whole in _OF.findall(plain)]
    return any(share < 100 for share in shares) or any(some < whole for some, whole in counts)


def _says(tokens: tuple[str, ...], phrases: frozenset[tuple[str, ...]], *, denied: bool | None = None) -> bool:
    """Whether one of the phrases is said; `denied` False: and no denial stands before it ("0 failed")."""
    for at in range(len(tokens)):
        for size in (1, 2, 3, 4):
            if at + size <= len(tokens) and tokens[at : at + size] in phrases:
                before = tokens[max(0, at - _REACH) : at]
                if denied is None or not any((one,) in _lists().denials for one in before):
                    return True
    return False


@lru_cache(4_096)
def is_charged(text: str) -> bool | None:
    """Whether something costs extra: True for "optional, $15", False for "included ($15 value)"; None: not said."""
    plain = folded(text[:_TEXT])
    tokens = tuple(_TOKEN.findall(plain))
    if _says(tokens, _lists().gratis, denied=False):
        return False
    if _says(tokens, _lists().charged, denied=False) or _MONEY.search(plain) or _says(tokens, _lists().gratis):
        return True
    return None


def is_optional(text: str) -> bool:
    """Whether it is there for some, or for the asking."""
    return _says(tuple(_TOKEN.findall(folded(text[:_TEXT]))), _lists().optional)


def is_taken(text: str, stems: tuple[str, ...]) -> bool:
    """Whether there is no room left in what the stems name: parking that is full."""
    if not _lists().capacity.intersection(stems):
        return False
    tokens = tuple(_TOKEN.findall(folded(text[:80])))
    return len(tokens) <= 5 and _says(tokens, _lists().taken, denied=False)


def is_negated_form(text: str, stems: frozenset[str]) -> bool:
    """Whether what the stems name is denied by a prefix: "non-refundable", "unfurnished", "incompleto"."""
    spoken = name_stems(text[:100].replace("'", ""))
    for at, one in enumerate(spoken):
        if one == "non" and spoken[at + 1 : at + 2] and spoken[at + 1] in stems:
            return True
        if any(one.startswith(prefix) and one.removeprefix(prefix) in stems for prefix in _NEGATING):
            return True
    return False


def is_other_head(stem: str) -> bool:
    """Whether a word that follows a thing's name makes it another: a pool table is no pool."""
    return stem in _lists().other_heads
