"""A verdict as staff decide on it: what was asked and expected, what was answered, what the grader made of it."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from core.markup import markdown
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import LessonVersion, Turn, VerdictReview
from lesson_engine.reviewed import reviews_of
from lesson_engine.timeline import answers_shown
from lesson_engine.timeline_values import AnswerShown
from lesson_engine.workbench.addresses import timeline_url
from lesson_engine.workbench.expectations import Expected, expected_of

Text = str | Promise
FIRST_WORDS = 90
"""Characters of an answer in a line of the queue."""
RESULTS: Final[dict[str, Text]] = {
    VerdictResult.ACCEPT.value: pgettext_lazy("verdict", "Right"),
    VerdictResult.PARTIAL.value: pgettext_lazy("verdict", "Partly right"),
    VerdictResult.REJECT.value: pgettext_lazy("verdict", "Wrong"),
    VerdictResult.NOT_GRADABLE.value: pgettext_lazy("verdict", "Not an answer"),
}


@dataclass(frozen=True)
class Choice:
    """What an answer may be said to be worth. `graded`: the grader says so; `current`: staff said so last."""

    value: str
    name: Text
    graded: bool
    current: bool


@dataclass(frozen=True)
class Said:
    """A review, with what it says in words."""

    review: VerdictReview
    name: Text


@dataclass(frozen=True)
class Card:
    """`graded` is what the grader said, in the words of `choices`; `reviews` come the latest first."""

    turn: Turn
    version: LessonVersion
    question: SafeString
    objective: str
    expected: Expected
    answer: AnswerShown
    graded: Text
    reviews: tuple[Said, ...]
    choices: tuple[Choice, ...]

    @property
    def language(self) -> str:
        """In which the lesson is written, and most likely the answer."""
        return self.version.language

    @property
    def current(self) -> Said | None:
        """What counts of what staff said."""
        return next((said for said in self.reviews if said.review.current), None)

    @property
    def seen(self) -> int:
        """The id of the review that counts; 0 before the first."""
        return self.current.review.pk if self.current else 0

    @property
    def decidable(self) -> bool:
        """Whether there is anything to read and to judge."""
        return not self.answer.erased

    @property
    def learner(self) -> str:
        """By pseudonym where an integrator's program knows them under one."""
        user = self.turn.session.user
        return user.pseudonym or user.get_username()

    @property
    def timeline_url(self) -> str:
        """Where the turn stands in its session."""
        return timeline_url(self.turn)


@dataclass(frozen=True)
class Line:
    """An entry of the queue: where it leads, and as much as tells it from others."""

    turn: Turn
    words: str
    name: Text

    @property
    def lesson(self) -> str:
        """The slug of its lesson."""
        return self.turn.session.lesson.slug

    @property
    def language(self) -> str:
        """In which the lesson is written."""
        return self.turn.session.lesson_version.language


def card_of(turn: Turn) -> Card:
    """One query, and one more for a version that this process has not read. `turn` comes from `workbench.queue`."""
    version = turn.session.lesson_version
    outline = outline_of(version.pk)
    ask = outline.ask(turn.ask_code)
    said = tuple(Said(review, RESULTS[review.result]) for review in reviews_of(turn))
    current = next((one.review.result for one in said if one.review.current), "")
    return Card(
        turn=turn,
        version=version,
        question=markdown(ask.question),
        objective=ask.objective,
        expected=expected_of(ask, version.language),
        answer=answers_shown(outline, [turn])[0],
        graded=RESULTS[turn.result],
        reviews=said,
        choices=tuple(
            Choice(value, name, graded=value == turn.result, current=value == current)
            for value, name in RESULTS.items()
        ),
    )


def line_of(turn: Turn) -> Line:
    """No query: the turn comes from `workbench.queue`."""
    words = turn.words.text or ", ".join(turn.words.choices or ())
    shown = Truncator(" ".join(words.split())).chars(FIRST_WORDS)
    return Line(turn=turn, words=shown, name=RESULTS[turn.result])


def done_in_words(review: VerdictReview, reader: User) -> str:
    """What came of a decision, for whoever took it."""
    names = {"code": review.ask_code, "said": RESULTS[review.result], "graded": RESULTS[review.graded]}
    if review.by_id != reader.pk:
        by = {"name": review.by.get_username()}
        return _("%(code)s: %(name)s had said “%(said)s” before, so nothing was added.") % (names | by)
    if review.result == review.graded:
        return _("%(code)s: “%(said)s” confirmed.") % names
    text = _("%(code)s: “%(said)s” instead of “%(graded)s”.") % names
    scored = _("The session was scored anew.")
    return f"{text} {scored}" if review.rescoring_id else text
