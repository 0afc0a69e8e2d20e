"""Authors' texts as the API gives them: as written, and as safe HTML."""

from django.utils.translation import gettext as _

from core.markup import markdown, markdown_line
from lesson_engine.api_contracts import Formatted, OfferedChoice, ShownItem, ShownStep
from lesson_engine.contracts import Ask, ItemStep, MicroStep, Step, TextStep
from lesson_engine.step_names import step_name


def formatted(text: str) -> Formatted:
    """Block Markdown."""
    return Formatted(markdown=text, html=markdown(text))


def shown_step(step: Step) -> ShownStep:
    """A step that is read. Raises `TypeError` for an ASK."""
    if not isinstance(step, TextStep | ItemStep):
        raise TypeError(f"{step.type} is not a reading step")
    return ShownStep(
        type=step.type,
        name=step_name(step.type),
        title=step.title,
        body=formatted(step.body) if step.body else None,
        items=_items(step) if isinstance(step, ItemStep) else (),
    )


def shown_micro_step(micro: MicroStep) -> ShownStep:
    """A short detour."""
    return ShownStep(type="MICRO", name=_("A small detour"), title=micro.title, body=formatted(micro.body), items=())


def offered_choices(ask: Ask) -> tuple[OfferedChoice, ...]:
    """What there is to pick from; nothing of which is right."""
    answer = ask.answer
    if answer.kind not in ("choice", "multi_choice"):
        return ()
    return tuple(
        OfferedChoice(code=choice.code, text=Formatted(markdown=choice.text, html=markdown_line(choice.text)))
        for choice in answer.choices
    )


def _items(step: ItemStep) -> tuple[ShownItem, ...]:
    return tuple(ShownItem(title=item.title, body=formatted(item.body)) for item in step.items)
