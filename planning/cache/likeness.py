"""How alike two tasks are beyond what word lists know: by the vectors of what they share and of what they do not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gateway.contracts import Vectors
from planning.cache.contracts import Addition, Relation

Embed = Callable[[Sequence[str]], Vectors]
SAME_WORD: Final = 0.78
"""Cosine of two wordings from which they may mean the same."""
LOOSE_AT_MOST: Final = 12
"""Loose words of one side that are looked at; with more the tasks are not alike."""


@dataclass(frozen=True)
class Likeness:
    """What the calibrated model looks at; all from 0 to 1 but the counts.

    `cosine` of the tasks without what one only adds; `share` of the words that both have; `phrase`: cosine of what
    is loose on either side, as one text each; `worst` and `mean`: how near the loose words are to their nearest ones.
    `common`: how many pieces both have; `is_told`: neither asks for something.
    `is_exchanged`: a known thing, deed or quality of each has nothing like it in the other.
    """

    cosine: float
    share: float
    phrase: float
    worst: float
    mean: float
    loose_cached: int
    loose_new: int
    common: int
    is_told: bool
    is_exchanged: bool


def without_additions(task: str, additions: Sequence[Addition]) -> str:
    """The task without what it only adds."""
    for addition in sorted(additions, key=lambda one: -one.start):
        task = task[: addition.start] + " " + task[addition.end :]
    return " ".join(task.split()).replace(" ,", ",").strip(" ,") or "-"


@dataclass(frozen=True)
class _Pair:
    cached: str
    new: str
    relation: Relation

    @property
    def loose(self) -> tuple[list[str], list[str]]:
        """The loose wordings of both sides."""
        relation = self.relation
        return [one.text for one in relation.loose_cached], [one.text for one in relation.loose_new]

    @property
    def texts(self) -> list[str]:
        cached, new = self.loose
        texts = [self.cached, without_additions(self.new, self.relation.additions)]
        if cached and new and max(len(cached), len(new)) <= LOOSE_AT_MOST:
            texts += [*cached, *new, " ".join(cached), " ".join(new)]
        return texts


def likenesses_of(pairs: Sequence[tuple[str, str, Relation]], embed: Embed) -> list[Likeness]:
    """The likeness of cached and new tasks, each pair with its relation. Embeds everything at once."""
    made = [_Pair(*pair) for pair in pairs]
    texts = list(dict.fromkeys(text for pair in made for text in pair.texts))
    if not texts:
        return []
    vectors = dict(zip(texts, embed(texts), strict=True))
    return [_likeness(pair, vectors) for pair in made]


def _likeness(pair: _Pair, vectors: "dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]]") -> Likeness:
    cached, new = pair.loose
    texts = pair.texts
    cosine = float(vectors[texts[0]] @ vectors[texts[1]])
    common = pair.relation.common
    share = common / max(common + max(len(cached), len(new)), 1)
    plain = Likeness(
        cosine=min(cosine, 1.0),
        share=share,
        phrase=1.0,
        worst=1.0,
        mean=1.0,
        loose_cached=len(cached),
        loose_new=len(new),
        common=common,
        is_told=pair.relation.is_told,
        is_exchanged=False,
    )
    if not cached and not new:
        return plain
    if len(texts) == 2:
        return replace(plain, phrase=0.0, worst=0.0, mean=0.0)
    near = np.stack([vectors[text] for text in cached]) @ np.stack([vectors[text] for text in new]).T
    known_cached = [one.known for one in pair.relation.loose_cached]
    known_new = [one.known for one in pair.relation.loose_new]
    near = np.where(np.outer(known_cached, known_new), 0.0, near)  # two that are known and differ
    best = np.concatenate([near.max(axis=1), near.max(axis=0)])
    phrase = float(vectors[" ".join(cached)] @ vectors[" ".join(new)])
    lone_cached = np.asarray(known_cached) & (near.max(axis=1) < SAME_WORD)
    lone_new = np.asarray(known_new) & (near.max(axis=0) < SAME_WORD)
    return replace(
        plain,
        phrase=phrase,
        worst=float(best.min()),
        mean=float(best.mean()),
        is_exchanged=bool(lone_cached.any() and lone_new.any()),
    )


__all__ = ("LOOSE_AT_MOST", "SAME_WORD", "Embed", "Likeness", "likenesses_of", "without_additions")
