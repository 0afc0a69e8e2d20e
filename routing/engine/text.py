"""Messages as the engine reads them: folded, bounded, and as a set of lexical features."""

import re
import unicodedata
from itertools import pairwise
from typing import Final, NamedTuple

from language import Language
from language.detect import language_clear
from language.fold import fold

READ = 2_000
"""Characters of a message that are read: of a longer one the beginning and the end, where the request usually is."""
_GRAM = 4
_WORD_AT_MOST = 40
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


class Question(NamedTuple):
    """A message as it is read, with its language: None where that is not clear."""

    text: str
    language: Language | None


def question_of(message: str) -> Question:
    """The question of a message, which costs a pass over it."""
    text = message_read(message)
    return Question(text, language_clear(text))


def message_read(message: str) -> str:
    """The part of a message that is read, without control characters, half surrogates and runs of blanks."""
    text = message.strip()
    if len(text) > 4 * READ:
        text = f"{text[: 2 * READ]} {text[-2 * READ :]}"
    text = text.encode("utf-8", "replace").decode("utf-8")
    readable = "".join(" " if _is_unseen(character) else character for character in text)
    words = " ".join(readable.split())
    return words if len(words) <= READ else f"{words[: READ // 2]} {words[-READ // 2 :]}"


def _is_unseen(character: str) -> bool:
    """Control characters and separators; the joiner of pictures is kept."""
    return unicodedata.category(character)[0] in "CZ" and character != "\u200d"


def is_wordless(message: str) -> bool:
    """Whether it has no word: only punctuation, digits, single letters, pictures."""
    return not _LETTERS.search(message)


def words_of(text: str) -> list[str]:
    """The words of a text, folded, in order; of a very long one the first."""
    folded = fold(text, compatible=True)[: 4 * READ]  # one sign may become eighteen
    return [word[:_WORD_AT_MOST] for word in _WORD.findall(folded)]


def features_of(words: list[str]) -> set[str]:
    """Words, pairs of neighbours, and four letters in a row, which survive inflection and slips."""
    features = set(words)
    features.update(f"{first} {second}" for first, second in pairwise(["^", *words, "$"]))
    for word in set(words):
        edged = f"<{word}>"
        features.update(f"#{edged[start : start + _GRAM]}" for start in range(len(edged) - _GRAM + 1))
    return features


_BREAK: Final = re.compile(
    r"[.;:?!¿¡\n,()]+|\b(?:and|but|also|then|plus|while|or|y|e|pero|además|luego|mientras|o)\b", re.IGNORECASE
)
_WORDS_AT_LEAST: Final = 3
_SHORT: Final = 8
"""Words of a message in which a single one may ask for something: "tax or brand?"."""
_AT_MOST: Final = 8


def is_short(text: str) -> bool:
    """Whether a message has so few words that each may ask for something."""
    return len(text.split(maxsplit=_SHORT)) <= _SHORT


def parts_of(text: str) -> list[str]:
    """Its parts of three words at least, of a short message of one; eight at most, and none where there is only one."""
    parts = [part.strip() for part in _BREAK.split(text)]
    least = 1 if is_short(text) else _WORDS_AT_LEAST
    long = [part for part in parts if len(part.split()) >= least and not is_wordless(part)]
    if len(long) > _AT_MOST:
        long = long[: _AT_MOST // 2] + long[-_AT_MOST // 2 :]
    return long if len(long) > 1 else []
