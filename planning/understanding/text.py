"""Text as tasks and preferences bring it: clean, and folded so that positions stay the same."""

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

TASK_LENGTH: Final = 2_000  # that of plans; `planning.contracts` is above this package
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’&.:][^\W_]+)*")
_SPACE: Final = frozenset("\t\n\r\v\f\x85")


class Token(NamedTuple):
    """A word of a text, folded, and where it stands."""

    word: str
    start: int
    end: int


def task_clean(task: str) -> str:
    """The task with its spaces normalised. Raises `ValueError` that says what was expected."""
    if not isinstance(task, str):
        raise ValueError(_("A task is a text, such as “Book hotel in Paris”; this is a %s.") % type(task).__name__)
    for character in task:
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in _SPACE:
            raise ValueError(_("A task is plain text; this one has the control character U+%04X.") % ord(character))
    clean = " ".join(unicodedata.normalize("NFC", task).split())
    if not any(character.isalnum() for character in clean):
        raise ValueError(
            _("A task says in words what is to be done, such as “Book hotel in Paris”; this one is empty.")
        )
    if len(clean) > TASK_LENGTH:
        raise ValueError(
            _("A task has at most %(limit)d characters; this one has %(length)d.")
            % {"limit": TASK_LENGTH, "length": len(clean)}
        )
    return clean


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    base = unicodedata.normalize("NFD", character)[0].lower()
    return base if len(base) == 1 else character


def fold(text: str) -> str:
    """Lower case without accents, character for character, so that a place in it is the same place in `text`."""
    return text.lower() if text.isascii() else "".join(map(_folded, text))


def tokens(text: str) -> list[Token]:
    """The words of a text in their order."""
    return [Token(found.group(), found.start(), found.end()) for found in _TOKEN.finditer(fold(text))]
