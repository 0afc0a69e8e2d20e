"""English and Spanish text: the foundations that every app takes from here. No Django, no app is imported.

- `fold`: accents, capitals, signs and what cannot be seen
- `tokens`: words with their places, sentences, patterns of phrases
- `names`: the words in names of fields (camelCase, snake_case)
- `stems`: singular, plural, stem
- `numbers`: numbers in digits; `number_words`: in words
- `units`: the one pint registry; `dates`: dates and times as ISO 8601 text
- `detect`: which language; `frequency`: how common a word is
- `word_lists` and `phrase_files`: data files; `calibration`: logistic curves;
  `layers`: those of small networks; `encoder`: vectors of words in their sentence
"""

from typing import Final, Literal

Language = Literal["en", "es"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "es")


def language_base(code: str) -> Language:
    """The language that a code such as `es-MX` is handled as; `en` for a language without data of its own."""
    return "es" if code[:2].lower() == "es" else "en"
