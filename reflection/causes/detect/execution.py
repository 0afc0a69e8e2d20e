"""Causes in what was done: what failed outside, what was left undone, what was mixed up."""

import re
from collections.abc import Iterator
from typing import Final

from evaluation.contracts import Reason
from planning.contracts import CriterionSource
from planning.criteria import CriterionKind, amount_read
from planning.experience import normalised
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check, Leaf, parent_of
from reflection.causes.detect.reading import Case
from reflection.causes.texts import cue_in, cues, data_read, number_in, number_shown, shown

_SMALLER: Final = {
    "kilometer": (1000.0, "m"),
    "meter": (100.0, "cm"),
    "hour": (60.0, "min"),
    "minute": (60.0, "s"),
    "day": (24.0, "h"),
    "kilogram": (1000.0, "g"),
    "liter": (1000.0, "ml"),
    "month": (30.0, "d"),
    "week": (7.0, "d"),
    "year": (12.0, "mo"),
    "gigabyte": (1000.0, "MB"),
}
"""The unit that a bare number may have been in, and how many make one of the unit asked for."""
_PROGRESS: Final = ("progress", "avance", "progreso")
_EQUAL: Final = (CriterionKind.EQUALITY, CriterionKind.MEMBERSHIP, CriterionKind.RANGE)


def tool_failed(case: Case) -> Iterator[Cause]:
    """Something outside failed, and no step says what to do then."""
    error = _error(case)
    if error is None:
        return
    leaf, text = error
    score = 0.6 if any(check.found and check.side for check in case.failed) else 0.93  # at 0, nothing was done at all
    order, description = _step_of_action(case)
    facts = [Fact(f"result.{leaf.path}", text)]
    yield case.cause(CauseKind.TOOL_FAILED, None, score, facts, state=text, step=order, step_text=description)


def _error(case: Case) -> tuple[Leaf, str] | None:
    for leaf in case.leaves:
        if isinstance(leaf.value, bool | int | float):
            continue
        text = str(leaf.value)
        if leaf.is_a("error keys") and normalised(text.strip()[:20]) not in data_read("words.json")["no error"]:
            return leaf, shown(text, 60) or "error"
    for leaf in case.leaves:
        if isinstance(leaf.value, str) and leaf.is_a("status keys") and cue_in("failing", leaf.value):
            return leaf, shown(leaf.value, 60)
    for leaf in case.leaves:
        short = isinstance(leaf.value, str) and len(leaf.value) < 200 and leaf.is_a("message keys")
        if short and not case.rejected and cue_in("failing", str(leaf.value)):
            return leaf, shown(leaf.value, 60)
    return None


def _step_of_action(case: Case) -> tuple[str, str]:
    """Order and beginning of the step that does it for good: books, orders, sends."""
    steps = case.plan.steps
    acting = [step for step in steps if cues("acting").match(normalised(step.description))]
    step = acting[-1] if acting else steps[-2] if len(steps) > 1 else None
    return (str(step.order), shown(step.description, 70)) if step else ("", "")


def cut_short(case: Case) -> Iterator[Cause]:
    """Execution ended before its last steps."""
    steps = len(case.plan.steps)
    for leaf in case.leaves:
        if leaf.is_a("progress keys"):
            amount = amount_read(leaf.value)
            done = number_in(amount.value) if amount else None
            if done is not None and 0 <= done < (steps or 99):
                yield _cut(case, leaf, 0.94, done=number_shown(done))
                return
        if isinstance(leaf.value, str) and leaf.is_a("status keys") and cue_in("unfinished", leaf.value):
            yield _cut(case, leaf, 0.9, state=shown(leaf.value, 40))
            return
    name, length = next(((name, length) for name, length in _listed_steps(case) if length < steps), ("", 0))
    if name:
        yield _cut(case, Leaf(name, "", ""), 0.9, done=str(length))
        return
    progress = next((check for check in case.failed if check.field in _PROGRESS), None)
    if progress is not None and progress.gap and progress.gap >= 0.1:
        yield case.cause(CauseKind.CUT_SHORT, progress, 0.74, [progress.fact], of=str(steps or ""))


def _listed_steps(case: Case) -> list[tuple[str, int]]:
    """Lists under a name such as "completed_steps", with their lengths."""
    result = case.failure.result
    if not isinstance(result, dict):
        return []
    return [
        (str(key)[:60], len(value))
        for key, value in list(result.items())[:60]
        if isinstance(value, list) and cues("progress keys").fullmatch(normalised(str(key)[:60]).replace("_", " "))
    ]


def _cut(case: Case, leaf: Leaf, score: float, **parts: str) -> Cause:
    steps = case.plan.steps
    done = int(float(parts["done"])) if parts.get("done", "").replace(".", "", 1).isdigit() else len(steps)
    step = steps[min(done, len(steps) - 1)] if steps else None
    measured = any(check.found and check.side and check.field not in _PROGRESS for check in case.failed)
    return case.cause(
        CauseKind.CUT_SHORT,
        None,
        score - (0.2 if measured else 0),
        [Fact(f"result.{leaf.path}", shown(leaf.value) or parts.get("done", ""))],
        of=str(len(steps) or ""),
        step=str(step.order) if step else "",
        step_text=shown(step.description, 70) if step else "",
        **parts,
    )


def wrong_thing(case: Case) -> Iterator[Cause]:
    """The result is of another place, date, thing or number than the task."""
    for check in case.failed:
        if is_fact(case, check):
            wanted = shown(check.criterion.text.rpartition("==")[2] or check.result.expected or "", 40)
            found = shown(check.result.actual, 40)
            yield case.cause(CauseKind.WRONG_THING, check, 0.92, None, wanted=wanted, found=found)
            return
    place = (case.reading.phrases.get("place") or "") if case.reading else ""
    leaf = _other_place(case, place) if place and not case.failed else None
    if leaf is not None:
        facts, found = [Fact(f"result.{leaf.path}", shown(leaf.value))], shown(leaf.value, 40)
        yield case.cause(CauseKind.WRONG_THING, None, 0.9, facts, wanted=shown(place, 40), found=found)


def _other_place(case: Case, place: str) -> Leaf | None:
    """The value of the result that names a place of which the task has no word."""
    task = normalised(case.plan.task)
    for leaf in case.leaves:
        if isinstance(leaf.value, str) and leaf.is_a("place keys") and "[" not in leaf.path:
            words = re.findall(r"\w{3,}", normalised(leaf.value[:80]))
            if words and not any(word in task for word in words) and normalised(place) not in normalised(leaf.value):
                return leaf
    return None


def is_fact(case: Case, check: Check) -> bool:
    """Whether the criterion repeats a fact of the task: its city, its date, how many people."""
    if check.kind not in _EQUAL or check.parse is None:
        return False
    if cues("facts of a task").fullmatch(normalised(check.name)) is None:
        return False
    value = str(check.parse.value if check.parse.value is not None else "")
    return check.source is CriterionSource.TASK or check.asked or normalised(value) in normalised(case.plan.task)


def data_missing(case: Case) -> Iterator[Cause]:
    """The data that the criteria need is missing."""
    missing = [check for check in case.unknown if check.result.reason is Reason.DATA_MISSING and not check.is_verdict]
    if not missing:
        return
    share = len(missing) / len(case.counted)
    score = 0.3 + 0.3 * share if case.has_measured else 0.55 + 0.35 * share
    yield case.cause(
        CauseKind.DATA_MISSING,
        case.main if case.has_measured else missing[0],
        score - (0.12 if share < 0.5 else 0),
        [check.fact for check in missing[:3]],
        names=", ".join(check.name for check in missing[:3]),
        count=str(len(missing)),
        of=str(len(case.counted)),
        last=missing[0].name,
    )


def unit_mixed(case: Case) -> Iterator[Cause]:
    """Another unit or currency than the criterion has."""
    check = next((check for check in case.unknown if check.result.reason is Reason.UNIT_MISMATCH), None)
    if check is None:
        yield from _bare_number(case)
        return
    wanted, found = check.condition or check.result.criterion, _with_currency(case, check)
    score = 0.72 if case.has_measured else 0.93
    yield case.cause(CauseKind.UNIT_MIXED, check, score, None, wanted=wanted, found=found)


def _bare_number(case: Case) -> Iterator[Cause]:
    """A number without its unit that would hold in the next smaller one: 9500 where 10 km are allowed."""
    check = case.worst
    if check is None or check.parse is None or check.found is None or not check.wanted or check.side != "high":
        return
    factor, unit = _SMALLER.get(check.parse.unit or "", (0.0, ""))
    amount = amount_read(check.result.actual)
    if not factor or amount is None or amount.unit or not 0.2 <= check.found / factor / check.wanted <= 1:
        return
    own_unit = (check.result.expected or "").rpartition(" ")[2].strip("0123456789.,<>= ")
    yield case.cause(
        CauseKind.UNIT_MIXED,
        check,
        0.9,
        wanted=check.condition or check.result.criterion,
        found=shown(check.result.actual, 30),
        turned=f"{number_shown(check.found / factor)} {own_unit}".strip(),
        unit=unit,
    )


def _with_currency(case: Case, check: Check) -> str:
    value = shown(check.result.actual, 30)
    for leaf in case.leaves:
        is_near = parent_of(leaf.path) == parent_of(check.result.path)
        if is_near and (leaf.is_a("currency keys") or leaf.is_a("unit keys")):
            return f"{value} {shown(leaf.value, 12)}"
    return value
