"""Steps, wanted result and strategy of a plan, from the template of its type and what the task says."""

from typing import Final

from planning.contracts import DesiredResult, PlanConfig, Step
from planning.templates.files import Template, Wording, sentence, template_of
from planning.understanding.contracts import TaskReading

_HAS: Final = {"en": "User has", "es": "El usuario tiene"}
_SHOWS: Final = {"en": "System shows", "es": "El sistema muestra"}
_DETAILS: Final = {
    "en": {"place": "in ", "with": "with ", "without": "without "},
    "es": {"place": "en ", "with": "con ", "without": "sin "},
}
_IN_DETAIL: Final = ("place", "date", "time", "duration", "people", "amount", "measure", "with", "without")


def steps_of(reading: TaskReading) -> list[Step]:
    """The steps of a task in order, in its language, with what it says where it matters."""
    return [
        Step(
            order=order,
            description=sentence(_list(said.do), slots_of(reading)),
            expected_output=sentence([said.gives], slots_of(reading)),
            dependencies=list(step.after),
        )
        for order, step in enumerate(_template(reading).steps, 1)
        for said in (step.of(reading.language),)
    ]


def desired_result_of(reading: TaskReading) -> DesiredResult:
    """How things stand when the task is done."""
    template = _template(reading)
    return DesiredResult(
        user_has=_said(_HAS, template.user_has, reading), system_shows=_said(_SHOWS, template.system_shows, reading)
    )


def config_of(reading: TaskReading) -> PlanConfig:
    """The strategy that a type begins with; adjustments change it."""
    return PlanConfig(priority=_template(reading).priority)


def slots_of(reading: TaskReading) -> dict[str, str]:
    """What sentences are filled with: the task's phrases, and its `details` in one list."""
    phrases = reading.phrases
    begin = _DETAILS.get(reading.language, _DETAILS["en"])
    details = [f"{begin.get(name, '')}{phrases[name]}" for name in _IN_DETAIL if name in phrases]
    return {**phrases, "details": ", ".join(details)} if details else phrases


def _template(reading: TaskReading) -> Template:
    return template_of(reading.task_type)


def _list(said: str | list[str]) -> list[str]:
    return [said] if isinstance(said, str) else said


def _said(begins: dict[str, str], wordings: list[Wording], reading: TaskReading) -> list[str]:
    begin = begins.get(reading.language, begins["en"])
    found = [sentence(wording.of(reading.language), slots_of(reading)) for wording in wordings]
    return list(dict.fromkeys(f"{begin}: {text}" for text in found))
