"""Files of phrases as patterns over folded words, in which a bar is the end of a clause.

A file has slots, `{name} = one | two words`, a line more for more of them, and sections of phrases, one or several a
line, each under its `[name]`. A phrase is made of words, `{slots}`, `(this | that)`, `(if you like)?`, `(many)*`,
`(!not these)` and the signs of a `Notation`. In a word `@` is o or a, and `%` any ending. `#` begins a remark.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_PART: Final = re.compile(r"\{\w+\}|\(!|[()|?*+]|[^\s(){}|?*+]+")


class Notation(NamedTuple):
    """How a file is read: the pattern after each word, those of its signs, and how often `*` repeats."""

    end: str
    signs: Mapping[str, str]
    repeats: str = "*"


def phrase_patterns(name: str, text: str, notation: Notation, sections: Sequence[str]) -> dict[str, str]:
    """The source of a pattern for each section of a file; lines before any belong to the first.

    Raises `ValueError` naming the line that cannot be read.
    """
    slots: dict[str, list[str]] = {}
    phrases: dict[str, list[str]] = {section: [] for section in sections}
    current = phrases[sections[0]]
    for number, line in enumerate(text.splitlines(), 1):
        try:
            if line.startswith("["):
                current = phrases[line.strip(" []")]
            elif line.startswith("{") and " = " in line:
                slot, words = line.split(" = ", 1)
                slots.setdefault(slot, []).append(_pattern(words, slots, notation))
            elif line.strip() and not line.startswith("#"):
                current.append(_pattern(line, slots, notation))
        except (KeyError, re.error) as error:
            raise ValueError(f"{name}, line {number}: cannot be read ({error}): {line}") from error
    return {section: either(patterns) for section, patterns in phrases.items()}


def either(patterns: Sequence[str]) -> str:
    """The source of a pattern for any of these; of none, one that matches nothing."""
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"


def _pattern(text: str, slots: Mapping[str, Sequence[str]], notation: Notation) -> str:
    pattern = "".join(_part(part, slots, notation) for part in _PART.findall(text))
    re.compile(pattern)  # so that a fault is found with its line
    return pattern


def _part(part: str, slots: Mapping[str, Sequence[str]], notation: Notation) -> str:
    if part.startswith("{"):
        return either(slots[part])
    if part.startswith("("):
        return "(?!" if part == "(!" else "(?:"
    if part in "|)?*+":
        return notation.repeats if part == "*" else part
    word = re.escape(part).replace("@", "[oa]").replace("%", r"\w*") + notation.end
    return notation.signs.get(part) or word
