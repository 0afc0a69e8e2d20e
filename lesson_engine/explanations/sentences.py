"""What the tutor says to learners about their answers, in both languages, by when it says it.

Read from the kept catalogue, which has every text with the files that it stands in: what these files say is listed
whole, and nothing is listed by hand.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise
Part = tuple[Text, bool]
"""A piece of a sentence, and whether it stands for words that are put in there."""

_TAG: Final = re.compile(r"</?\w[^<>]*>")
_PUT_IN: Final = re.compile(r"%\((\w+)\)s")
_PUT_IN_NAMES: Final[dict[str, Text]] = {
    "own": _("the learner's words"),
    "authored": _("words of the lesson"),
    **dict.fromkeys(("n", "all", "of", "attempt", "attempts", "mastered", "percent"), _("number")),
}


@dataclass(frozen=True)
class Sentence:
    """In both languages. Where a number makes a difference, the form for one and that for several are two sentences."""

    english: tuple[Part, ...]
    spanish: tuple[Part, ...]


@dataclass(frozen=True)
class Moment:
    """When things are said, and the files that say them."""

    title: Text
    when: Text
    files: tuple[str, ...]


@dataclass(frozen=True)
class MomentSentences:
    moment: Moment
    sentences: tuple[Sentence, ...]


MOMENTS: Final = (
    Moment(
        _("Asking"),
        _("Beside the field, and on the buttons below it."),
        ("lesson_engine/learn/steps.py", "templates/lesson_engine/_ask.html"),
    ),
    Moment(
        _("Right after an answer"),
        _("The first line of the notice; what the author wrote for this case comes below it."),
        ("lesson_engine/explanations/notices.py", "templates/lesson_engine/_notice.html"),
    ),
    Moment(
        _("The tutor is not sure"),
        _("It asks once for other words; then the learner compares the answer with the author's."),
        ("lesson_engine/explanations/unsure.py", "templates/lesson_engine/_compare.html"),
    ),
    Moment(
        _("No answer to the question"),
        _("“I don't know”, a greeting, something else altogether, or nothing that can be read."),
        ("lesson_engine/explanations/no_answer.py",),
    ),
    Moment(
        _("While the question is open"),
        _("What to look at before the next try. None of it gives the answer away."),
        ("lesson_engine/explanations/while_open.py",),
    ),
    Moment(
        _("What the tutor does next"),
        _("In adaptive mode, below the notice."),
        ("lesson_engine/explanations/moves.py",),
    ),
    Moment(
        _("Once the question is closed"),
        _("Beside the author's answer."),
        ("lesson_engine/explanations/once_closed.py",),
    ),
    Moment(
        _("“Why this?”"),
        _("What decided, to unfold below every notice. What helps with the next try stands in the notice as well."),
        ("lesson_engine/explanations/rules.py",),
    ),
    Moment(
        _("A report, and a second look"),
        _("A question is reported or withdrawn, or staff look at an answer again."),
        ("lesson_engine/explanations/second_look.py", "templates/lesson_engine/_report.html"),
    ),
    Moment(
        _("The page was left behind"),
        _("The answer came from a page that is no longer the latest, or is still being checked."),
        ("templates/lesson_engine/player.html",),
    ),
    Moment(
        _("At the end"),
        _("The result of a lesson, and what to review."),
        (
            *(
                "lesson_engine/learn/results.py",
                "lesson_engine/learn/course_pages.py",
                "lesson_engine/outcomes/goals.py",
            ),
            *("templates/lesson_engine/finished.html", "templates/lesson_engine/_goals.html"),
            *("templates/lesson_engine/review.html", "templates/lesson_engine/_review_group.html"),
        ),
    ),
)


def tutor_sentences() -> tuple[MomentSentences, ...]:
    """All of them, in the order in which the files have them. No query; the catalogue is read each time."""
    path = Path(settings.LOCALE_PATHS[0]) / "es" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as source:
        catalogue = read_po(source, locale="es")
    return tuple(MomentSentences(moment, tuple(_sentences(catalogue, moment.files))) for moment in MOMENTS)


def _sentences(catalogue: Catalog, files: Sequence[str]) -> Iterator[Sentence]:
    for message in catalogue:
        if message.id and any(name in files for name, _line in message.locations):
            yield from map(_sentence, _forms(message.id), _forms(message.string))


def _forms(text: Any) -> Sequence[str]:
    """Of a message without a plural, of one with it, or of one that is not translated yet."""
    if not isinstance(text, list | tuple):
        return [text or ""]
    one, *several = text
    return [one.replace("%(n)s", "1"), *several]


def _sentence(english: str, spanish: str) -> Sentence:
    return Sentence(tuple(_parts(english)), tuple(_parts(spanish)))


def _parts(text: str) -> Iterator[Part]:
    """The text without markup, cut where something is put in."""
    for at, piece in enumerate(_PUT_IN.split(_TAG.sub("", text))):
        if at % 2:
            yield _PUT_IN_NAMES.get(piece, piece), True
        elif piece:
            yield piece.replace("%%", "%"), False
