"""Causes in the plan itself: what it sorts by, what it holds to, what it weighs."""

from collections.abc import Iterator
from typing import Final

from planning.contracts import CriterionSource
from planning.criteria import CriterionKind
from planning.experience import field_in, field_key, normalised
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check
from reflection.causes.detect.groups import group_of, pull_apart
from reflection.causes.detect.reading import Case
from reflection.causes.texts import data_read, number_shown, shown

NEAR: Final = 0.06
"""Share of the limit by which a criterion may be missed and still count as aimed at."""
ROOM: Final = 0.1
_ASSUMING: Final = (CriterionSource.TEMPLATE, CriterionSource.PREFERENCE, CriterionSource.MODEL)


def priority_said(case: Case) -> str:
    """What the plan sorts by, as people of its language say it."""
    names: dict[str, str] = data_read("words.json")[f"priorities {case.language}"]
    return shown(names.get(normalised(case.priority)) or field_in(case.priority, case.language), 40)


def is_near(check: Check) -> bool:
    """Whether it was missed by next to nothing. Whole numbers under ten are off by one at least; a day late is late."""
    return check.gap is not None and 0 < check.gap <= NEAR and bool(check.side) and not check.is_date


def room_in(case: Case, name: str) -> Check | None:
    """A met criterion of the same group as the name that has room to spare."""
    for check in case.met:
        is_same = check.field == field_key(name) or group_of(check.name) == group_of(name)
        if is_same and check.side and (check.gap or 0) >= ROOM:
            return check
    return None


def priority_against(case: Case) -> Iterator[Cause]:
    priority = case.priority
    check = next((check for check in case.failed if priority and pull_apart(priority, check.name)), None)
    if check is None or check.field == field_key(priority):
        return
    room = room_in(case, priority)
    constraint, _ = case.mention_of(check)
    score = 0.8 + (0.06 if room else 0) + (0.02 if check.asked else 0)
    score -= 0.22 if constraint else 0.1 if is_near(check) else 0
    score -= 0.0 if check is case.main else 0.1
    score -= 0.25 if room is None and _is_missed(case, priority) else 0  # it is not served either
    facts = [Fact("plan.config.priority", shown(priority)), *([room.fact] if room else [])]
    yield case.cause(CauseKind.PRIORITY_AGAINST, check, score, facts, priority=priority_said(case), **room_parts(room))


def _is_missed(case: Case, name: str) -> bool:
    """Whether a criterion of what the name is of was not met."""
    group = group_of(name)
    return any(check.field == field_key(name) or (group and group_of(check.name) == group) for check in case.failed)


def room_parts(room: Check | None) -> dict[str, str]:
    """Names and numbers of the criterion that has room."""
    if room is None or room.found is None or room.wanted is None:
        return {}
    return {
        "other": room.name,
        "other_found": number_shown(room.found),
        "other_limit": number_shown(room.wanted),
        "other_criterion": room.result.criterion,
    }


def held_or_not(case: Case) -> Iterator[Cause]:
    """Whether anything in the plan spoke of what failed."""
    check = case.worst
    if check is None:
        return
    constraint, order = case.mention_of(check)
    if constraint or order:
        step = next((step.description for step in case.plan.steps if step.order == order), "")
        facts = [Fact("plan.constraints", shown(constraint))] if constraint else []
        facts += [Fact(f"plan.steps[{order}]", shown(step))] if order else []
        parts = {"constraint": shown(constraint), "step": str(order or ""), "step_text": shown(step, 70)}
        yield case.cause(CauseKind.NOT_VERIFIED, check, 0.77 if constraint else 0.66, facts, **parts)
        return
    is_first = bool(case.priority) and field_key(case.priority) == check.field
    yield case.cause(
        CauseKind.NOT_HELD,
        check,
        0.64,
        [Fact("plan.constraints", f"{len(case.plan.constraints)}, of {shown(check.name)} none")],
        priority=priority_said(case) if is_first or not _is_missed(case, case.priority) else "",
        first="yes" if is_first else "",
        steps=str(len(case.plan.steps) or ""),
    )


def trade_off(case: Case) -> Iterator[Cause]:
    check = case.worst
    if check is None or not check.side:
        return
    rivals = [
        rival for rival in case.checks if rival is not check and rival.side and pull_apart(rival.name, check.name)
    ]
    met = [rival for rival in rivals if rival.result.met is True and (rival.gap or 0) >= ROOM]
    missed = [rival for rival in rivals if rival.result.met is False]
    best = max(met, key=lambda rival: rival.gap or 0, default=None)
    if best is not None:
        score = 0.72 + (0.05 if (best.gap or 0) >= 0.25 else 0)
        yield case.cause(CauseKind.TRADE_OFF, check, score, [best.fact], **room_parts(best))
    elif missed:
        yield case.cause(CauseKind.TRADE_OFF, check, 0.79, [missed[0].fact], both="both", **room_parts(missed[0]))


def near_miss(case: Case) -> Iterator[Cause]:
    check = case.worst
    if check is not None and all(is_near(failed) for failed in case.failed):
        yield case.cause(CauseKind.NEAR_MISS, check, 0.86 if (check.gap or 0) <= NEAR / 2 else 0.8)


def assumed(case: Case) -> Iterator[Cause]:
    """An assumed criterion failed, and the user is content."""
    check = case.worst
    if check is None or case.rejected or any(failed.source not in _ASSUMING for failed in case.failed):
        return
    asked = [other for other in case.checks if other.asked]
    if check.kind is CriterionKind.EQUALITY and check.field in ("status", "estado"):
        return
    if not case.confirmed and not (asked and all(other.result.met for other in asked)):
        return
    facts = [Fact(check.source_place, check.source.value)]
    facts += [verdict.fact for verdict in case.met if verdict.is_verdict][:1]
    yield case.cause(
        CauseKind.ASSUMED,
        check,
        0.9 if case.confirmed else 0.67,
        facts,
        content="yes" if case.confirmed else "",
        origin=check.source.value,
    )
