"""Texts of tasks, checked and cleaned."""

import unicodedata
from typing import Final

from django.utils.translation import gettext as _

from language.fold import compose

TASK_LENGTH: Final = 2_000  # that of plans; `planning.contracts` is above this package
_SPACE: Final = frozenset("\t\n\r\v\f\x85")


def task_clean(task: str) -> str:
    """The task with its spaces normalised. Raises `ValueError` with a message for the user."""
    if not isinstance(task, str):
        raise ValueError(_("A task is a text, such as “Book hotel in Paris”; this is a %s.") % type(task).__name__)
    for character in task:
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in _SPACE:
            raise ValueError(_("A task is plain text; this one has the control character U+%04X.") % ord(character))
    clean = " ".join(compose(task).split())
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
