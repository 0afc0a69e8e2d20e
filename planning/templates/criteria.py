"""The criteria of a plan: of its type, of the task's own figures, and of the user's preferences."""

from collections.abc import Iterable, Sequence
from typing import Final

from planning.contracts import CRITERIA_AT_MOST, CriterionSource, SuccessCriterion
from planning.grammar import CriterionKind, Operator
from planning.templates.files import sentence, template_of
from planning.templates.plans import slots_of
from planning.templates.preferences import preference_criteria
from planning.templates.task_criteria import task_criteria
from planning.understanding.contracts import TaskReading
from planning.understanding.text import fold

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
    told = [_criterion(text, CriterionSource.TASK) for text in task_criteria(reading, template)]
    usual = [
        _criterion(sentence(wording.of(reading.language), slots_of(reading)), CriterionSource.TEMPLATE)
        for wording in template.criteria
    ]
    wanted = [
        _criterion(text, CriterionSource.PREFERENCE) for text in preference_criteria(reading, template, preferences)
    ]
    verdicts = [one for one in usual if one.parse is not None and one.parse.kind is CriterionKind.VERDICT]
    rest = [one for one in usual if one not in verdicts]
    return [*_agreeing([*told, *rest, *wanted])[: CRITERIA_AT_MOST - len(verdicts)], *verdicts]


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
        return f"has {_singular(fold(parse.field))}"
    end = _BOUNDS.get(parse.operator, "")
    return f"{fold(parse.field)} {end} {parse.subject if not end else ''}"


def _singular(field: str) -> str:
    return field[:-1] if field.endswith("s") else field
