"""A lesson at a glance, for staff: its steps in order, with what each question expects and the help it has."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from core.markup import markdown
from lesson_engine.contracts import Ask, ItemStep, Meta, Policy, Step
from lesson_engine.expected import expected_answer
from lesson_engine.player.outline import Outline
from lesson_engine.step_names import step_name

_BODY_SHOWN = 200
_KINDS: dict[str, str | Promise] = {
    "open": _("open"),
    "definition": _("definition"),
    "list": _("list"),
    "procedure": _("procedure"),
    "numeric": _("number"),
    "choice": _("one choice"),
    "multi_choice": _("several choices"),
}


@dataclass(frozen=True)
class QuestionSummary:
    """A question, its model answer, and how much help the author wrote."""

    code: str
    question: SafeString
    objective: str
    kind: str | Promise
    expected: SafeString
    difficulty: int
    hints: int
    misconceptions: int
    micro_steps: int


@dataclass(frozen=True)
class StepSummary:
    """A step: a question, or a reading by its title or first words."""

    name: str
    title: str
    items: int
    question: QuestionSummary | None


@dataclass(frozen=True)
class MomentSummary:
    """A moment and its steps."""

    title: str
    steps: tuple[StepSummary, ...]


@dataclass(frozen=True)
class LessonOverview:
    """A whole lesson at a glance."""

    meta: Meta
    policy: Policy
    moments: tuple[MomentSummary, ...]


def lesson_overview(outline: Outline) -> LessonOverview:
    """The overview of a lesson."""
    lesson = outline.lesson
    moments = (
        MomentSummary(moment.title, tuple(_step(step, lesson.meta.language) for step in moment.steps))
        for moment in lesson.moments
    )
    return LessonOverview(lesson.meta, lesson.policy, tuple(moments))


def _step(step: Step, language: str) -> StepSummary:
    name = step_name(step.type)
    if isinstance(step, Ask):
        return StepSummary(name, step.code, 0, _question(step, language))
    title = step.title or Truncator(step.body or "").chars(_BODY_SHOWN)
    return StepSummary(name, title, len(step.items) if isinstance(step, ItemStep) else 0, None)


def _question(ask: Ask, language: str) -> QuestionSummary:
    return QuestionSummary(
        code=ask.code,
        question=markdown(ask.question),
        objective=ask.objective,
        kind=_KINDS[ask.answer.kind],
        expected=markdown(expected_answer(ask, language)),
        difficulty=ask.difficulty,
        hints=len(ask.hints),
        misconceptions=len(ask.misconceptions),
        micro_steps=len(ask.micro_steps),
    )
