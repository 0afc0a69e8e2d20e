"""Steps as a learner sees them, on the page and in the API; nothing of an expected answer is in them."""

from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from core.pages.markup import FormattedText, formatted, markdown_line
from lesson_engine.contracts import Ask, ItemStep, Step, TextStep
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.player.step_names import step_name

Control = Literal["text", "textarea", "radio", "checkbox"]
_CONTROLS: dict[str, Control] = {"numeric": "text", "choice": "radio", "multi_choice": "checkbox"}


@dataclass(frozen=True)
class ItemView:
    """One entry of a step that lists things."""

    title: str | None
    body: FormattedText


@dataclass(frozen=True)
class StepView:
    """A step that is read. `type` is MICRO for a micro-step."""

    type: str
    name: str
    title: str | None
    body: FormattedText | None
    items: tuple[ItemView, ...] = ()


@dataclass(frozen=True)
class ChoiceView:
    """One offered answer."""

    code: str
    text: FormattedText


@dataclass(frozen=True)
class AskView:
    """A question with its help so far. `control` is the field that suits it, `material` what was read before."""

    code: str
    question: FormattedText
    kind: str
    control: Control
    instruction: str
    unit: str | None
    choices: tuple[ChoiceView, ...]
    hints: tuple[FormattedText, ...]
    hints_left: int
    attempt: int
    attempts: int
    material: tuple[StepView, ...]
    reread: bool


def shown_step(outline: Outline, state: PlayerState, ask: Ask | None) -> StepView | None:
    """The reading or micro-step that is shown; None before a question and at the end."""
    if state.phase == "reading":
        return step_view(outline.places[state.cursor].step)
    if state.phase != "micro" or ask is None:
        return None
    micro = next((micro for micro in ask.micro_steps if micro.code == state.micro_step), None)
    return StepView("MICRO", _("A small detour"), micro.title, formatted(micro.body)) if micro else None


def step_view(step: Step) -> StepView:
    """A reading step. Raises `TypeError` for an ASK."""
    if not isinstance(step, TextStep | ItemStep):
        raise TypeError(f"{step.type} is not a reading step")
    items = step.items if isinstance(step, ItemStep) else ()
    return StepView(
        step.type,
        step_name(step.type),
        step.title,
        formatted(step.body) if step.body else None,
        tuple(ItemView(item.title, formatted(item.body)) for item in items),
    )


def shown_question(outline: Outline, state: PlayerState, ask: Ask | None) -> AskView | None:
    """The question that is shown, open, compared or closed; None while something is read and at the end."""
    if ask is None or state.phase not in ("asking", "comparing", "closed"):
        return None
    record, answer, attempts = state.record(ask.code), ask.answer, outline.lesson.policy.attempts
    choices = answer.choices if answer.kind in ("choice", "multi_choice") else ()
    return AskView(
        code=ask.code,
        question=formatted(ask.question),
        kind=answer.kind,
        control=_CONTROLS.get(answer.kind, "textarea"),
        instruction=_instruction(answer.kind),
        unit=answer.unit if answer.kind == "numeric" else None,
        choices=tuple(ChoiceView(each.code, FormattedText(each.text, markdown_line(each.text))) for each in choices),
        hints=tuple(formatted(hint) for hint in ask.hints[: record.hints]),
        hints_left=len(ask.hints) - record.hints,
        attempt=min(record.attempts + 1, attempts),
        attempts=attempts,
        material=tuple(step_view(place.step) for place in outline.material(state.cursor)),
        reread=state.reread,
    )


def _instruction(kind: str) -> str:
    return {
        "open": _("In your own words; a sentence or two is enough."),
        "definition": _("Say what it means in your own words."),
        "list": _("One per line, or with commas between them; any order."),
        "procedure": _("One step per line, in order."),
        "numeric": _("A number, with its unit if it has one. Decimals and fractions are fine."),
        "choice": _("Pick one."),
        "multi_choice": _("Pick all that apply."),
    }[kind]
