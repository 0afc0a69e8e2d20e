"""English or Spanish, by how common each word is in either: short texts too, also without accents."""

import math
import re
from collections import Counter
from functools import cache
from typing import Final

from language import LANGUAGES, Language
from language.frequency import frequencies
from language.tokens import tokens_of

_READ: Final = 400  # characters: more of a text says nothing new
_ONLY_SPANISH: Final = re.compile(r"[¿¡ñáéíóúü]", re.IGNORECASE)
_SIGNS_AT_MOST: Final = 2
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])['’](?=[^\W\d_])")  # of English: it's, don't
_LEAST: Final = 0.9
"""A word that is as common in one language as in the other, but for less than this, says nothing."""
_UNLISTED: Final = 2.5
"""The frequency in one language of a word that only the other one lists."""
_WORD_AT_LEAST, _ENDING = 4, 2


def language_of(text: str, *, otherwise: Language = "en") -> Language:
    """The language of a text; `otherwise` where no word of it is listed, or as much speaks for either."""
    return language_clear(text) or otherwise


def language_clear(text: str) -> Language | None:
    """The same, but None where it is not clear."""
    evidence = english_evidence(text)
    if evidence == 0:
        return None
    return "en" if evidence > 0 else "es"


def english_evidence(text: str) -> float:
    """How much commoner the words of a text are in English than in Spanish; negative where it is the other way round.

    The sum of differences of Zipf frequencies: 1 is ten times as common. A word listed in neither language counts
    by how many listed words end as it does.
    """
    english, spanish, text = frequencies("en"), frequencies("es"), text[:_READ]
    evidence = 2.0 * min(_SIGNS_AT_MOST, len(_APOSTROPHE.findall(text)))
    evidence -= min(_SIGNS_AT_MOST, len(_ONLY_SPANISH.findall(text)))
    for token in tokens_of(text):
        if token.word in english or token.word in spanish:
            difference = english.get(token.word, _UNLISTED) - spanish.get(token.word, _UNLISTED)
            evidence += difference if abs(difference) >= _LEAST else 0.0
        elif len(token.word) >= _WORD_AT_LEAST:
            evidence += _endings().get(token.word[-_ENDING:], 0.0)
    return evidence


@cache
def _endings() -> dict[str, float]:
    """How much commoner the last two letters of words are in English, as a power of ten."""
    english, spanish = (
        Counter(word[-_ENDING:] for word in frequencies(language) if len(word) > _ENDING) for language in LANGUAGES
    )
    return {end: math.log10((english[end] + 1) / (spanish[end] + 1)) for end in {*english, *spanish}}
