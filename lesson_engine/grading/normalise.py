"""Text to comparable forms: cleaned, folded, cut into words and stems. Every step bounds its work."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from .lexicon import Lexicon, lexicon
from .stems import stem

MAX_CHARS = 4_000
"""What is read of a reply; the rest is ignored, so that a long paste costs no more than a long answer."""
MAX_WORDS = 400

_TOKEN = re.compile(r"[^\W_]+|[.,;:!?\n()]")
_NOT = re.compile(r"n't\b")
_IS = re.compile(r"\b(it|that|there|here|what|he|she)'s\b")
_POSSESSIVE = re.compile(r"'s?\b")
_NOT_A_LIST_COMMA = re.compile(r"(?<=\d)[.,](?=\d)")


def clean(text: str) -> str:
    """NFKC without control, zero-width and private characters; line breaks stay, other white space is one blank."""
    text = unicodedata.normalize("NFKC", text[:MAX_CHARS])[:MAX_CHARS]
    kept = "".join(_visible(char) for char in text)
    return re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", kept)).strip()


def _visible(char: str) -> str:
    if char in "\n\t\r\v\f\x85\u2028\u2029":
        return "\t" if char == "\t" else "\n"
    category = unicodedata.category(char)
    # Cf holds the zero-width, bidi and tag characters; a space for Cc keeps "a\x00b" two words.
    if category == "Cf":
        return ""
    return " " if category in ("Cc", "Cs", "Co", "Cn") else char


def fold(text: str) -> str:
    """Cleaned, case folded, without accents (also n for ñ), with contractions of "not" spelt out."""
    decomposed = unicodedata.normalize("NFD", clean(text).casefold().replace("\u2019", "'"))
    bare = "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    bare = _IS.sub(r"\1 is", bare)
    return _POSSESSIVE.sub(" ", _NOT.sub(" not", bare.replace("can't", "can not").replace("cannot", "can not")))


def tokens(text: str) -> tuple[str, ...]:
    """Folded words, and a bar where a clause ends."""
    joined = _NOT_A_LIST_COMMA.sub("·", fold(text))
    found = _TOKEN.findall(joined)[: MAX_WORDS * 2]
    return tuple(token if token[0].isalnum() else "|" for token in found)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text in the forms that the rules compare."""

    text: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    content: tuple[str, ...]
    """Words without function words, in order; all words when there is nothing else."""
    stems: tuple[str, ...]
    """The stem of each word of `content`."""
    key: str
    """Equal for two texts that say the same but for case, accents, articles, lead-ins and punctuation."""


def read(text: str, language: str) -> Phrase:
    """All forms of a learner's text."""
    words_of = lexicon(language)
    parts = tokens(text)
    words = tuple(part for part in parts if part != "|")[:MAX_WORDS]
    content = tuple(word for word in words if word not in words_of.stopwords) or words
    return Phrase(
        text=clean(text),
        tokens=parts,
        words=words,
        content=content,
        stems=tuple(stem(word, language) for word in content),
        key=_key(words, words_of),
    )


@lru_cache(maxsize=4096)
def read_authored(text: str, language: str) -> Phrase:
    """`read` for the lesson's own texts, which come back with every answer."""
    return read(text, language)


def _key(words: tuple[str, ...], words_of: Lexicon) -> str:
    stripped = _without_lead_in(words, words_of)
    # An article at the very end is a name: "vitamin A".
    kept = [word for at, word in enumerate(stripped) if word not in words_of.articles or at == len(stripped) - 1]
    return " ".join(kept)


def _without_lead_in(words: tuple[str, ...], words_of: Lexicon) -> tuple[str, ...]:
    for _ in range(3):
        lead = next((lead for lead in words_of.lead_ins if words[: len(lead)] == lead), None)
        if lead is None or len(lead) == len(words):
            return words
        words = words[len(lead) :]
    return words
