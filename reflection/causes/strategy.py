"""Causes in the plan itself: what it sorts by, what it holds to, what it weighs."""

from collections.abc import Iterator
from typing import Final

from planning.contracts import CriterionSource
from planning.grammar import CriterionKind, ValueType
from planning.learning import field_in, field_key, folded
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.groups import group_of, pull_apart
from reflection.causes.making import cause, check_fact
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import data_read, number_shown, shown

NEAR: Final = 0.06
"""Share of the limit by which a criterion may be missed and still count as aimed at."""
ROOM: Final = 0.1
_ASSUMING: Final = (CriterionSource.TEMPLATE, CriterionSource.PREFERENCE, CriterionSource.MODEL)


def priority_said(seen: Seen) -> str:
    """What the plan sorts by, as people of its language say it."""
    priority = seen.plan.config.priority or ""
    names: dict[str, str] = data_read("words.json")[f"priorities {seen.language}"]
    return shown(names.get(folded(priority)) or field_in(priority, seen.language), 40)


def is_near(check: Check) -> bool:
    """Whether it was missed by next to nothing. Whole numbers under ten are off by one at least."""
    dated = check.parse is not None and check.parse.value_type is ValueType.DATE  # a day late is late
    return check.gap is not None and 0 < check.gap <= NEAR and bool(check.side) and not dated


def room_in(seen: Seen, name: str) -> Check | None:
    """A met criterion of the same group as the name that has room to spare."""
    for one in seen.met:
        if (
            one.side
            and (one.gap or 0) >= ROOM
            and (one.field == field_key(name) or group_of(one.name) == group_of(name))
        ):
            return one
    return None


def priority_against(seen: Seen) -> Iterator[Cause]:
    priority = seen.plan.config.priority
    check = next((one for one in seen.failed if priority and pull_apart(priority, one.name)), None)
    if not priority or check is None or check.field == field_key(priority):
        return
    room = room_in(seen, priority)
    constraint, _ = seen.said_of(check)
    score = 0.8 + (0.06 if room else 0) + (0.02 if check.asked else 0)
    score -= 0.22 if constraint else 0.1 if is_near(check) else 0
    score -= 0.0 if check is seen.main else 0.1
    score -= 0.25 if room is None and _is_missed(seen, priority) else 0  # it is not served either
    facts = [Fact("plan.config.priority", shown(priority)), *([check_fact(room)] if room else [])]
    yield cause(CauseKind.PRIORITY_AGAINST, seen, check, score, facts, priority=priority_said(seen), **room_parts(room))


def _is_missed(seen: Seen, name: str) -> bool:
    """Whether a criterion of what the name is of was not met."""
    group = group_of(name)
    return any(one.field == field_key(name) or (group and group_of(one.name) == group) for one in seen.failed)


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


def is_first(seen: Seen, check: Check) -> bool:
    """Whether what failed is what the plan puts first."""
    return bool(seen.priority) and field_key(seen.priority) == check.field


def held_or_not(seen: Seen) -> Iterator[Cause]:
    """Whether anything in the plan spoke of what failed."""
    check = seen.failed[0] if seen.failed else None
    if check is None:
        return
    constraint, step = seen.said_of(check)
    if not constraint and not step:
        yield cause(
            CauseKind.NOT_HELD,
            seen,
            check,
            0.64,
            [Fact("plan.constraints", f"{len(seen.plan.constraints)}, of {shown(check.name)} none")],
            priority=priority_said(seen) if is_first(seen, check) or not _is_missed(seen, seen.priority) else "",
            first="yes" if is_first(seen, check) else "",
            steps=str(len(seen.plan.steps)) if seen.plan.steps else "",
        )
        return
    facts = [Fact("plan.constraints", shown(constraint))] if constraint else []
    text = next((one.description for one in seen.plan.steps if one.order == step), "")
    facts += [Fact(f"plan.steps[{step}]", shown(text))] if step else []
    yield cause(
        CauseKind.NOT_VERIFIED,
        seen,
        check,
        0.77 if constraint else 0.66,
        facts,
        constraint=shown(constraint),
        step=str(step) if step else "",
        step_text=shown(text, 70),
    )


def trade_off(seen: Seen) -> Iterator[Cause]:
    check = seen.failed[0] if seen.failed else None
    if check is None or not check.side:
        return
    rivals = [one for one in seen.checks if one is not check and one.side and pull_apart(one.name, check.name)]
    met = [one for one in rivals if one.result.met is True and (one.gap or 0) >= ROOM]
    both = [one for one in rivals if one.result.met is False]
    other = max(met, key=lambda one: one.gap or 0, default=None)
    if other is not None:
        score = 0.72 + (0.05 if (other.gap or 0) >= 0.25 else 0)
        yield cause(CauseKind.TRADE_OFF, seen, check, score, [check_fact(other)], **room_parts(other))
    elif both:
        yield cause(CauseKind.TRADE_OFF, seen, check, 0.79, [check_fact(both[0])], both="both", **room_parts(both[0]))


def near_miss(seen: Seen) -> Iterator[Cause]:
    check = seen.failed[0] if seen.failed else None
    if check is None or not is_near(check) or len([one for one in seen.failed if not is_near(one)]):
        return
    yield cause(CauseKind.NEAR_MISS, seen, check, 0.86 if (check.gap or 0) <= NEAR / 2 else 0.8)


def assumed(seen: Seen) -> Iterator[Cause]:
    """What nobody asked for failed, and who asked is content."""
    failed = seen.failed
    if not failed or seen.rejected or any(one.source not in _ASSUMING for one in failed):
        return
    check = failed[0]
    asked = [one for one in seen.checks if one.asked]
    if check.kind is CriterionKind.EQUALITY and check.field in ("status", "estado"):
        return
    if seen.confirmed:
        score = 0.9
    elif asked and all(one.result.met for one in asked):
        score = 0.67
    else:
        return
    facts = [Fact(f"plan.success_criteria[{check.place}].source", check.source.value)]
    facts += [check_fact(one) for one in seen.met if one.is_verdict][:1]
    yield cause(
        CauseKind.ASSUMED, seen, check, score, facts, content="yes" if seen.confirmed else "", origin=check.source.value
    )
