"""Normalised words, stems and the word lists of `data/`, in either language."""

import re
from functools import cache
from pathlib import Path
from typing import Final

from language.fold import fold_in_place, plain_signs, visible, without_controls
from language.stems import singular
from language.word_lists import rows_of, sections_of

DATA: Final = Path(__file__).parent / "data"
CONTENT_AT_MOST, SENTENCE_AT_MOST, SENTENCES_AT_MOST = 2_000, 400, 20
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+|[\n\r]+")


def normalised(text: str) -> str:
    """The text in small letters without accents and with straight quotes, each character in its old place."""
    return fold_in_place(plain_signs(text.replace("\xa0", " "), dashes=False))


def memory_sentences(content: str) -> list[str]:
    """The sentences of a memory, as far as they are read."""
    sentences = _SENTENCE.split(content[:CONTENT_AT_MOST])[:SENTENCES_AT_MOST]
    return [plain for plain in (visible(sentence)[:SENTENCE_AT_MOST] for sentence in sentences) if plain]


def stems(text: str) -> tuple[str, ...]:
    """The words of a text, folded, without articles and in the singular: what makes two phrases the same."""
    words = re.findall(r"\w+", normalised(text))
    return tuple(singular(word) for word in words if word not in words_named("articles")) or tuple(words)


@cache
def words_named(name: str) -> tuple[str, ...]:
    """A list of `data/endings.jsonl`."""
    lists: dict[str, tuple[str, ...]] = dict(
        rows_of(DATA / "endings.jsonl", lambda row: (row["name"], (*row["words"],)))
    )
    return lists[name]


@cache
def instructions() -> re.Pattern[str]:
    """The patterns of text that speaks to a model, over folded words."""
    patterns = sections_of(DATA / "instructions.txt", lambda _, line: re.compile(line))[""]
    return re.compile("|".join(f"(?:{pattern.pattern})" for pattern in patterns), re.MULTILINE)


def speaks_to_a_model(text: str) -> bool:
    """Whether the text reads like instructions to a model. Nothing is learned from it.

    A character that is not seen may part two words or hide in one, so it is read both ways.
    """
    return any(
        instructions().search(" ".join(normalised(form).split())) for form in (visible(text), without_controls(text))
    )
