"""The base of every error that a person or a program outside may see."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.functional import Promise

Location = tuple[str | int, ...]


def json_pointer(location: Location) -> str:
    """The place of a value in a JSON document, after RFC 6901."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in location)


class RowThere(Exception):
    """A row with the same unique values is there already: two at once did the same, and one was first."""


class AndamioError(Exception):
    """An expected refusal. `code` is stable and documented; `status` is the HTTP status that fits it.

    `title` and `description` are on the page of the problem's type: what it means and what to do. `retry_after` are
    seconds after which the same request may go through, None when waiting does not help.
    """

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 400
    title: ClassVar[str | Promise] = ""
    description: ClassVar[str | Promise] = ""
    retry_after: int | None = None

    def __init__(self, message: str, places: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.places = tuple(places)
        """What is wrong where, for a refusal with several reasons: pointers into the input, each with a sentence."""
