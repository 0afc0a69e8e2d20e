"""Whether a reflection is about its task, and whether it says something new. Source: RT-010, 1, metrics 4 and 5.

Scores are calibrated so that the thresholds of RT-010 mean what they say, for one embedder: another one is another
file. `python -m benchmarks.reflection_likeness --fit` writes it.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

import numpy as np

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from language.calibration import LogisticModel, logit, sigmoid

from .texts import DATA, Text, insight_read, is_adjusting, task_read, text_read, topic_words
from .vectors import Rows, TextVectors, cores_embed, texts_embed, words_near

FILE: Final = DATA / f"{LOCAL_EMBEDDING_MODEL}.json"
RELEVANT, NOVEL = 0.6, 0.3
"""Source: RT-010, 1: the thresholds. Where the model is as sure of one answer as of the other, the score is these."""
EXISTING_AT_MOST: Final = 200
"""Earlier reflections that are compared, but for those that are the same word for word."""
_CLOSELY: Final = 5
"""The most similar ones, which are compared sentence by sentence."""
_REPEATED: Final = 0.8
"""Cosine from which a sentence is a repetition. Measured: two wordings of one sentence have 0.5 to 0.95."""
_REST_SENTENCES, _REST_WORDS = 3, 8
"""The new rest of a text is an insight of its own where it has as many sentences and words."""
_SAME_WORD, _OTHER_WORD = 0.85, 0.5


@cache
def model_of(name: str) -> LogisticModel:
    """The model of "relevance" or "repetition"."""
    return LogisticModel.read(FILE, name)


def score(name: str, features: Mapping[str, float], even: float) -> float:
    """From 0 to 1; `even` where yes is as probable as no."""
    return sigmoid(model_of(name).log_odds(features) + logit(even))


def relevance_scored(reflection_text: str, task: str) -> float:
    """0 to 1, from 0.6 on relevant; 0 where one of the two is empty. English and Spanish, also one of each.

    Calibrated: the cosine of a reflection and its task is seldom over 0.3. Depth does not count, only what it is about.
    """
    reflection, asked = text_read(reflection_text), task_read(task)
    if not reflection.whole or not asked.whole:
        return 0.0
    return score("relevance", relevance_features(reflection, asked), RELEVANT)


def relevance_features(reflection: Text, task: Text) -> dict[str, float]:
    """The features of the model; neither text is empty."""
    about, asked = texts_embed([reflection, task])
    near = np.sort(words_near(asked, about))[::-1]
    by_sentence = about.sentences @ asked.whole
    return {
        "whole": float(about.whole @ asked.whole),
        "core": float(about.core @ asked.core),
        "sentence": float(by_sentence.max()),
        "word_best": float(near[0]) if near.size else 0.0,
        "word_mean": float(near.mean()) if near.size else 0.0,
        "words_there": float((near > 0.99).mean()) if near.size else 0.0,
    }


def novelty_scored(reflection_text: str, existing: Sequence[str]) -> float:
    """0 to 1, under 0.3 a repetition: 1 less the highest similarity to earlier reflections, calibrated.

    The same cause with other numbers, in other words, in the other language or in another task of the kind is a
    repetition, and so is one with a sentence left out or an empty one added; another cause is new, also beside an old
    one. What restates the failure (`insight_read`) counts neither way. Without earlier ones that say something it is
    1, whatever the text; else an empty text has 0. Of more than `EXISTING_AT_MOST` the first are compared, which should
    be the latest; of a long text the beginning.
    """
    earlier = [text for text in map(insight_read, existing[:EXISTING_AT_MOST]) if text.whole]
    if not earlier:
        return 1.0
    reflection = insight_read(reflection_text)
    if not reflection.whole or reflection in earlier or reflection_text in existing:
        return 0.0
    new, *others = texts_embed([reflection, *_closest(reflection, earlier)])
    return 1.0 - max(_similarity(new, other) for other in others)


def _closest(reflection: Text, earlier: Sequence[Text]) -> list[Text]:
    """The most similar, by their cores: one batch, and one product."""
    distinct = list(dict.fromkeys(earlier))
    cosines = cores_embed(distinct) @ cores_embed([reflection])[0]
    return [distinct[at] for at in np.argsort(-cosines, kind="stable")[:_CLOSELY]]


def _similarity(new: TextVectors, old: TextVectors) -> float:
    """The probability that the new one repeats the old; an addition that is long enough is judged alone too."""
    rest = rest_of(new, old)
    parts = (new,) if rest is None else (new, rest)
    return min(score("repetition", repetition_features(part, old), 1 - NOVEL) for part in parts)


def rest_of(new: TextVectors, old: TextVectors) -> TextVectors | None:
    """The sentences that the old one has not, where the new one has all of the old; None for all or too few."""
    cosines = new.sentences @ old.sentences.T
    if cosines.max(axis=0).min() < _REPEATED:
        return None
    covered = cosines.max(axis=1)
    left = [sentence for sentence, cosine in zip(new.text.sentences, covered, strict=True) if cosine < _REPEATED]
    if len(left) < _REST_SENTENCES or len(left) == len(covered) or len(topic_words(" ".join(left))) < _REST_WORDS:
        return None
    return texts_embed([insight_read(" ".join(left))])[0]


def repetition_features(new: TextVectors, old: TextVectors) -> dict[str, float]:
    """The features of the model: cosines and shares. `covered`: new sentences by old ones; `back`: the reverse."""
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


def _adjusted(new: TextVectors, old: TextVectors, cosines: Rows, *, default: float) -> float:
    """How far the adjustments of the new one were made before; the default where one of them adjusts nothing."""
    rows, columns = ([is_adjusting(sentence) for sentence in vectors.text.sentences] for vectors in (new, old))
    both = cosines[np.ix_(rows, columns)]
    return float(both.max(axis=1).min()) if both.size else default
