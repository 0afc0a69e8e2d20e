"""Words as the lists beside this module have them: folded, found in a text, told in either language."""

import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

_T = TypeVar("_T")
DATA: Final = Path(__file__).parent / "data"
CONTENT_AT_MOST, SENTENCE_AT_MOST, SENTENCES_AT_MOST = 2_000, 400, 20
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|[\n\r]+")
_QUOTES: Final = str.maketrans(dict.fromkeys("‘’‚‛`´", "'") | dict.fromkeys("“”„‟«»", '"') | {"\u00a0": " "})
_MORE_THAN_ONE: Final = (("ces", "z"), ("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"))


def folded(text: str) -> str:
    """The text in small letters without accents and with straight quotes, each character in its old place."""
    plain = text.translate(_QUOTES)
    return plain.lower() if plain.isascii() else "".join(_folded(character) for character in plain)


@cache
def _folded(character: str) -> str:
    return unicodedata.normalize("NFD", character)[0].lower()[0]


def tidied(text: str) -> str:
    """The text composed, without control characters and marks that do not show, and with single spaces."""
    shown = "".join(" " if character.isspace() else character for character in unicodedata.normalize("NFC", text))
    return " ".join("".join(one for one in shown if unicodedata.category(one)[0] != "C").split())


def sentences_of(content: str) -> list[str]:
    """The sentences of a memory, as far as they are read."""
    sentences = _SENTENCE.split(content[:CONTENT_AT_MOST])[:SENTENCES_AT_MOST]
    return [plain for plain in (tidied(one)[:SENTENCE_AT_MOST] for one in sentences) if plain]


def stems(text: str) -> tuple[str, ...]:
    """The words of a text, folded, without articles and in the singular: what makes two phrases the same."""
    words = re.findall(r"\w+", folded(text))
    return tuple(_singular(word) for word in words if word not in words_named("articles")) or tuple(words)


def _singular(word: str) -> str:
    for ending, one in _MORE_THAN_ONE:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending) + one
    if len(word) > 4 and word.endswith("es") and word[-3] in "lrndj":
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def one_of(words: Iterable[str]) -> str:
    """A pattern for any of the words or phrases, the longest first."""
    return "|".join(
        re.escape(word) for word in sorted({folded(word) for word in words}, key=lambda one: (-len(one), one))
    )


def rows_of(name: str, make: Callable[[dict[str, Any]], _T]) -> list[_T]:
    """The rows of a JSON lines file in `data/`. Raises `ValueError` naming the line that cannot be read."""
    rows = []
    for number, line in enumerate((DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(make(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{name}, line {number}: cannot be read ({error!r}): {line[:80]}") from error
    return rows


def lines_of(name: str) -> list[tuple[int, str]]:
    """The lines of a text file in `data/` with their numbers, without remarks and empty ones."""
    lines = enumerate((DATA / name).read_text(encoding="utf-8").splitlines(), 1)
    return [(number, line) for number, line in lines if line.strip() and not line.startswith("# ")]


@cache
def words_named(name: str) -> tuple[str, ...]:
    """A list of `data/endings.jsonl`."""
    lists: dict[str, list[str]] = dict(rows_of("endings.jsonl", _words))
    return tuple(lists[name])


def _words(row: dict[str, Any]) -> tuple[str, list[str]]:
    return row["name"], [*row["words"]]


@cache
def instructions() -> re.Pattern[str]:
    """What text that speaks to a model looks like, over folded words."""
    patterns = []
    for number, line in lines_of("instructions.txt"):
        try:
            re.compile(line)
        except re.error as error:
            raise ValueError(f"instructions.txt, line {number}: cannot be read ({error}): {line}") from error
        patterns.append(f"(?:{line})")
    return re.compile("|".join(patterns), re.MULTILINE)


def speaks_to_a_model(text: str) -> bool:
    """Whether the text reads like instructions to a model. Nothing is learned from it."""
    return instructions().search(" ".join(folded(tidied(text)).split())) is not None
