"""The parts of a message that ask for something of their own: "if I resign, what tax is due, and who buys houses?"."""

import re
from typing import Final

from routing.engine.text import is_wordless

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
