"""Steps, wanted result, strategy and criteria of a plan, from the template of its type and what the task says."""

from collections.abc import Iterable, Sequence
from typing import Final

from language.fold import fold
from language.stems import singular
from planning.contracts import CRITERIA_AT_MOST, CriterionSource, DesiredResult, PlanConfig, Step, SuccessCriterion
from planning.criteria import CriterionKind, Operator
from planning.templates.files import Template, Wording, sentence, template_of
from planning.templates.preferences import preference_criteria
from planning.templates.task_criteria import task_criteria
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
            description=sentence(wordings.do, slots_of(reading)),
            expected_output=sentence(wordings.gives, slots_of(reading)),
            dependencies=list(step.after),
        )
        for order, step in enumerate(_template(reading).steps, 1)
        for wordings in (step.of(reading.language),)
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


def _said(begins: dict[str, str], wordings: list[Wording], reading: TaskReading) -> list[str]:
    begin = begins.get(reading.language, begins["en"])
    sentences = [sentence(wording.of(reading.language), slots_of(reading)) for wording in wordings]
    return list(dict.fromkeys(f"{begin}: {text}" for text in sentences))


_OPPOSITE: Final = {CriterionKind.PRESENCE: "+", CriterionKind.ABSENCE: "-"}
_BOUNDS: Final = {
    Operator.AT_LEAST: ">", Operator.MORE_THAN: ">", Operator.AT_MOST: "<", Operator.LESS_THAN: "<",
    Operator.BETWEEN: "=", Operator.EQUAL: "=",
}  # fmt: skip


def criteria_of(reading: TaskReading, preferences: Sequence[str] = ()) -> list[SuccessCriterion]:
    """What shows that the task is done: the task's own first, then its type's, then what the user prefers.

    Of two that speak of the same the first one stays, so that none contradicts another. The user's verdict comes last.
    """
    template = template_of(reading.task_type)
    of_task = [_criterion(text, CriterionSource.TASK) for text in task_criteria(reading, template)]
    usual = [
        _criterion(sentence(wording.of(reading.language), slots_of(reading)), CriterionSource.TEMPLATE)
        for wording in template.criteria
    ]
    wanted = [
        _criterion(text, CriterionSource.PREFERENCE) for text in preference_criteria(reading, template, preferences)
    ]
    verdicts = [
        criterion
        for criterion in usual
        if criterion.parse is not None and criterion.parse.kind is CriterionKind.VERDICT
    ]
    rest = [criterion for criterion in usual if criterion not in verdicts]
    return [*_agreeing([*of_task, *rest, *wanted])[: CRITERIA_AT_MOST - len(verdicts)], *verdicts]


def _criterion(text: str, source: CriterionSource) -> SuccessCriterion:
    return SuccessCriterion.model_validate({"text": text, "source": source})


def _agreeing(criteria: Iterable[SuccessCriterion]) -> list[SuccessCriterion]:
    """Without those that say again, or against, what an earlier one says."""
    kept: dict[str, SuccessCriterion] = {}
    for criterion in criteria:
        kept.setdefault(_about(criterion), criterion)
    return list(kept.values())


def _about(criterion: SuccessCriterion) -> str:
    """What a criterion speaks of: the field and which end of it; pool for "has pool" as for "no pool"."""
    parse = criterion.parse
    if parse is None:
        return fold(criterion.text)
    if parse.kind in _OPPOSITE:
        return f"has {singular(fold(parse.field))}"
    end = _BOUNDS.get(parse.operator, "")
    return f"{fold(parse.field)} {end} {parse.subject if not end else ''}"
