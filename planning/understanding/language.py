"""English or Spanish, told from short texts, also without accents. Words and endings: `data/languages.json`."""

import json
import re
from functools import cache
from typing import Final, Literal, NamedTuple

from planning.understanding.text import fold, tokens
from planning.understanding.types_words import DATA, LANGUAGES, verb_base, words

Language = Literal["en", "es"]

_READ: Final = 400  # characters: more of a text says nothing new
_ONLY_SPANISH: Final = re.compile(r"[¿¡ñáéíóúü]", re.IGNORECASE)
_FUNCTION, _KNOWN, _ENDING, _LETTER = 2.0, 1.0, 0.6, 1.0


class _Signs(NamedTuple):
    words: frozenset[str]
    endings: tuple[str, ...]


@cache
def _signs() -> dict[str, _Signs]:
    data = json.loads((DATA / "languages.json").read_text(encoding="utf-8"))
    return {
        language: _Signs(
            frozenset(fold(data[language]["words"]).split()),
            tuple(dict.fromkeys(fold(data[language]["endings"]).split())),
        )
        for language in LANGUAGES
    }


def language_of(text: str, *, otherwise: Language = "en") -> Language:
    """What a text is written in; `otherwise` where nothing tells, or as much speaks for either."""
    scores = dict.fromkeys(LANGUAGES, 0.0)
    for place, token in enumerate(tokens(text[:_READ])):
        for language, other in (LANGUAGES, LANGUAGES[::-1]):
            scores[language] += _speaks_for(token.word, language, other, begins=place == 0)
    scores["es"] += _LETTER * min(2, len(_ONLY_SPANISH.findall(text[:_READ])))
    if scores["es"] == scores["en"]:
        return otherwise
    return "es" if scores["es"] > scores["en"] else "en"


def _speaks_for(word: str, language: str, other: str, *, begins: bool) -> float:
    """How much a word says that the text is in a language and not in the other one."""
    known, signs = words().vocabulary, _signs()
    if word in signs[language].words:
        return 0 if word in signs[other].words else _FUNCTION
    if word in known[language] or verb_base(word, language):
        return 0 if word in known[other] or word in signs[other].words else _KNOWN
    if word in known[other] or word in signs[other].words or len(word) < 4:
        return 0
    infinitive = language == "es" and begins and word.endswith(("ar", "er", "ir"))
    return _ENDING if infinitive or word.endswith(signs[language].endings) else 0
