"""What a form of the player sends, read once and made safe to store."""

import uuid
from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from lesson_engine.contracts import MAX_ANSWER, MAX_CHOICES, Reply
from lesson_engine.models import QuestionReport
from lesson_engine.player.state import OwnWord
from lesson_engine.services.questions import MAX_COMMENT
from lesson_engine.services.turns import turn_key
from lesson_engine.services.words import reply_dont_know, storable

_WORDS: Final[dict[str, OwnWord]] = {"yes": "yes", "partly": "partly", "no": "no"}


@dataclass(frozen=True)
class Submission:
    """A sent form.

    `version` is the state of the session that the browser saw, -1 when it cannot be read; `key` is that of this click;
    `ask_code` the question the values were typed for, empty when the form did not say. `kind` and `comment` are those
    of a report that the question is wrong, None and not used in any other form. `word` is the learner's own on an
    answer that was compared; None in any other form, and where it cannot be read.
    """

    version: int
    key: str
    ask_code: str
    values: tuple[str, ...]
    are_choices: bool
    is_dont_know: bool
    kind: QuestionReport.Kind | None
    comment: str
    word: OwnWord | None

    def reply(self, language: str) -> Reply:
        """The values as a reply; "I don't know" in the lesson's language for the button that says so."""
        if self.is_dont_know:
            return reply_dont_know(language)
        return Reply(choices=self.values) if self.are_choices else Reply(text="\n".join(self.values))


def submission(data: QueryDict, *, reports: bool = False) -> Submission:
    """Read a form. Nothing in it is refused: what makes no sense is stale, or an answer that cannot be graded."""
    version, kind = data.get("version", ""), data.get("kind", "")
    readable = version.isascii() and version.isdigit() and len(version) < 10
    values = tuple(storable(value[:MAX_ANSWER]) for value in data.getlist("answer")[:MAX_CHOICES])
    return Submission(
        version=int(version) if readable else -1,
        key=turn_key(storable(data.get("key", "")) or uuid.uuid4().hex),
        ask_code=storable(data.get("ask", ""))[:64],
        values=values,
        are_choices=data.get("form") == "choices",
        is_dont_know="dont_know" in data,
        kind=QuestionReport.Kind(kind if kind in QuestionReport.Kind.values else "other") if reports else None,
        word=_WORDS.get(data.get("said", "")),
        comment=storable("\n".join(data.get("comment", "")[: 2 * MAX_COMMENT].splitlines()))[:MAX_COMMENT],
    )
