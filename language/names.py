"""The words in names as programs write them: hotelQuality, hotel_quality, "Hotel-Quality", HTTPServer."""

import re
from functools import lru_cache
from typing import Final

from language.fold import fold

NAME_AT_MOST: Final = 200
"""Characters of a name that are read."""
_CAMEL: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)?")


def split_camel(name: str) -> str:
    """The name with a blank at each hump: "hotelQuality" is "hotel Quality"."""
    return _CAMEL.sub(" ", name)


@lru_cache(8_192)
def name_words(name: str) -> tuple[str, ...]:
    """The folded words and numbers of a name."""
    return tuple(_WORD.findall(fold(split_camel(name[:NAME_AT_MOST]), compatible=True)))
