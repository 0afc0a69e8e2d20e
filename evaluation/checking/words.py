"""Words of names and texts in one form: no accents, no capitals, no plural. The same in English and Spanish."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_CAMEL: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_GENDER: Final = re.compile(r"(?<=[a-z]{2})(ad|id|iv|os|ic|an|ar|al|st|ct|id|iel|lid|err)[oa]$")
_MAX_TEXT: Final = 20_000


@lru_cache(4_096)
def folded(text: str) -> str:
    """The text in small letters without accents, typographic signs as plain ones."""
    text = text.replace("’", "'").replace("–", "-").replace("—", "-").casefold()
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


@lru_cache(8_192)
def stem(word: str) -> str:
    """One form for singular, plural and what Spanish adjectives end in: hotels, hoteles; incluida, incluidos."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    if len(word) > 4 and word.endswith("sse"):
        return word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return _GENDER.sub(r"\1", word) if len(word) > 4 else word


@lru_cache(8_192)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a key as they are written, whatever its style: hotelQuality, hotel_quality, "Hotel-Quality"."""
    return tuple(_WORD.findall(folded(_CAMEL.sub(" ", name[:200]))))


@lru_cache(8_192)
def name_stems(name: str) -> tuple[str, ...]:
    """The words of a key in the one form."""
    return tuple(map(stem, name_words(name)))


def text_words(text: str) -> list[str]:
    """The words of a text, folded; numbers too."""
    return _WORD.findall(folded(text[:_MAX_TEXT]))


def text_stems(text: str) -> list[str]:
    """The words of a text in the one form."""
    return [stem(word) for word in text_words(text)]
