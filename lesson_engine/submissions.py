"""What a form of the player sends, read once and made safe to store."""

import hashlib
import uuid
from dataclasses import dataclass

from django.http import QueryDict
from django.utils import translation
from django.utils.translation import gettext as _

from lesson_engine.contracts import Reply
from lesson_engine.services.words import storable

MAX_ANSWER = 4_000
"""Characters of an answer that are read; far beyond "a sentence or two", and bounds the work of grading one."""
_MAX_FIELDS, _MAX_KEY = 50, 80


@dataclass(frozen=True)
class Submission:
    """A sent form.

    `version` is the state of the session that the browser saw, -1 when it cannot be read; `key` tells this click from
    others; `ask_code` is the question the values were typed for, empty when the form did not say.
    """

    version: int
    key: str
    ask_code: str
    values: tuple[str, ...]
    are_choices: bool
    is_dont_know: bool

    def reply(self, language: str) -> Reply:
        """The values as a reply; "I don't know" in the lesson's language for the button that says so."""
        if self.is_dont_know:
            with translation.override(language):
                return Reply(text=_("I don't know"))
        return Reply(choices=self.values) if self.are_choices else Reply(text="\n".join(self.values))


def submission(data: QueryDict) -> Submission:
    """Read a form. Nothing in it is refused: what makes no sense is stale, or an answer that cannot be graded."""
    version = data.get("version", "")
    readable = version.isascii() and version.isdigit() and len(version) < 10
    values = tuple(storable(value[:MAX_ANSWER]) for value in data.getlist("answer")[:_MAX_FIELDS])
    return Submission(
        version=int(version) if readable else -1,
        key=_key(storable(data.get("key", ""))),
        ask_code=storable(data.get("ask", ""))[:64],
        values=values,
        are_choices=data.get("form") == "choices",
        is_dont_know="dont_know" in data,
    )


def _key(given: str) -> str:
    """The key as given; one too long for its column by its hash, so that two of them stay two."""
    if len(given) > _MAX_KEY:
        return hashlib.sha256(given.encode()).hexdigest()
    return given or uuid.uuid4().hex
