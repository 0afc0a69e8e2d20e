"""Whether a reflection says something that earlier ones do not. Source: RT-010, 1, metric 5."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from .calibration import NOVEL, model_of
from .texts import Text, insight_read, is_adjusting, told
from .vectors import Rows, Seen, cores_embed, texts_embed, words_near

EXISTING_AT_MOST: Final = 200
"""Earlier reflections that are compared, but for those that are the same word for word."""
_CLOSELY: Final = 5
"""The most similar ones, which are compared sentence by sentence."""
_SAID: Final = 0.8
"""Cosine from which a sentence has been said already. Measured: two wordings of one sentence have 0.5 to 0.95."""
_REST_SENTENCES, _REST_WORDS = 3, 8
"""What is left of a text beside an earlier one is an insight of its own where it is at least as long."""
_SAME_WORD, _OTHER_WORD = 0.85, 0.5


def novelty_scored(reflection_text: str, existing: Sequence[str]) -> float:
    """0 to 1, under 0.3 a repetition: 1 less the highest similarity to earlier reflections, calibrated.

    The same cause with other numbers, in other words, in the other language or in another task of the kind is a
    repetition, and so is one with a sentence left out or an empty one added; another cause is new, also beside an old
    one. What restates the failure (`insight_read`) counts neither way. Without earlier ones that say something it is
    1, whatever the text; else an empty text has 0. Of more than `EXISTING_AT_MOST` the first are compared, which should
    be the latest; of a long text the beginning.
    """
    said = [text for text in map(insight_read, existing[:EXISTING_AT_MOST]) if text.whole]
    if not said:
        return 1.0
    reflection = insight_read(reflection_text)
    if not reflection.whole or reflection in said or reflection_text in existing:
        return 0.0
    return 1.0 - _repetition(reflection, _closest(reflection, said))


def _closest(reflection: Text, said: Sequence[Text]) -> list[Text]:
    """The most similar, by their cores: one batch, and one product."""
    distinct = list(dict.fromkeys(said))
    cosines = cores_embed(distinct) @ cores_embed([reflection])[0]
    return [distinct[at] for at in np.argsort(-cosines, kind="stable")[:_CLOSELY]]


def _repetition(reflection: Text, closest: Sequence[Text]) -> float:
    new, *others = texts_embed([reflection, *closest])
    return max(_similarity(new, other) for other in others)


def _similarity(new: Seen, old: Seen) -> float:
    """How probable it is that the one repeats the other; what it adds is looked at alone where it is long enough."""
    model = model_of("repetition")
    similarity = model.score(repetition_features(new, old), 1 - NOVEL)
    rest = rest_of(new, old)
    return similarity if rest is None else min(similarity, model.score(repetition_features(rest, old), 1 - NOVEL))


def rest_of(new: Seen, old: Seen) -> Seen | None:
    """What the other does not say, where it says all of the other; None where that is all or next to nothing."""
    cosines = new.sentences @ old.sentences.T
    if cosines.max(axis=0).min() < _SAID:
        return None
    covered = cosines.max(axis=1)
    left = [one for one, cosine in zip(new.text.sentences, covered, strict=True) if cosine < _SAID]
    if len(left) < _REST_SENTENCES or len(left) == len(covered) or len(told(" ".join(left))) < _REST_WORDS:
        return None
    return texts_embed([insight_read(" ".join(left))])[0]


def repetition_features(new: Seen, old: Seen) -> dict[str, float]:
    """What the model weighs, cosines and shares. `covered`: the new sentences by the old ones; `back`: the reverse."""
    plain = new.sentences @ old.sentences.T
    cores = new.cores @ old.cores.T
    covered = cores.max(axis=1)
    near = np.sort(words_near(new, old))
    return {
        "whole": float(new.whole @ old.whole),
        "core": float(new.core @ old.core),
        "sentence_best": _adjusted(new, old, plain, default=float(plain.max())),
        "covered": float(covered @ new.weights),
        "covered_least": float(covered.min()),
        "adjusted": _adjusted(new, old, cores, default=float(covered @ new.weights)),
        "back": float(cores.max(axis=0) @ old.weights),
        "words_far": float(near[: max(1, near.size // 4)].mean()) if near.size else 0.0,
        "words_other": float((near < _OTHER_WORD).mean()) if near.size else 1.0,
        "words_same": float((near > _SAME_WORD).mean()) if near.size else 0.0,
    }


def _adjusted(new: Seen, old: Seen, cosines: Rows, *, default: float) -> float:
    """How far what the new one adjusts was adjusted before; the default where one of them adjusts nothing."""
    rows, columns = ([is_adjusting(one) for one in seen.text.sentences] for seen in (new, old))
    both = cosines[np.ix_(rows, columns)]
    return float(both.max(axis=1).min()) if both.size else default
