"""A question cut into words and into spans of a few words, each with its vector."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from gateway.services import texts_embed_locally
from language import Language
from language.detect import language_of
from language.fold import compose, plain_signs, without_controls
from language.stems import stem
from language.tokens import Token, tokens_of

CHARACTERS_AT_MOST: Final = 1_000
WORDS_AT_MOST: Final = 60
"""Of a longer question the first words are read."""
SPAN_WORDS: Final = 4
Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Span:
    """Words `start` to `end` (not included) of a question; `text` as written, in lower case."""

    start: int
    end: int
    text: str
    words: tuple[str, ...]
    stems: frozenset[str]

    @property
    def size(self) -> int:
        return self.end - self.start


class Question:
    """A question with its words, its spans and their vectors (a row for each span, of norm 1)."""

    def __init__(self, text: str) -> None:
        self.text = plain_signs(without_controls(compose(text[:CHARACTERS_AT_MOST])))
        self.tokens: list[Token] = tokens_of(self.text)[:WORDS_AT_MOST]
        self.words = [token.word for token in self.tokens]
        self.language: Language = language_of(self.text)

    @cached_property
    def spans(self) -> list[Span]:
        """All spans of up to `SPAN_WORDS` words within a clause, the longer ones of each start last."""
        return [
            self.span(start, end)
            for start in range(len(self.tokens))
            for end in range(start + 1, min(start + SPAN_WORDS, len(self.tokens)) + 1)
            if not self._is_cut(start, end)
        ]

    @cached_property
    def vectors(self) -> Vectors:
        return texts_embed_locally([span.text for span in self.spans])

    def span(self, start: int, end: int) -> Span:
        words = tuple(self.words[start:end])
        return Span(start, end, self.phrase(start, end).lower(), words, frozenset(map(stem, words)))

    def phrase(self, start: int, end: int) -> str:
        """The words as they are written."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]

    def place(self, span: Span) -> int:
        """The number of a span among `spans`."""
        return self.places[span.start, span.end]

    @cached_property
    def places(self) -> dict[tuple[int, int], int]:
        return {(span.start, span.end): place for place, span in enumerate(self.spans)}

    def _is_cut(self, start: int, end: int) -> bool:
        """Whether punctuation that ends a clause is between the words."""
        return any(
            not set(self.text[left.end : right.start]).isdisjoint(",;:?!()¿¡.")
            for left, right in zip(self.tokens[start : end - 1], self.tokens[start + 1 : end], strict=True)
        )


def questions_prepare(questions: Sequence[Question]) -> None:
    """Embed the spans of several questions at once: half the time of one by one."""
    vectors = texts_embed_locally([span.text for question in questions for span in question.spans])
    start = 0
    for question in questions:
        question.vectors = vectors[start : start + len(question.spans)]
        start += len(question.spans)
