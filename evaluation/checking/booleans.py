"""Yes and no as programs and people write them, and texts that only seem to say so: failed, half done, at a charge."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Final

from evaluation.checking.concepts import lists
from evaluation.checking.lexicon import Phrase, Spoken, Stems, data_read, lists_of, places_of
from evaluation.checking.values import is_missing
from evaluation.checking.walk import Group, Listing
from evaluation.checking.words import name_stems, plain_text

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
    failed: Spoken
    partial: Spoken
    doubtful: Spoken
    denials: Spoken
    gratis_words: Spoken
    charged: Spoken
    optional: Spoken
    capacity: Stems
    taken: Spoken
    other_heads: Stems


@cache
def _lists() -> _Lists:
    return lists_of(_Lists, data_read(_FILE), _FILE)


@lru_cache(4_096)
def shortfall_of(text: str) -> Shortfall | None:
    """How a text falls short of what it names: "9/10 passed", "payment failed", "almost confirmed", "confirmed?"."""
    plain = plain_text(text[:_TEXT])
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
    shares = [float(share.replace(",", ".")) for share in _PER_CENT.findall(plain)]
    counts = [(int(part), int(total)) for part, total in _OF.findall(plain)]
    return any(share < 100 for share in shares) or any(part < total for part, total in counts)


def _says(tokens: tuple[str, ...], phrases: frozenset[Phrase], *, denied: bool | None = None) -> bool:
    """Whether one of the phrases is there; `denied` False: and without a denial before it ("0 failed")."""
    return any(
        denied is None or not any(places_of(tokens[max(0, at - _REACH) : at], _lists().denials, 1))
        for at, _ in places_of(tokens, phrases)
    )


@lru_cache(4_096)
def is_charged(text: str) -> bool | None:
    """Whether something costs extra: True for "optional, $15", False for "included ($15 value)"; None: not said."""
    plain = plain_text(text[:_TEXT])
    tokens = tuple(_TOKEN.findall(plain))
    if _says(tokens, _lists().gratis_words, denied=False):
        return False
    if _says(tokens, _lists().charged, denied=False) or _MONEY.search(plain) or _says(tokens, _lists().gratis_words):
        return True
    return None


def is_optional(text: str) -> bool:
    """Whether it is there for some, or for the asking."""
    return _says(tuple(_TOKEN.findall(plain_text(text[:_TEXT]))), _lists().optional)


def is_taken(text: str, stems: tuple[str, ...]) -> bool:
    """Whether there is no room left in what the stems name: parking that is full."""
    if not _lists().capacity.intersection(stems):
        return False
    tokens = tuple(_TOKEN.findall(plain_text(text[:80])))
    return len(tokens) <= 5 and _says(tokens, _lists().taken, denied=False)


def is_negated_form(text: str, stems: frozenset[str]) -> bool:
    """Whether what the stems name is denied by a prefix: "non-refundable", "unfurnished", "incompleto"."""
    spoken = name_stems(text[:100].replace("'", ""))
    for at, stem in enumerate(spoken):
        if stem == "non" and spoken[at + 1 : at + 2] and spoken[at + 1] in stems:
            return True
        if any(stem.startswith(prefix) and stem.removeprefix(prefix) in stems for prefix in _NEGATING):
            return True
    return False


def is_other_head(stem: str) -> bool:
    """Whether a word that follows a thing's name makes it another: a pool table is no pool."""
    return stem in _lists().other_heads


_SHORT: Final = 6
_NONE: Final = frozenset({"none", "ninguno", "ninguna"})
FREE: Final = frozenset(map(name_stems, ("free", "gratis", "gratuito", "gratuita")))


def is_free(value: object) -> bool | None:
    """Whether a price is none at all; None for what is no price."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value == 0
    if not isinstance(value, str) or is_missing(value):
        return None
    charged = is_charged(value)
    if charged is not None:
        return not charged
    if any((stem,) in FREE for stem in name_stems(value)):
        return True
    return False if any(c in "123456789" for c in value) else True if "0" in value else truth(value)


def truth(value: object, about: str = "") -> bool | None:
    """Yes or no as programs and people write it; a number or a list says yes unless there is none; None: unknown.

    `about`: what is asked; where that is a failure itself ("cancelled"), failing is no denial of it.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value > 0 if value >= 0 else None
    if isinstance(value, Listing) and value.size and len(value.texts) == value.size:
        return not all(plain_text(item[:40]).strip(" .!") in lists().no_texts for item in value.texts)
    if isinstance(value, (Listing, Group)):
        return value.size > 0
    if not isinstance(value, str):
        return None if value is None else True
    text = plain_text(value[:80]).strip(" .!\"'()[]")
    if text in lists().no_texts:
        return False
    if text in lists().yes_texts:
        return True
    if is_missing(value):
        return None
    short = None if about and shortfall_of(about) else shortfall_of(value)
    if short is Shortfall.DOUBTFUL:
        return None
    return False if short else _opening(text)


def _opening(text: str) -> bool | None:
    """Longer answers: "no, only a hot tub", "not on site", "closed until May"."""
    spoken = tuple(text.replace(",", " ").replace("(", " ").replace(";", " ").split())
    if any(spoken[:size] in lists().denials_after or spoken[:size] in lists().denials_before for size in (1, 2, 3)):
        return False
    if any(at < _SHORT and end > at + 1 for at, end in places_of(spoken, lists().denials_after, 3)):
        return False
    if _NONE.intersection(spoken):
        return False
    is_short = len(spoken) < _SHORT
    return not (is_short and any((word,) in lists().denials_after and word != "no" for word in spoken))
