"""Yes and no, as programs and people write them."""

from typing import Final

from .shortfalls import Shortfall, is_charged, shortfall_of
from .things import lists
from .values import is_missing
from .walk import Group, Listing
from .words import folded, name_stems

_SHORT: Final = 6
_NONE: Final = frozenset({"none", "ninguno", "ninguna"})
FREE: Final = frozenset(map(name_stems, ("free", "gratis", "gratuito", "gratuita")))


def is_free(value: object) -> bool | None:
    """Whether a price is none at all; None for what is no price."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value == 0
    if not isinstance(value, str) or is_missing(value):
        return None
    charged = is_charged(value)
    if charged is not None:
        return not charged
    if any((one,) in FREE for one in name_stems(value)):
        return True
    return False if any(c in "123456789" for c in value) else True if "0" in value else truth(value)


def truth(value: object, about: str = "") -> bool | None:
    """Yes or no as programs and people write it; a number or a list says yes unless there is none; None: unknown.

    `about`: what is asked; where that is a failure itself ("cancelled"), failing is no denial of it.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return value > 0 if value >= 0 else None
    if isinstance(value, Listing) and value.size and len(value.texts) == value.size:
        return not all(folded(one[:40]).strip(" .!") in lists().no_texts for one in value.texts)
    if isinstance(value, (Listing, Group)):
        return value.size > 0
    if not isinstance(value, str):
        return None if value is None else True
    text = folded(value[:80]).strip(" .!\"'()[]")
    if text in lists().no_texts:
        return False
    if text in lists().yes_texts:
        return True
    if is_missing(value):
        return None
    short = None if about and shortfall_of(about) else shortfall_of(value)
    if short is Shortfall.DOUBTFUL:
        return None
    return False if short else _opening(text)


def _opening(text: str) -> bool | None:
    """Longer answers: "no, only a hot tub", "not on site", "closed until May"."""
    spoken = tuple(text.replace(",", " ").replace("(", " ").replace(";", " ").split())
    if any(spoken[:size] in lists().denials_after or spoken[:size] in lists().denials_before for size in (1, 2, 3)):
        return False
    if any(spoken[at : at + size] in lists().denials_after for size in (2, 3) for at in range(min(6, len(spoken)))):
        return False
    if _NONE.intersection(spoken):
        return False
    is_short = len(spoken) < _SHORT
    return not (is_short and any((word,) in lists().denials_after and word != "no" for word in spoken))
