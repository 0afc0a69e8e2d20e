"""What two texts share, word by word and beyond what the question says already.

Soft cardinality is that of Jimenez, Becerra and Gelbukh (SemEval-2013 Task 7): a set's size in which words that are
alike count for less than one each.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .frequency import weight

Floats = NDArray[np.float64]
_SPELLING_POWER, _MEANING_POWER = 2.0, 4.0
_NOTHING = -1.0
"""Value of a share of nothing: the reference says no more than the question."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes of a reply A, a reference R and their common part, beside a question Q, as shares."""

    of_reference: float
    of_reply: float
    dice: float
    reply_in_question: float
    question_in_reply: float
    reference_in_question: float
    new_of_reference: float
    """Share of what the reference adds to the question that the reply has; -1 when it adds nothing."""
    new_of_reply: float
    reply_size: float
    reference_size: float
    only_reply: float


def coverage(
    wanted: Sequence[str], said: frozenset[str], question: frozenset[str], weights: dict[str, float]
) -> tuple[float, float]:
    """Weighted share of the wanted stems that are said: of those beyond the question, and of all."""
    stems = list(dict.fromkeys(wanted))
    new = [stem for stem in stems if stem not in question] or stems
    return _share(new, said, weights), _share(stems, said, weights)


def _share(stems: Sequence[str], said: frozenset[str], weights: dict[str, float]) -> float:
    whole = sum(weights[stem] for stem in stems)
    return sum(weights[stem] for stem in stems if stem in said) / whole if whole else _NOTHING


def spelling_likeness(words: Sequence[str]) -> Floats:
    """Share of letter groups that each two words have in common, squared: 1 for the same word."""
    groups = [_letter_groups(word) for word in words]
    found = np.eye(len(words))
    for at, first in enumerate(groups):
        for other in range(at + 1, len(groups)):
            shared = len(first & groups[other])
            if shared:
                alike = 2 * shared / (len(first) + len(groups[other]))
                found[at, other] = found[other, at] = alike**_SPELLING_POWER
    return found


def meaning_likeness(vectors: NDArray[np.float32]) -> Floats:
    """Cosine of each two words, nothing below 0, to the fourth power."""
    found: Floats = np.clip(vectors @ vectors.T, 0, 1).astype(np.float64) ** _MEANING_POWER
    np.fill_diagonal(found, 1.0)
    return found


def overlap(
    words: dict[str, int],
    likeness: Floats,
    question: Sequence[str],
    reply: Sequence[str],
    reference: Sequence[str],
    language: str,
) -> Overlap:
    """Soft cardinalities; `words` gives each word's place in the matrix."""
    worth = np.array([weight(word, language) for word in words])

    def size(*texts: Sequence[str]) -> float:
        places = sorted({words[word] for text in texts for word in text})
        return float((worth[places] / likeness[np.ix_(places, places)].sum(axis=1)).sum()) if places else 0.0

    a, q, r = size(reply), size(question), size(reference)
    aq, ar, qr, every = (
        size(reply, question),
        size(reply, reference),
        size(question, reference),
        size(reply, question, reference),
    )
    in_both, in_question, known = a + r - ar, a + q - aq, q + r - qr
    in_all = max(0.0, every - aq - ar - qr + q + a + r)
    tiny, least = 1e-6, 0.3
    return Overlap(
        of_reference=in_both / (r + tiny),
        of_reply=in_both / (a + tiny),
        dice=2 * in_both / (a + r + tiny),
        reply_in_question=in_question / (a + tiny),
        question_in_reply=in_question / (q + tiny),
        reference_in_question=known / (r + tiny),
        new_of_reference=(in_both - in_all) / (r - known + tiny) if r - known > least else _NOTHING,
        new_of_reply=(in_both - in_all) / (a - in_question + tiny) if a - in_question > least else _NOTHING,
        reply_size=a,
        reference_size=r,
        only_reply=every - qr,
    )


@lru_cache(maxsize=50_000)
def _letter_groups(word: str) -> frozenset[str]:
    padded = f"#{word}#"
    return frozenset(padded[at : at + n] for n in (2, 3) for at in range(len(padded) - n + 1))


@lru_cache(maxsize=4096)
def letter_runs(words: tuple[str, ...]) -> Counter[str]:
    """Runs of three to five letters, across word ends."""
    text = f" {' '.join(words)} "
    return Counter(text[at : at + n] for n in (3, 4, 5) for at in range(len(text) - n + 1))


def cosine(first: Counter[str], second: Counter[str]) -> float:
    """Cosine of two counts."""
    shared = sum(count * second[key] for key, count in first.items() if key in second)
    size = (sum(n * n for n in first.values()) * sum(n * n for n in second.values())) ** 0.5
    return shared / size if size else 0.0


def common_run(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for at, other in enumerate(second, 1):
            here = row[at]
            row[at] = before + 1 if word == other else max(here, row[at - 1])
            before = here
    return row[-1]


def near_pairs(stems: Sequence[str], reach: int = 4) -> frozenset[tuple[str, str]]:
    """Pairs of stems in their order, close to each other."""
    return frozenset(
        (first, other) for at, first in enumerate(stems) for other in stems[at + 1 : min(at + reach, len(stems))]
    )
