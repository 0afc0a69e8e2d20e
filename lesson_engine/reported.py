"""A reported question as staff decide on it: what was asked and expected, what was answered, what others say."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString

from core.markup import markdown
from lesson_engine.catalogue import outline_of
from lesson_engine.expected import expected_answer
from lesson_engine.models import QuestionReport, QuestionVoid, Turn
from lesson_engine.player.outline import Outline
from lesson_engine.timeline import answers_shown
from lesson_engine.timeline_values import AnswerShown

LISTED = 20


@dataclass(frozen=True)
class QuestionShown:
    """A question with what its author expects."""

    code: str
    question: SafeString
    objective: str
    expected: SafeString


@dataclass(frozen=True)
class ReportShown:
    """`others` are the latest `LISTED` other reports of the question in this version."""

    question: QuestionShown
    answers: tuple[AnswerShown, ...]
    others: Sequence[QuestionReport]
    void: QuestionVoid | None


def report_shown(report: QuestionReport) -> ReportShown:
    """A report with all that is known of its question. Three queries."""
    outline = outline_of(report.lesson_version_id)
    same = QuestionReport.objects.filter(lesson_version_id=report.lesson_version_id, ask_code=report.ask_code)
    answers = Turn.objects.filter(session_id=report.session_id, ask_code=report.ask_code, kind=Turn.Kind.ANSWER)
    voids = QuestionVoid.objects.filter(lesson_version_id=report.lesson_version_id, ask_code=report.ask_code)
    return ReportShown(
        question=question_shown(outline, report.ask_code),
        answers=tuple(answers_shown(outline, answers.select_related("words").order_by("version"))),
        others=list(same.exclude(pk=report.pk).order_by("-reported_at")[:LISTED]),
        void=voids.select_related("by").first(),
    )


def question_shown(outline: Outline, code: str) -> QuestionShown:
    """Raises `KeyError` for a code that the lesson does not have."""
    ask = outline.ask(code)
    expected = markdown(expected_answer(ask, outline.lesson.meta.language))
    return QuestionShown(code, markdown(ask.question), ask.objective, expected)
