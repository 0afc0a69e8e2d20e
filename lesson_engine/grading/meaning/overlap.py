"""What two texts share, word by word and beyond what the question says already.

Soft cardinality is that of Jimenez, Becerra and Gelbukh (SemEval-2013 Task 7): a set's size in which words that are
alike count for less than one each.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .frequency import weight

Floats = NDArray[np.float64]
_SPELLING_POWER, _MEANING_POWER = 2.0, 4.0
_TINY, _SAME_DICE = 1e-6, 1e-9
_NOTHING = -1.0
"""Value of a share of nothing: the reference says no more than the question."""


class Overlap(NamedTuple):
    """Sizes of a reply A, references R and their common parts, as shares, given a question Q: one per reference."""

    of_reference: Floats
    of_reply: Floats
    dice: Floats
    reply_in_question: Floats
    question_in_reply: Floats
    reference_in_question: Floats
    new_of_reference: Floats
    """Share of what the reference adds to the question that the reply has; -1 when it adds nothing."""
    new_of_reply: Floats
    reply_size: Floats
    reference_size: Floats
    only_reply: Floats


def coverage(
    wanted: Sequence[str], typed: frozenset[str], question: frozenset[str], weights: dict[str, float]
) -> tuple[float, float]:
    """Weighted share of the wanted stems that are said: of those beyond the question, and of all."""
    stems = list(dict.fromkeys(wanted))
    new = [stem for stem in stems if stem not in question] or stems
    return _share(new, typed, weights), _share(stems, typed, weights)


def _share(stems: Sequence[str], typed: frozenset[str], weights: dict[str, float]) -> float:
    total = sum(weights[stem] for stem in stems)
    return sum(weights[stem] for stem in stems if stem in typed) / total if total else _NOTHING


def spelling_likeness(words: Sequence[str]) -> Floats:
    """Share of letter groups that each two words have in common, squared: 1 for the same word."""
    groups = [_letter_groups(word) for word in words]
    places = {group: at for at, group in enumerate(frozenset[str]().union(*groups))}
    groups_held = np.zeros((len(words), len(places)), dtype=np.float32)
    rows = np.repeat(np.arange(len(words)), [len(of_word) for of_word in groups])
    groups_held[rows, [places[group] for of_word in groups for group in of_word]] = 1
    shared = (groups_held @ groups_held.T).astype(np.float64)
    sizes = shared.diagonal()
    likeness: Floats = (2 * shared / (sizes[:, None] + sizes)) ** _SPELLING_POWER
    return likeness


def meaning_likeness(vectors: NDArray[np.float32]) -> Floats:
    """Cosine of each two words, nothing below 0, to the fourth power."""
    likeness: Floats = np.clip(vectors @ vectors.T, 0, 1).astype(np.float64) ** _MEANING_POWER
    np.fill_diagonal(likeness, 1.0)
    return likeness


def word_weights(words: Iterable[str], language: str) -> Floats:
    """The weight of each word."""
    return np.array([weight(word, language) for word in words])


def overlaps(
    words: dict[str, int],
    weights: Floats,
    likeness: Floats,
    question: Sequence[str],
    reply: Sequence[str],
    references: Sequence[Sequence[str]],
) -> Overlap:
    """Soft cardinalities for each reference; `words` gives each word's place in the weights and in the matrix."""
    members = np.zeros((2 + len(references), len(words)), dtype=bool)
    for row, text in zip(members, (reply, question, *references), strict=True):
        row[[words[word] for word in text]] = True
    a, q, r = members[0], members[1], members[2:]
    sets = np.concatenate([[a, q, a | q], r, r | a, r | q, r | a | q])
    near = sets.astype(np.float64) @ likeness
    sizes = np.divide(weights, near, out=np.zeros_like(near), where=sets).sum(axis=1)
    overlap = _overlap(*sizes[:3], *sizes[3:].reshape(4, -1))
    for at in np.flatnonzero(overlap.dice > overlap.dice.max() - _SAME_DICE):
        overlap.dice[at] = _dice(*(_size(np.flatnonzero(text), weights, likeness) for text in (a, r[at], r[at] | a)))
    return overlap


def _size(places: NDArray[np.intp], weights: Floats, likeness: Floats) -> float:
    """The size of a set of words, always by the same sums: which of two equal references is nearest hangs on it."""
    return float((weights[places] / likeness[places[:, None], places].sum(axis=1)).sum())


def _dice(a: float, r: Any, ar: Any) -> Any:
    return 2 * (a + r - ar) / (a + r + _TINY)


def _overlap(a: float, q: float, aq: float, r: Floats, ar: Floats, qr: Floats, every: Floats) -> Overlap:
    """From the sizes of reply, question and references, and of what each two of them and all three have together."""
    in_both, in_question, in_question_too = a + r - ar, a + q - aq, q + r - qr
    new = in_both - np.maximum(0.0, every - aq - ar - qr + q + a + r)
    least, one_each = 0.3, np.ones_like(r)
    return Overlap(
        of_reference=in_both / (r + _TINY),
        of_reply=in_both / (a + _TINY),
        dice=_dice(a, r, ar),
        reply_in_question=in_question / (a + _TINY) * one_each,
        question_in_reply=in_question / (q + _TINY) * one_each,
        reference_in_question=in_question_too / (r + _TINY),
        new_of_reference=np.where(r - in_question_too > least, new / (r - in_question_too + _TINY), _NOTHING),
        new_of_reply=new / (a - in_question + _TINY) if a - in_question > least else _NOTHING * one_each,
        reply_size=a * one_each,
        reference_size=r,
        only_reply=every - qr,
    )


@lru_cache(maxsize=50_000)
def _letter_groups(word: str) -> frozenset[str]:
    padded = f"#{word}#"
    return frozenset(padded[at : at + n] for n in (2, 3) for at in range(len(padded) - n + 1))


class Runs(NamedTuple):
    """How often each run of letters occurs, and the sum of the squares of these counts."""

    counts: Counter[str]
    square: int


@lru_cache(maxsize=4096)
def letter_runs(words: tuple[str, ...]) -> Runs:
    """Runs of three to five letters, across word ends."""
    text = f" {' '.join(words)} "
    counts = Counter(text[at : at + n] for n in (3, 4, 5) for at in range(len(text) - n + 1))
    return Runs(counts, sum(n * n for n in counts.values()))


def cosine(first: Runs, second: Runs) -> float:
    """Cosine of two counts."""
    ours, theirs = first.counts, second.counts
    shared = sum(ours[key] * theirs[key] for key in ours.keys() & theirs.keys())
    size = (first.square * second.square) ** 0.5
    return shared / size if size else 0.0


def common_run(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, by Hyyrö's bit-parallel rows."""
    places: dict[str, int] = {}
    for at, word in enumerate(second):
        places[word] = places.get(word, 0) | 1 << at
    whole = row = (1 << len(second)) - 1
    for word in first:
        met = row & places.get(word, 0)
        row = ((row + met) | (row - met)) & whole
    return len(second) - row.bit_count()


@lru_cache(maxsize=4096)
def near_pairs(stems: tuple[str, ...], reach: int = 4) -> frozenset[tuple[str, str]]:
    """Pairs of stems in their order, close to each other."""
    return frozenset(
        (first, other) for at, first in enumerate(stems) for other in stems[at + 1 : min(at + reach, len(stems))]
    )
