"""What may be remembered: checked before anything is computed or stored."""

import json
import re
from typing import Any

from django.utils.translation import gettext as _

from memory.contracts import TASK_TYPE_FORM, TASK_TYPE_LENGTH, EpisodeOutcome
from memory.errors import MemoryRefused

CONTENT_LENGTH = 8_000
METADATA_BYTES = 16 * 1024
METADATA_DEPTH = 20


def text_checked(text: object, name: str, most: int, *, empty: bool = False) -> str:
    """`text` if it can be stored: something, in at most `most` characters, without NUL or half a surrogate pair."""
    if not isinstance(text, str):
        raise MemoryRefused(_("The %(name)s is no text.") % {"name": name})
    if not empty and not text.strip():
        raise MemoryRefused(_("The %(name)s is empty.") % {"name": name})
    if len(text) > most:
        limits = {"name": name, "length": len(text), "most": most}
        raise MemoryRefused(_("The %(name)s has %(length)s characters, more than %(most)s.") % limits)
    if not is_storable(text):
        raise MemoryRefused(_("The %(name)s holds a NUL character or half of a surrogate pair.") % {"name": name})
    return text


def task_type_checked(task_type: object) -> str:
    """A task type such as "hotel_booking", or "" for none."""
    if not isinstance(task_type, str) or (task_type and not re.fullmatch(TASK_TYPE_FORM, task_type)):
        raise MemoryRefused(_("A task type has lower-case letters, digits and underscores, such as hotel_booking."))
    if len(task_type) > TASK_TYPE_LENGTH:
        raise MemoryRefused(_("A task type has at most %(most)s characters.") % {"most": TASK_TYPE_LENGTH})
    return task_type


def outcome_checked(outcome: EpisodeOutcome | str) -> EpisodeOutcome:
    """One of the outcomes, by name."""
    try:
        return EpisodeOutcome(outcome)
    except ValueError:
        names = ", ".join(EpisodeOutcome)
        raise MemoryRefused(_("The outcome is none of these: %(known)s.") % {"known": names}) from None


def metadata_checked(metadata: object) -> tuple[dict[str, Any], int]:
    """A JSON object and how many bytes it takes, written without spaces; {} and 2 for None."""
    if metadata is None:
        metadata = {}
    if not isinstance(metadata, dict):
        raise MemoryRefused(_("The metadata is no JSON object."))
    _values_require(metadata)
    try:
        written = json.dumps(metadata, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except ValueError:
        raise MemoryRefused(_("The metadata holds a number that JSON does not have.")) from None
    if len(written) > METADATA_BYTES:
        sizes = {"size": len(written), "most": METADATA_BYTES}
        raise MemoryRefused(_("The metadata takes %(size)s bytes, more than %(most)s.") % sizes)
    return metadata, len(written)


def _values_require(metadata: dict[Any, Any]) -> None:
    """Without recursion, and no further than what could be small enough: it may nest in itself."""
    left: list[tuple[object, int]] = [(metadata, 1)]
    count = 0
    while left:
        value, depth = left.pop()
        count += 1
        if count > METADATA_BYTES:
            raise MemoryRefused(_("The metadata takes more than %(most)s bytes.") % {"most": METADATA_BYTES})
        if isinstance(value, dict | list):
            if depth > METADATA_DEPTH:
                raise MemoryRefused(_("The metadata is nested deeper than %(most)s levels.") % {"most": METADATA_DEPTH})
            if isinstance(value, dict) and not all(isinstance(key, str) and is_storable(key) for key in value):
                raise MemoryRefused(_("The metadata has a key that is no text, or none that can be stored."))
            items = value.values() if isinstance(value, dict) else value
            left += [(item, depth + 1) for item in items]
        elif isinstance(value, str):
            if not is_storable(value):
                raise MemoryRefused(_("The metadata holds a NUL character or half of a surrogate pair."))
        elif not (value is None or isinstance(value, bool | int | float)):
            raise MemoryRefused(_("The metadata holds %(type)s, which is no JSON.") % {"type": type(value).__name__})


def is_storable(text: str) -> bool:
    """Whether PostgreSQL can hold it: no NUL, no half of a surrogate pair."""
    if "\0" in text:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
