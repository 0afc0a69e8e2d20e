"""The forms in which memories say things, from `data/memories.txt`; conditions in a sentence, and lists of things."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from language.tokens import any_of
from language.word_lists import sections_of
from planning.criteria import CriterionKind, CriterionParse
from planning.experience.conditions import bound_of, parsed
from planning.experience.fields import better_side
from planning.experience.sayings import phrase_of
from planning.experience.words import DATA, normalised, words_named

SLOT_AT_MOST: Final = 80
SAYING: Final = frozenset(
    ["over", "under", "over fields", "first", "below", "above", "budget", "like", "need", "avoid"]
)
"""Sections whose slots say nothing else; the conditions in what was refused or welcome are read by themselves."""
_SPANISH: Final = " es"
"""What the headers of sections with Spanish forms end with."""
_SLOT: Final = re.compile(r"\{([abx])\}")
TAKEN: Final = "|"
"""Stands for words that have served already."""
_CLAUSE: Final = r'\s*(?:$|[,;:()|"\[\]]|[.!?"](?:\s|$))'
_NAME: Final = r'[^,;:()\[\]<>=|{}"]'
_ANYTHING: Final = r'[^,;:()\[\]|{}"]'


@dataclass(frozen=True)
class Hit:
    """A match of a form: its section, its place, and the spans that fill its slots."""

    section: str
    start: int
    end: int
    slots: dict[str, tuple[int, int]]
    language: str

    @property
    def said(self) -> int:
        """Where the form's own words end."""
        return min((start for start, _ in self.slots.values() if start > self.start), default=self.end)


@cache
def _slot(name: str) -> str:
    kind = _ANYTHING if name == "x" else _NAME
    first = rf"(?!(?:to|and|y|e|{any_of(words_named('after anything'))})\b)(?!\s){kind}"
    if name == "a":
        return rf"(?P<a>{first}{kind}{{0,40}}?)"
    ends = words_named("after a short name") if name == "b" else words_named("after anything")
    next_clause = rf"|\s+(?:and|y|e)\s+(?:{any_of(words_named('verbs of the next clause'))})\b" if name == "x" else ""
    end = rf"(?={_CLAUSE}|\s+(?:{any_of(ends)})\b{next_clause})"
    return rf"(?P<{name}>{first}{kind}{{0,{SLOT_AT_MOST - 1}}}?){end}"


@cache
def forms() -> dict[str, list[re.Pattern[str]]]:
    """Patterns by section. Raises `ValueError` naming the line that cannot be read."""
    return sections_of(DATA / "memories.txt", _pattern)


def _pattern(_section: str, line: str) -> re.Pattern[str]:
    """A slot at the end of the words, or before an alternative that is not there, ends with the clause."""
    parts = _SLOT.split(line)
    pattern = parts[0]
    for place in range(1, len(parts), 2):
        name, after = parts[place], parts[place + 1]
        bare = name == "x" and after.strip() != ""
        pattern += (rf"(?P<x>{_ANYTHING}{{1,{SLOT_AT_MOST}}}?)" if bare else _slot(name)) + after
    return re.compile(rf"(?<![\w-]){pattern}(?![\w])")


def hits_of(sentence: str) -> list[Hit]:
    """The forms in a normalised sentence, in their order. Words serve one form only."""
    left, hits = sentence, []
    for header, patterns in forms().items():
        section = header.removesuffix(_SPANISH)
        language = "es" if header.endswith(_SPANISH) else "en"
        for pattern in patterns:
            for match in [*pattern.finditer(left)]:
                slots = {name: match.span(name) for name in match.re.groupindex if match[name] is not None}
                hit = Hit(section, match.start(), match.end(), slots, language)
                hits.append(hit)
                taken = hit.end if section in SAYING else hit.said
                left = left[: hit.start] + TAKEN * (taken - hit.start) + left[taken:]
    return sorted(hits, key=lambda hit: hit.start)


PLACES: Final = re.compile(
    rf",(?!\d)|[;()\[\]|]|:(?!\d)|\b(?:{any_of(words_named('parts a sentence'))})\b", re.IGNORECASE
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
            and all(MEASURED.search(side) for side in both)
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
    plain = normalised(text)
    for words, symbol in (("was more than", ">"), ("was less than", "<")):
        plain = re.sub(rf"\b(?:{any_of(words_named(words))})\b", symbol, plain)
    return plain if plain != normalised(text) else ""


def _read_from(text: str) -> CriterionParse | None:
    words = text.split()
    for place in range(min(len(words) - 1, 6)):
        parse = parsed(" ".join(words[place:]))
        if parse is not None and (parse.kind in _BOUNDS or (parse.kind in _EQUAL and "=" in text)):
            return parse
    return None


def is_praise(parse: CriterionParse) -> bool:
    """Whether the condition is on the good side of its field: "quality >= 7" is no reason to refuse."""
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
