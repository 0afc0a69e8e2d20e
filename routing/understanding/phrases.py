"""Phrases that ask for something, listed in files in `data/`, found in a message of either language.

`language.phrase_files` describes the files. Signs: `:` for the end of a clause, `_` for any word and `..` for up to
three; `*` repeats up to four times. Words are folded: lower case, no accents, no apostrophes, and a hyphen parts them.

Sections: what matches `[dropped]` (a denial, a near miss) is taken out before `[wanted]` is looked for; what matches
`[kept]` is not ("why don't you check" asks all the same).
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from language.fold import fold
from language.phrase_files import Notation, phrase_patterns
from routing.contracts.reading import Reading
from routing.packs.pack import Pack

_DATA: Final = Path(__file__).parent / "data"
_READ: Final = 2_000  # characters at either end of a message: a request stands before or after what it is about
_WORD: Final = re.compile(r"(?P<word>\d+(?:[.,]\d+)*|[^\W_]+)|(?P<end>[.;:?!()\n\"“”«»|]+)")
_WORD_LENGTH: Final = 40
_ANY: Final = r"(?:[^\s|]+ )"
_NOTATION: Final = Notation(" ", {":": r"\| ", "_": _ANY, "..": f"{_ANY}{{0,3}}?"}, repeats="{0,4}")


class Phrases:
    """The phrases of a file. Raises `ValueError` naming the line that cannot be read."""

    def __init__(self, name: str, text: str) -> None:
        patterns = phrase_patterns(name, text, _NOTATION, ("wanted", "kept", "dropped"))
        self._out = re.compile(rf"(?<!\S)(?:(?P<kept>{patterns['kept']})|{patterns['dropped']})")
        self._wanted = re.compile(rf"(?<!\S){patterns['wanted']}")

    def ask(self, message: str) -> bool:
        """Whether a message asks for it. Reads the first and the last 2,000 characters."""
        left = self._out.sub(lambda match: match.group() if match["kept"] else "| ", clauses_of(message))
        return self._wanted.search(left) is not None


@cache
def phrases_in(name: str) -> Phrases:
    """The phrases of a file in `data/`."""
    return Phrases(name, (_DATA / name).read_text(encoding="utf-8"))


def clauses_of(message: str) -> str:
    """The words of a message with a space after each, and a bar for each end of a clause."""
    if len(message) > 2 * _READ:
        message = f"{message[:_READ]}\n{message[-_READ:]}"
    bare = fold(message.translate(_APOSTROPHES), compatible=True)
    parts = ("|" if match["end"] else match["word"][:_WORD_LENGTH] for match in _WORD.finditer(bare))
    return f"| {' '.join(parts)} | "


_APOSTROPHES: Final = dict.fromkeys(map(ord, "'’‘`´"))


LAB = "lab"


def lab_requested(message: str, hint: str) -> bool:
    """Whether the laboratory is chosen, or asked for in words; a question that would suit it is no request."""
    return hint == LAB or phrases_in("lab_access.txt").ask(message)


def needs_evidence(reading: Reading, domains: Iterable[str], pack: Pack, message: str) -> bool:
    """Whether the message, understood as being about `domains`, wants evidence. A phase may forbid it all the same."""
    return validation_asked(message) or any(_rests(domain, reading, pack) for domain in domains)


def validation_asked(message: str) -> bool:
    """Whether a message asks to check data: "can you verify these figures", "¿son correctos estos datos?"."""
    return phrases_in("validation.txt").ask(message)


def _rests(domain: str, reading: Reading, pack: Pack) -> bool:
    if domain not in pack.keys:
        return False
    return pack.domain(domain).rests_on_evidence(reading.label if domain == reading.first else "")
