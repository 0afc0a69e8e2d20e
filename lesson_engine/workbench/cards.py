"""A verdict as staff decide on it: what was asked and expected, what was answered, what the grader made of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from core.pages.markup import markdown
from lesson_engine.contracts import VerdictResult
from lesson_engine.explanations import NOT_SURE
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionReport, QuestionVoid, Turn, VerdictReview
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player.outline import Outline
from lesson_engine.timeline.page import answer_view, own_word_name
from lesson_engine.timeline.values import AnswerView, Text
from lesson_engine.workbench.addresses import timeline_url
from lesson_engine.workbench.expectations import ExpectedView, expected_view
from lesson_engine.workbench.reviewed import reviews_of

FIRST_WORDS = 90
"""Characters of an answer in a line of the queue."""
RESULTS: Final[dict[str, Text]] = {
    VerdictResult.ACCEPT.value: pgettext_lazy("verdict", "Right"),
    VerdictResult.PARTIAL.value: pgettext_lazy("verdict", "Partly right"),
    VerdictResult.REJECT.value: pgettext_lazy("verdict", "Wrong"),
    VerdictResult.NOT_GRADABLE.value: pgettext_lazy("verdict", "Not an answer"),
}
LISTED = 20


@dataclass(frozen=True)
class ChoiceView:
    """A result that an answer may get. `graded`: the grader was sure of it; `current`: that of the latest review."""

    value: str
    name: Text
    graded: bool
    current: bool


@dataclass(frozen=True)
class ReviewView:
    """A review, with what it says in words."""

    review: VerdictReview
    name: Text

    @property
    def takes_back(self) -> bool:
        """Whether it says nothing of its own and undoes the one before."""
        return self.review.takes_back_id is not None


@dataclass(frozen=True)
class CardView:
    """`graded` is what the grader said, in the words of `choices`, or that it was not sure; `reviews` come the latest
    first.

    `own_word` is what the learner said who compared the answer with the author's; empty where they did not.
    """

    turn: Turn
    version: LessonVersion
    question: SafeString
    objective: str
    expected: ExpectedView
    answer: AnswerView
    own_word: Text
    graded: Text
    reviews: tuple[ReviewView, ...]
    choices: tuple[ChoiceView, ...]

    @property
    def language(self) -> str:
        """Of the lesson, and most likely of the answer."""
        return self.version.language

    @property
    def current(self) -> ReviewView | None:
        """The review that counts."""
        return next((view for view in self.reviews if view.review.current), None)

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
        return timeline_url(self.turn)


@dataclass(frozen=True)
class LineView:
    """An entry of the queue, in as many words as distinguish it from others."""

    turn: Turn
    words: str
    name: Text

    @property
    def mark(self) -> str:
        """What its colour goes by."""
        return "not_sure" if is_doubtful(self.turn) else self.turn.result.lower()

    @property
    def full(self) -> str:
        """Everything that was written, in one line."""
        return " ".join((self.turn.words.text or "").split())

    @property
    def lesson(self) -> str:
        return self.turn.session.lesson.slug

    @property
    def language(self) -> str:
        return self.turn.session.lesson_version.language


def graded_name(result: str, *, doubtful: bool) -> Text:
    """What the grader said of an answer. In doubt it said nothing, whatever result stands in the verdict."""
    return NOT_SURE if doubtful else RESULTS[result]


def is_doubtful(turn: Turn) -> bool:
    """Whether the grader was not sure of this answer."""
    return bool((turn.verdict or {}).get("doubtful"))


def card_view(turn: Turn) -> CardView:
    """One query, and one more for a version that this process has not read. `turn` comes from `workbench.queue`."""
    version = turn.session.lesson_version
    outline = outline_of(version.pk)
    ask = outline.ask(turn.ask_code)
    reviews = reviews_of(turn)
    current = next((review.result for review in reviews if review.current), "")
    doubtful = is_doubtful(turn)
    return CardView(
        turn=turn,
        version=version,
        question=markdown(ask.question),
        objective=ask.objective,
        expected=expected_view(ask, version.language),
        answer=answer_view(outline, turn),
        own_word=own_word_name(own) if (own := getattr(turn, "own_word", None)) else "",
        graded=graded_name(turn.result, doubtful=doubtful),
        reviews=tuple(ReviewView(review, RESULTS[review.result]) for review in reviews),
        choices=tuple(
            ChoiceView(value, name, graded=value == turn.result and not doubtful, current=value == current)
            for value, name in RESULTS.items()
        ),
    )


def line_view(turn: Turn) -> LineView:
    """No query: the turn comes from `workbench.queue`."""
    words = turn.words.text or ", ".join(turn.words.choices or ())
    shown = Truncator(" ".join(words.split())).chars(FIRST_WORDS)
    return LineView(turn=turn, words=shown, name=graded_name(turn.result, doubtful=is_doubtful(turn)))


def done_text(review: VerdictReview, reader: User) -> str:
    """What came of a decision, for the one who took it."""
    graded = graded_name(review.graded, doubtful=review.doubtful)
    names = {"code": review.ask_code, "said": RESULTS[review.result], "graded": graded}
    if review.by_id != reader.pk:
        by = {"name": review.by.get_username()}
        return _("%(code)s: %(name)s had said “%(said)s” before, so nothing was added.") % (names | by)
    if review.result == review.graded and not review.doubtful:
        return _("%(code)s: “%(said)s” confirmed.") % names
    text = _("%(code)s: “%(said)s” instead of “%(graded)s”.") % names
    scored = _("The session was scored anew.")
    return f"{text} {scored}" if review.rescoring_id else text


@dataclass(frozen=True)
class QuestionView:
    code: str
    question: SafeString
    objective: str
    expected: SafeString


@dataclass(frozen=True)
class ReportView:
    """`others` are the latest `LISTED` other reports of the question in this version."""

    question: QuestionView
    answers: tuple[AnswerView, ...]
    others: Sequence[QuestionReport]
    void: QuestionVoid | None


def report_view(report: QuestionReport) -> ReportView:
    """A report with all that is known of its question. Three queries."""
    outline = outline_of(report.lesson_version_id)
    same = QuestionReport.objects.filter(lesson_version_id=report.lesson_version_id, ask_code=report.ask_code)
    answers = Turn.objects.filter(session_id=report.session_id, ask_code=report.ask_code, kind=Turn.Kind.ANSWER)
    voids = QuestionVoid.objects.filter(lesson_version_id=report.lesson_version_id, ask_code=report.ask_code)
    return ReportView(
        question=question_view(outline, report.ask_code),
        answers=tuple(answer_view(outline, turn) for turn in answers.select_related("words").order_by("version")),
        others=list(same.exclude(pk=report.pk).order_by("-reported_at")[:LISTED]),
        void=voids.select_related("by").first(),
    )


def question_view(outline: Outline, code: str) -> QuestionView:
    """Raises `KeyError` for a code that the lesson does not have."""
    ask = outline.ask(code)
    expected = markdown(expected_answer(ask, outline.lesson.meta.language))
    return QuestionView(code, markdown(ask.question), ask.objective, expected)
