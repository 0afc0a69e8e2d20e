"""The forms in which memories say things, from `data/memories.txt`, and where their slots end."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from planning.learning.words import lines_of, one_of, words_named

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
    """A form that was found: the section it is in, where it stands and what fills its slots (spans)."""

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
    first = rf"(?!(?:to|and|y|e|{one_of(words_named('after anything'))})\b)(?!\s){kind}"
    if name == "a":
        return rf"(?P<a>{first}{kind}{{0,40}}?)"
    ends = words_named("after a short name") if name == "b" else words_named("after anything")
    next_clause = rf"|\s+(?:and|y|e)\s+(?:{one_of(words_named('verbs of the next clause'))})\b" if name == "x" else ""
    end = rf"(?={_CLAUSE}|\s+(?:{one_of(ends)})\b{next_clause})"
    return rf"(?P<{name}>{first}{kind}{{0,{SLOT_AT_MOST - 1}}}?){end}"


@cache
def forms() -> dict[str, list[re.Pattern[str]]]:
    """Patterns by section. Raises `ValueError` naming the line that cannot be read."""
    patterns: list[re.Pattern[str]] = []
    sections: dict[str, list[re.Pattern[str]]] = {}
    for number, line in lines_of("memories.txt"):
        if line.startswith("[") and line.endswith("]"):
            patterns = sections.setdefault(line[1:-1], [])
            continue
        try:
            patterns.append(_pattern(line))
        except re.error as error:
            raise ValueError(f"memories.txt, line {number}: cannot be read ({error}): {line}") from error
    return sections


def _pattern(line: str) -> re.Pattern[str]:
    """A slot at the end of the words, or before an alternative that is not there, ends with the clause."""
    parts = _SLOT.split(line)
    pattern = parts[0]
    for place in range(1, len(parts), 2):
        name, after = parts[place], parts[place + 1]
        bare = name == "x" and after.strip() != ""
        pattern += (rf"(?P<x>{_ANYTHING}{{1,{SLOT_AT_MOST}}}?)" if bare else _slot(name)) + after
    return re.compile(rf"(?<![\w-]){pattern}(?![\w])")


def hits_of(sentence: str) -> list[Hit]:
    """The forms in a folded sentence, in the order in which they stand. Words serve one form only."""
    left, hits = sentence, []
    for header, patterns in forms().items():
        section = header.removesuffix(_SPANISH)
        language = "es" if header.endswith(_SPANISH) else "en"
        for pattern in patterns:
            for hit in _found(section, language, pattern, left):
                hits.append(hit)
                taken = hit.end if section in SAYING else hit.said
                left = left[: hit.start] + TAKEN * (taken - hit.start) + left[taken:]
    return sorted(hits, key=lambda hit: hit.start)


def _found(section: str, language: str, pattern: re.Pattern[str], text: str) -> Iterator[Hit]:
    for match in pattern.finditer(text):
        slots = {name: match.span(name) for name in match.re.groupindex if match[name] is not None}
        yield Hit(section, match.start(), match.end(), slots, language)
