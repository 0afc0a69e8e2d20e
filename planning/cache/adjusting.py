"""A cached plan for a task that adds something to its own: "for 2 nights", "with breakfast", "under $200"."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from language.fold import fold
from planning.cache.contracts import Addition
from planning.contracts import (
    CRITERIA_AT_MOST,
    LINE_LENGTH,
    CriterionSource,
    DesiredResult,
    Plan,
    Step,
    SuccessCriterion,
)
from planning.criteria import CriterionKind
from planning.templates import criteria_of
from planning.templates.task_criteria import compared
from planning.understanding import task_read
from planning.understanding.contracts import TaskReading

_AMOUNT: Final = re.compile(r"(?:(<=|>=|<|>) )?(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))? ([A-Z]{3}|star)(?:/\w+)?")
_END: Final = re.compile(r"\s*[.!…]+$")
_FIELDS: Final = {"en": {"price": "Price", "star": "Stars"}, "es": {"price": "Precio", "star": "Estrellas"}}
STEPS_AT_MOST: Final = 2
"""Steps that say what was added: where one looks, and where one does it."""


def plan_adjusted(plan: Plan, reading: TaskReading, additions: Sequence[Addition]) -> tuple[Plan, list[str]]:
    """The plan for the new task, and what was adjusted in the new task's words; without additions nothing is.

    Steps and the desired result name what was added where they name what the task is about; the criteria are those of a
    plan made for the new task, with what experience, adjustments or a model gave the cached one.
    """
    notes = [addition.text for addition in additions]
    if not notes:
        return plan.replaced(task=reading.task), []
    # What nothing introduces is in parentheses, so that it can follow any text: "cheap", "2 tickets".
    texts = [addition.text for addition in additions if addition.is_introduced]
    texts += [f"({addition.text})" for addition in additions if not addition.is_introduced]
    added = " ".join(texts)
    criteria = _criteria(plan, reading, additions)
    return (
        plan.replaced(
            task=reading.task,
            steps=_steps(plan.steps, reading, added),
            desired_result=_result(plan.desired_result, added),
            success_criteria=criteria[:CRITERIA_AT_MOST],
        ),
        notes,
    )


def _steps(steps: Sequence[Step], reading: TaskReading, added: str) -> list[Step]:
    chosen = set(_chosen(steps, reading))
    last = max(chosen, default=0)
    return [
        step.model_copy(
            update={
                "description": _with(step.description, added),
                "expected_output": _with(step.expected_output, added) if step.order == last else step.expected_output,
            }
        )
        if step.order in chosen
        else step
        for step in steps
    ]


def _chosen(steps: Sequence[Step], reading: TaskReading) -> list[int]:
    """The first and the last step that name what the task is about; the first step where none does."""
    about = [fold(phrase) for key in ("object", "objects", "place", "topic") if (phrase := reading.phrases.get(key))]
    naming = [step.order for step in steps if any(phrase in fold(step.description) for phrase in about)]
    if not naming:
        return [step.order for step in steps[:1]]
    return list(dict.fromkeys((naming[0], naming[-1])))[:STEPS_AT_MOST]


def _result(result: DesiredResult, added: str) -> DesiredResult:
    if not result.user_has:
        return result
    return result.model_copy(update={"user_has": [_with(result.user_has[0], added), *result.user_has[1:]]})


def _with(text: str, added: str) -> str:
    """The text with what was added at its end; as it is where it says that already, or would become too long."""
    if not text or fold(added) in fold(text):
        return text
    end = _END.search(text)
    body, mark = (text[: end.start()], text[end.start() :]) if end else (text, "")
    longer = f"{body} {added}{mark}"
    return longer if len(longer) <= LINE_LENGTH else text


def _criteria(plan: Plan, reading: TaskReading, additions: Sequence[Addition]) -> list[SuccessCriterion]:
    """Those of the new task, without any that was taken out of the cached plan; then what else the cached plan has."""
    there = {criterion.normal: criterion for criterion in plan.success_criteria}
    cached_task = task_read(plan.task, plan.metadata.task_type or reading.task_type)
    made = {criterion.normal for criterion in criteria_of(cached_task, plan.metadata.preferences)}
    wanted = {criterion.normal: criterion for criterion in criteria_of(reading, plan.metadata.preferences)}
    fresh = [
        there.get(normal, criterion) for normal, criterion in wanted.items() if normal in there or normal not in made
    ]
    others = [criterion for normal, criterion in there.items() if normal not in wanted and normal not in made]
    others += [criterion for criterion in _sums(reading, additions, fresh) if criterion.normal not in there]
    verdicts = [
        criterion
        for criterion in fresh
        if criterion.parse is not None and criterion.parse.kind is CriterionKind.VERDICT
    ]
    rest = [*(criterion for criterion in fresh if criterion not in verdicts), *others]
    return [*rest[: CRITERIA_AT_MOST - len(verdicts)], *verdicts]


def _sums(
    reading: TaskReading, additions: Sequence[Addition], fresh: Sequence[SuccessCriterion]
) -> Iterator[SuccessCriterion]:
    """Amounts that were added, where the task's type makes no criterion of them: Price <= 200, Stars >= 4.

    Sums without a sign are left out: nothing says whether they are the most that it may cost.
    """
    for addition in additions:
        match = _AMOUNT.fullmatch(addition.value) if addition.kind == "amount" else None
        if match is None or any(match[2] in criterion.text for criterion in fresh):
            continue
        sign, low, high, unit = match.groups()
        currency = "" if unit in {"star", "USD"} else f" {unit}"
        low, high = (low, f"{high}{currency}") if high else (f"{low}{currency}", None)
        if sign or high or unit == "star":
            field = _FIELDS[reading.language]["star" if unit == "star" else "price"]
            for text in compared(field, sign, low, high, reading.language, plain=">="):
                yield SuccessCriterion(text=text, source=CriterionSource.TASK)
