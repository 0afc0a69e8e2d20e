"""Texts with their vectors, by the local embedder, which remembers what it has seen."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gateway.services import texts_embed_locally

from .texts import Text, key_of, told

Rows = NDArray[np.float32]


class Seen(NamedTuple):
    """A text that is not empty, and vectors of norm 1. `weights` say how much each sentence tells; they sum up to 1."""

    text: Text
    whole: Rows
    core: Rows
    sentences: Rows
    cores: Rows
    words: Rows
    weights: NDArray[np.float64]


def cores_embed(texts: Sequence[Text]) -> Rows:
    """One row of each."""
    return texts_embed_locally([text.core for text in texts])


def texts_embed(texts: Sequence[Text]) -> list[Seen]:
    """In one go. None is kept in the database: reflections quote the tasks of people, who can be erased."""
    all_of = [[text.whole, text.core, *text.sentences, *text.cores, *text.words] for text in texts]
    vectors = texts_embed_locally([one for parts in all_of for one in parts])
    found, at = [], 0
    for text, parts in zip(texts, all_of, strict=True):
        found.append(_seen(text, vectors[at : at + len(parts)]))
        at += len(parts)
    return found


def _seen(text: Text, rows: Rows) -> Seen:
    count = len(text.sentences)
    telling = np.array([max(1, len(told(one))) for one in text.sentences], dtype=np.float64)
    sentences, cores, words = rows[2 : 2 + count], rows[2 + count : 2 + 2 * count], rows[2 + 2 * count :]
    return Seen(text, rows[0], rows[1], sentences, cores, words, telling / telling.sum())


def words_near(one: Seen, other: Seen) -> Rows:
    """How near each word of one is to the nearest of the other: 1 for forms of one word. Empty where one has none."""
    if not one.text.words or not other.text.words:
        return np.zeros(0, dtype=np.float32)
    keys = [np.array([key_of(word) for word in seen.text.words]) for seen in (one, other)]
    near = np.where(keys[0][:, None] == keys[1][None, :], 1.0, one.words @ other.words.T)
    return np.asarray(near.max(axis=1), dtype=np.float32)
