"""Causes in what was done: what failed outside, what was left undone, what was mixed up."""

import re
from collections.abc import Iterator
from typing import Final

from evaluation.contracts import Reason
from planning.contracts import CriterionSource
from planning.grammar import CriterionKind, amount_read
from planning.learning import folded
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.making import cause, check_fact
from reflection.causes.reading import Check, Leaf, Seen
from reflection.causes.wording import cue_in, cues, data_read, number_shown, shown

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


def _key(leaf: Leaf) -> str:
    return leaf.key.replace("_", " ").replace("-", " ")


def _is(name: str, leaf: Leaf) -> bool:
    return cues(name).fullmatch(_key(leaf)) is not None


def tool_failed(seen: Seen) -> Iterator[Cause]:
    """Something outside failed, and no step says what to do then."""
    found = _error(seen)
    if found is None:
        return
    leaf, text = found
    score = 0.6 if any(one.found and one.side for one in seen.failed) else 0.93  # at 0, nothing was done at all
    step = _step_of_action(seen)
    yield cause(
        CauseKind.TOOL_FAILED,
        seen,
        None,
        score,
        [Fact(f"result.{leaf.path}", text)],
        state=text,
        step=str(step[0]) if step else "",
        step_text=step[1] if step else "",
    )


def _error(seen: Seen) -> tuple[Leaf, str] | None:
    for leaf in seen.leaves:
        if isinstance(leaf.value, bool | int | float):
            continue
        text = str(leaf.value)
        if _is("error keys", leaf) and folded(text.strip()[:20]) not in data_read("words.json")["no error"]:
            return leaf, shown(text, 60) or "error"
    for leaf in seen.leaves:
        if isinstance(leaf.value, str) and _is("status keys", leaf) and cue_in("failing", leaf.value):
            return leaf, shown(leaf.value, 60)
    for leaf in seen.leaves:
        short = isinstance(leaf.value, str) and len(leaf.value) < 200 and _is("message keys", leaf)
        if short and not seen.rejected and cue_in("failing", str(leaf.value)):
            return leaf, shown(leaf.value, 60)
    return None


def _step_of_action(seen: Seen) -> tuple[int, str] | None:
    """The step that does it for good: books, orders, sends."""
    steps = seen.plan.steps
    acting = [one for one in steps if cues("acting").match(folded(one.description))]
    chosen = acting[-1] if acting else steps[-2] if len(steps) > 1 else None
    return (chosen.order, shown(chosen.description, 70)) if chosen else None


def cut_short(seen: Seen) -> Iterator[Cause]:
    """Execution ended before its last steps."""
    steps = len(seen.plan.steps)
    for leaf in seen.leaves:
        if _is("progress keys", leaf):
            number = amount_read(leaf.value)
            done = number.value if number else None
            if isinstance(done, int | float) and not isinstance(done, bool) and 0 <= done < (steps or 99):
                yield _cut(seen, leaf, 0.94, done=number_shown(done))
                return
        if isinstance(leaf.value, str) and _is("status keys", leaf) and cue_in("unfinished", leaf.value):
            yield _cut(seen, leaf, 0.9, state=shown(leaf.value, 40))
            return
    lists = [one for one in _listed_steps(seen) if one[1] < steps]
    if lists:
        yield _cut(seen, Leaf(lists[0][0], "", ""), 0.9, done=str(lists[0][1]))
        return
    progress = next((one for one in seen.failed if one.field in _PROGRESS), None)
    if progress is not None and progress.gap and progress.gap >= 0.1:
        yield cause(CauseKind.CUT_SHORT, seen, progress, 0.74, [check_fact(progress)], of=str(steps) if steps else "")


def _listed_steps(seen: Seen) -> list[tuple[str, int]]:
    """Lists under a name such as "completed_steps", with their lengths."""
    result = seen.failure.result
    if not isinstance(result, dict):
        return []
    return [
        (str(key)[:60], len(value))
        for key, value in list(result.items())[:60]
        if isinstance(value, list) and cues("progress keys").fullmatch(folded(str(key)[:60]).replace("_", " "))
    ]


def _cut(seen: Seen, leaf: Leaf, score: float, **parts: str) -> Cause:
    steps = seen.plan.steps
    done = int(float(parts["done"])) if parts.get("done", "").replace(".", "", 1).isdigit() else None
    left = steps[done] if done is not None and done < len(steps) else None
    measured = any(one.found and one.side and one.field not in _PROGRESS for one in seen.failed)
    step = left or (steps[-1] if steps else None)
    return cause(
        CauseKind.CUT_SHORT,
        seen,
        None,
        score - (0.2 if measured else 0),
        [Fact(f"result.{leaf.path}", shown(leaf.value) or parts.get("done", ""))],
        of=str(len(steps)) if steps else "",
        step=str(step.order) if step else "",
        step_text=shown(step.description, 70) if step else "",
        **parts,
    )


def wrong_thing(seen: Seen) -> Iterator[Cause]:
    """The result is of another place, date, thing or number than the task."""
    for check in seen.failed:
        if is_fact(seen, check):
            wanted = shown(check.criterion.text.rpartition("==")[2] or check.result.expected or "", 40)
            yield cause(
                CauseKind.WRONG_THING, seen, check, 0.92, None, wanted=wanted, found=shown(check.result.actual, 40)
            )
            return
    place = (seen.reading.phrases.get("place") or "") if seen.reading else ""
    if not place or seen.failed:
        return
    task = folded(seen.plan.task)
    for leaf in seen.leaves:
        if isinstance(leaf.value, str) and _is("place keys", leaf) and "[" not in leaf.path:
            words = re.findall(r"\w{3,}", folded(leaf.value[:80]))
            if words and not any(word in task for word in words) and folded(place) not in folded(leaf.value):
                yield cause(
                    CauseKind.WRONG_THING,
                    seen,
                    None,
                    0.9,
                    [Fact(f"result.{leaf.path}", shown(leaf.value))],
                    wanted=shown(place, 40),
                    found=shown(leaf.value, 40),
                )
                return


def is_fact(seen: Seen, check: Check) -> bool:
    """Whether the criterion repeats a fact of the task: its city, its date, how many people."""
    if check.kind not in _EQUAL or check.parse is None:
        return False
    if cues("facts of a task").fullmatch(folded(check.name)) is None:
        return False
    said = str(check.parse.value if check.parse.value is not None else "")
    return check.source is CriterionSource.TASK or check.asked or folded(said) in folded(seen.plan.task)


def data_missing(seen: Seen) -> Iterator[Cause]:
    """Nobody collected what the criteria look at."""
    counted = [one for one in seen.checks if not one.is_verdict]
    missing = [one for one in seen.unknown if one.result.reason is Reason.DATA_MISSING and not one.is_verdict]
    if not counted or not missing:
        return
    share = len(missing) / len(counted)
    measured = any(one.found is not None for one in seen.failed)
    score = 0.55 + 0.35 * share if not measured else 0.3 + 0.3 * share
    names = ", ".join(one.name for one in missing[:3])
    facts = [check_fact(one) for one in missing[:3]]
    yield cause(
        CauseKind.DATA_MISSING,
        seen,
        seen.main if measured else missing[0],
        score - (0.12 if share < 0.5 else 0),
        facts,
        names=names,
        count=str(len(missing)),
        of=str(len(counted)),
        last=missing[0].name,
    )


def unit_mixed(seen: Seen) -> Iterator[Cause]:
    """Another unit or currency than the criterion has."""
    for one in seen.unknown:
        if one.result.reason is Reason.UNIT_MISMATCH:
            measured = any(check.found is not None for check in seen.failed)
            yield cause(
                CauseKind.UNIT_MIXED,
                seen,
                one,
                0.72 if measured else 0.93,
                None,
                wanted=one.condition or one.result.criterion,
                found=_with_currency(seen, one),
            )
            return
    yield from _bare_number(seen)


def _bare_number(seen: Seen) -> Iterator[Cause]:
    """A number without its unit that would hold in the next smaller one: 9500 where 10 km are allowed."""
    check = seen.failed[0] if seen.failed else None
    if check is None or check.parse is None or check.found is None or not check.wanted or check.side != "high":
        return
    factor, unit = _SMALLER.get(check.parse.unit or "", (0.0, ""))
    amount = amount_read(check.result.actual)
    if not factor or amount is None or amount.unit or not 0.2 <= check.found / factor / check.wanted <= 1:
        return
    yield cause(
        CauseKind.UNIT_MIXED,
        seen,
        check,
        0.9,
        None,
        wanted=check.condition or check.result.criterion,
        found=shown(check.result.actual, 30),
        turned=f"{number_shown(check.found / factor)} {_unit_said(check)}".strip(),
        unit=unit,
    )


def _unit_said(check: Check) -> str:
    """The unit as the criterion says it."""
    return (check.result.expected or "").rpartition(" ")[2].strip("0123456789.,<>= ")


def _with_currency(seen: Seen, check: Check) -> str:
    said = shown(check.result.actual, 30)
    near = (check.result.path or "").rpartition(".")[0]
    for leaf in seen.leaves:
        if (_is("currency keys", leaf) or _is("unit keys", leaf)) and leaf.path.rpartition(".")[0] == near:
            return f"{said} {shown(leaf.value, 12)}"
    return said
