"""The conditions in a sentence, and the things that it lists."""

import re
from typing import Final

from planning.grammar import CriterionKind, CriterionParse
from planning.learning.conditions import bound_of, parsed
from planning.learning.fields import better_side
from planning.learning.forms import TAKEN, Hit
from planning.learning.sayings import phrase_of
from planning.learning.words import folded, one_of, words_named

PLACES: Final = re.compile(
    rf",(?!\d)|[;()\[\]|]|:(?!\d)|\b(?:{one_of(words_named('parts a sentence'))})\b", re.IGNORECASE
)
MEASURED: Final = re.compile(r"\d|[<>=≥≤]")
_AND: Final = re.compile(r"\b(?:and|y|e)\b")
_RANGE: Final = re.compile(r"\b(?:between|entre)\b")
_LISTED: Final = re.compile(r"\s*(?:,|\b(?:or|and|nor|o|y|ni|e)\b)\s*", re.IGNORECASE)
_BOUNDS: Final = frozenset((CriterionKind.COMPARISON, CriterionKind.RANGE))
_EQUAL: Final = frozenset((CriterionKind.EQUALITY, CriterionKind.MEMBERSHIP))
"""A date or a name that is merely mentioned is no condition: these need their symbol."""
_EDGE: Final = re.compile(r"^\s*(?:(?:and|or|y|o|e)\s+)?|(?:\s+(?:and|or|y|o|e))?[\s.!\"']*$")


def segments_of(text: str, hits: list[Hit]) -> list[tuple[int, str]]:
    """The parts of a sentence that have something measured, with where they start. The forms' own words part them."""
    cut = text
    for hit in hits:
        cut = cut[: hit.start] + TAKEN * (hit.said - hit.start) + cut[hit.said :]
    parts, start = [], 0
    for match in [*PLACES.finditer(cut), None]:
        end = match.start() if match else len(cut)
        part = text[start:end]
        both = _AND.split(part)
        if (
            len(both) > 1
            and all(MEASURED.search(one) for one in both)
            and "between" not in part
            and "entre" not in part
        ):
            places = [0, *(found.end() for found in _AND.finditer(part))]
            parts += [(start + place, one) for place, one in zip(places, both, strict=True)]
        else:
            parts.append((start, part))
        start = match.end() if match else end
    return [(place, part) for place, part in parts if MEASURED.search(part)]


def condition_read(text: str) -> CriterionParse | None:
    """The condition in the words, without the words before it that are none of it."""
    parts = [part for part in PLACES.split(text) if MEASURED.search(part)]
    return _read_from(_EDGE.sub("", parts[-1])) or _read_from(_EDGE.sub("", _in_symbols(parts[-1])))


def _in_symbols(text: str) -> str:
    """Verbs that say that a limit was passed, as symbols."""
    plain = folded(text)
    for words, symbol in (("was more than", ">"), ("was less than", "<")):
        plain = re.sub(rf"\b(?:{one_of(words_named(words))})\b", symbol, plain)
    return plain if plain != folded(text) else ""


def _read_from(text: str) -> CriterionParse | None:
    words = text.split()
    for place in range(min(len(words) - 1, 6)):
        parse = parsed(" ".join(words[place:]))
        if parse is not None and (parse.kind in _BOUNDS or (parse.kind in _EQUAL and "=" in text)):
            return parse
    return None


def is_praise(parse: CriterionParse) -> bool:
    """Whether nobody refuses something for that: "quality >= 7"."""
    bound = bound_of(parse)
    return bound is not None and bound.side == "low" and better_side(bound.field) == "high"


def is_fault(parse: CriterionParse) -> bool:
    bound = bound_of(parse)
    better = better_side(bound.field) if bound else None
    return bound is not None and better is not None and (better == "high") == (bound.side == "high")


def things_in(text: str) -> list[str]:
    """The things that are listed: "peanuts and shellfish"."""
    parts = _LISTED.split(text)
    return [name for name in map(phrase_of, parts) if name][:5]
