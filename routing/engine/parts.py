"""The parts of a message that ask for something of their own: "if I resign, what tax is due, and who buys houses?"."""

import re
from typing import Final

_BREAK: Final = re.compile(
    r"[.;:?!¿¡\n,()]+|\b(?:and|but|also|then|plus|while|or|y|e|pero|además|luego|mientras|o)\b", re.IGNORECASE
)
_WORDS_AT_LEAST: Final = 3
_AT_MOST: Final = 8


def parts_of(text: str) -> list[str]:
    """Its parts of three words at least, eight of them at most; none where there is only one."""
    parts = [part.strip() for part in _BREAK.split(text)]
    long = [part for part in parts if len(part.split()) >= _WORDS_AT_LEAST][:_AT_MOST]
    return long if len(long) > 1 else []
