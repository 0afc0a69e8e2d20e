"""Statements about no task in particular, such as "User prefers quality over price": they hold for every task."""

import re
import string
from functools import cache
from pathlib import Path

PATH = Path(__file__).parent / "data" / "general_words.txt"
STATEMENT_LENGTH = 160
# Letters without their accents; signs and figures as spaces, which part words.
_SIGNS = string.punctuation + string.digits + "¿¡«»“”‘’–—…€£·\t\r\n"
MARKS, PLAIN = f"áéíóúüñ{_SIGNS}", f"aeiouun{' ' * len(_SIGNS)}"
_WORD = re.compile(r"[a-z]+")


@cache
def general_words() -> tuple[str, ...]:
    """The words that such a statement is made of, as `MARKS` and `PLAIN` leave them."""
    return words_read(PATH.read_text(encoding="utf-8"))


def words_read(text: str) -> tuple[str, ...]:
    """The words of a file, in order, each once. Raises `ValueError` that names the line of one that is no word."""
    found: dict[str, None] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        for word in line.split("#")[0].split():
            if not _WORD.fullmatch(word):
                raise ValueError(f"{PATH.name}, line {number}: {word!r} is no word in lower case without accents")
            found[word] = None
    return tuple(found)
