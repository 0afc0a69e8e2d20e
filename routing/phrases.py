"""Phrases that ask for something, listed in files in `data/`, found in a message of either language.

A line holds phrases with a bar between them, `{name} = one | two words` a slot for the lines after it; a line more with
the same name adds to it. A phrase is made of words, `{slots}`, `(this | that)`, `(if you like)?`, `(many)*` for up to
four, `(!not these)`, `:` for the end of a clause, `_` for any word and `..` for up to three. In a word `@` is o or a,
and `%` any ending. Words are folded: lower case, no accents, no apostrophes, and a hyphen parts them.

Sections: what matches `[dropped]` (a denial, a near miss) is taken out before `[wanted]` is looked for; what matches
`[kept]` is not ("why don't you check" asks all the same).
"""

import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final

_DATA: Final = Path(__file__).parent / "data"
_READ: Final = 2_000  # characters at either end of a message: a request stands before or after what it is about
_WORD: Final = re.compile(r"(?P<word>\d+(?:[.,]\d+)*|[^\W_]+)|(?P<end>[.;:?!()\n\"“”«»|]+)")
_WORD_LENGTH: Final = 40
_ANY: Final = r"(?:[^\s|]+ )"
_WILD: Final = {":": r"\| ", "_": _ANY, "..": f"{_ANY}{{0,3}}?"}
_PART: Final = re.compile(r"\{\w+\}|\(!|[()|?*]|[^\s(){}|?*]+")
_SECTIONS: Final = ("kept", "dropped", "wanted")


class Phrases:
    """The phrases of a file. Raises `ValueError` naming the line that cannot be read."""

    def __init__(self, name: str, text: str) -> None:
        slots: dict[str, str] = {}
        sections: dict[str, list[str]] = {section: [] for section in _SECTIONS}
        phrases = sections["wanted"]
        for number, line in enumerate(text.splitlines(), 1):
            try:
                if line.startswith("["):
                    phrases = sections[line.strip(" []")]
                elif line.startswith("{") and " = " in line:
                    slot, words = line.split(" = ", 1)
                    before = f"{slots[slot]}|" if slot in slots else ""
                    slots[slot] = f"{before}{_pattern(words, slots)}"
                elif line.strip() and not line.startswith("#"):
                    phrases.append(_pattern(line, slots))
            except (KeyError, re.error) as error:
                raise ValueError(f"{name}, line {number}: cannot be read ({error}): {line}") from error
        kept, dropped, wanted = (_one_of(sections[section]) for section in _SECTIONS)
        self._out = re.compile(rf"(?<!\S)(?:(?P<kept>{kept})|{dropped})")
        self._wanted = re.compile(rf"(?<!\S){wanted}")

    def ask(self, message: str) -> bool:
        """Whether a message asks for it. Reads the first and the last 2,000 characters."""
        left = self._out.sub(lambda found: found.group() if found["kept"] else "| ", folded(message))
        return self._wanted.search(left) is not None


@cache
def phrases_in(name: str) -> Phrases:
    """The phrases of a file in `data/`."""
    return Phrases(name, (_DATA / name).read_text(encoding="utf-8"))


def folded(message: str) -> str:
    """The words of a message with a space after each, and a bar for each end of a clause."""
    if len(message) > 2 * _READ:
        message = f"{message[:_READ]}\n{message[-_READ:]}"
    plain = unicodedata.normalize("NFKD", message.translate(_APOSTROPHES)).casefold()
    bare = "".join(character for character in plain if not unicodedata.combining(character))
    parts = ("|" if found["end"] else found["word"][:_WORD_LENGTH] for found in _WORD.finditer(bare))
    return f"| {' '.join(parts)} | "


_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’‘`´"))


def _pattern(text: str, slots: dict[str, str]) -> str:
    pattern = "".join(_part(part, slots) for part in _PART.findall(text))
    re.compile(pattern)  # so that a fault is told with its line
    return pattern


def _part(part: str, slots: dict[str, str]) -> str:
    if part.startswith("{"):
        return f"(?:{slots[part]})"
    if part in _GROUPS:
        return _GROUPS[part]
    return _WILD.get(part) or re.escape(part).replace("@", "[oa]").replace("%", r"\w*") + " "


_GROUPS: Final = {"(": "(?:", "(!": "(?!", ")": ")", "|": "|", "?": "?", "*": "{0,4}"}


def _one_of(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"
