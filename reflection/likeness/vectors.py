"""Texts with their vectors, by the local embedder."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gateway.services import texts_embed_locally

from .texts import Text, key_of, topic_words

Rows = NDArray[np.float32]


class TextVectors(NamedTuple):
    """A text that is not empty, and vectors of norm 1. `weights` of sentences are by their words, and sum up to 1."""

    text: Text
    whole: Rows
    core: Rows
    sentences: Rows
    cores: Rows
    words: Rows
    weights: NDArray[np.float64]


def cores_embed(texts: Sequence[Text]) -> Rows:
    """A row for each."""
    return texts_embed_locally([text.core for text in texts])


def texts_embed(texts: Sequence[Text]) -> list[TextVectors]:
    """In one go. None is kept in the database: reflections quote the tasks of people, who can be erased."""
    all_of = [[text.whole, text.core, *text.sentences, *text.cores, *text.words] for text in texts]
    vectors = texts_embed_locally([part for parts in all_of for part in parts])
    embedded, at = [], 0
    for text, parts in zip(texts, all_of, strict=True):
        embedded.append(_vectors(text, vectors[at : at + len(parts)]))
        at += len(parts)
    return embedded


def _vectors(text: Text, rows: Rows) -> TextVectors:
    count = len(text.sentences)
    telling = np.array([max(1, len(topic_words(sentence))) for sentence in text.sentences], dtype=np.float64)
    sentences, cores, words = rows[2 : 2 + count], rows[2 + count : 2 + 2 * count], rows[2 + 2 * count :]
    return TextVectors(text, rows[0], rows[1], sentences, cores, words, telling / telling.sum())


def words_near(first: TextVectors, second: TextVectors) -> Rows:
    """How near each word of the first is to the nearest of the second: 1 for forms of one word. Empty without words."""
    if not first.text.words or not second.text.words:
        return np.zeros(0, dtype=np.float32)
    keys = [np.array([key_of(word) for word in vectors.text.words]) for vectors in (first, second)]
    near = np.where(keys[0][:, None] == keys[1][None, :], 1.0, first.words @ second.words.T)
    return np.asarray(near.max(axis=1), dtype=np.float32)
