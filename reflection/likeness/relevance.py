"""Whether a reflection is about a task. Source: RT-010, 1, metric 4."""

import numpy as np

from .calibration import RELEVANT, model_of
from .texts import Text, task_read, text_read
from .vectors import texts_embed, words_near


def relevance_scored(reflection_text: str, task: str) -> float:
    """0 to 1, from 0.6 on relevant; 0 where one of the two is empty. English and Spanish, also one of each.

    Calibrated: the cosine of a reflection and its task is seldom over 0.3. Depth does not count, only what it is about.
    """
    reflection, asked = text_read(reflection_text), task_read(task)
    if not reflection.whole or not asked.whole:
        return 0.0
    return model_of("relevance").score(relevance_features(reflection, asked), RELEVANT)


def relevance_features(reflection: Text, task: Text) -> dict[str, float]:
    """What the model weighs; neither text is empty."""
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
