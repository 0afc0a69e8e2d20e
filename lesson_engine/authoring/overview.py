"""A lesson at a glance, for staff: its steps in order, with what each question expects and the help it has."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from core.pages.markup import markdown
from lesson_engine.contracts import Ask, ItemStep, Lesson, Step
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player.outline import Outline
from lesson_engine.player.step_names import step_name
from lesson_engine.trial import is_tried

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
class StepView:
    """A step: a question with its model answer, or a reading by its title or first words."""

    name: str
    title: str
    items: int = 0
    ask: Ask | None = None
    kind: str | Promise = ""
    question: SafeString | str = ""
    expected: SafeString | str = ""
    is_tried: bool = False


@dataclass(frozen=True)
class LessonOverview:
    """A whole lesson at a glance; `moments` are titles, each with its steps."""

    lesson: Lesson
    moments: tuple[tuple[str, tuple[StepView, ...]], ...]


def lesson_overview(outline: Outline) -> LessonOverview:
    lesson = outline.lesson
    moments = (
        (moment.title, tuple(_step(step, lesson.meta.language) for step in moment.steps)) for moment in lesson.moments
    )
    return LessonOverview(lesson, tuple(moments))


def _step(step: Step, language: str) -> StepView:
    name = step_name(step.type)
    if isinstance(step, Ask):
        return StepView(
            name,
            step.code,
            ask=step,
            kind=_KINDS[step.answer.kind],
            question=markdown(step.question),
            expected=markdown(expected_answer(step, language)),
            is_tried=is_tried(step),
        )
    title = step.title or Truncator(step.body or "").chars(_BODY_SHOWN)
    return StepView(name, title, len(step.items) if isinstance(step, ItemStep) else 0)
