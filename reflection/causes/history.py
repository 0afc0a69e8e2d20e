"""Causes in what came before: adjustments, learnings, cached plans, earlier failures."""

import re
from collections.abc import Iterator

from planning.contracts import CriterionSource, PlanSource, SuccessCriterion
from planning.learning import field_in, field_key, folded, stems
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.execution import is_fact
from reflection.causes.force import Set, of_field, settings_of
from reflection.causes.groups import group_of, pull_apart
from reflection.causes.making import cause, check_fact
from reflection.causes.reading import Check, Seen
from reflection.causes.strategy import room_in, room_parts
from reflection.causes.wording import shown

_LEARNED_ORDER = re.compile(r"([^<>=\d]+?) > ([^<>=\d]+)")


def adjusted(seen: Seen) -> Iterator[Cause]:
    """An adjustment that did not help, or that went too far."""
    check = seen.failed[0] if seen.failed else None
    if check is None:
        return
    settings = settings_of(seen)
    same = next((one for one in settings if of_field(one, check)), None)
    own = _own_met(seen, check)
    if same is not None and not (check.source is CriterionSource.ADJUSTMENT and own):
        yield cause(
            CauseKind.NO_HELP,
            seen,
            check,
            0.93,
            [Fact("adjustments", same.text)],
            adjustment=same.text,
            times=str(_times(seen, check)) if _times(seen, check) > 1 else "",
            **_checked(seen, settings, check),
        )
        return
    for one in settings:
        if one.field and pull_apart(one.name, check.name):
            yield cause(
                CauseKind.OVERSHOT,
                seen,
                check,
                0.92,
                [Fact("adjustments", one.text)],
                adjustment=one.text,
                adjusted=shown(field_in(one.name, seen.language), 40),
                **_reached(seen, one.name),
            )
            return
    if check.source is CriterionSource.ADJUSTMENT:
        yield cause(
            CauseKind.OVERSHOT,
            seen,
            check,
            0.9 if own else 0.8,
            [Fact(f"plan.success_criteria[{check.place}].source", "adjustment")],
            adjustment=same.text if same else check.result.criterion,
            adjusted=check.name,
            own=own.result.criterion if own else "",
        )


def _checked(seen: Seen, settings: list[Set], check: Check) -> dict[str, str]:
    """The first step that an adjustment made look at the criterion."""
    edits = [folded(one.name) for one in settings if one.active.adjustment.setting == "steps" and of_field(one, check)]
    for step in seen.plan.steps:
        if any(edit in folded(step.description) for edit in edits):
            return {"checked": shown(step.description, 70), "checked_at": str(step.order)}
    return {}


def _own_met(seen: Seen, check: Check) -> Check | None:
    """What was asked of the same field and was met."""
    return next((one for one in seen.met if one.asked and one.field == check.field), None)


def _reached(seen: Seen, name: str) -> dict[str, str]:
    room = room_in(seen, name) or next(
        (one for one in seen.met if one.found is not None and group_of(one.name) == group_of(name)), None
    )
    return room_parts(room)


def _times(seen: Seen, check: Check) -> int:
    return failures_before(seen, check)[0] + 1


def failures_before(seen: Seen, check: Check) -> tuple[int, int]:
    """In how many earlier episodes the same criterion failed, and of how many somebody knows how it ended."""
    known = [one for one in seen.failure.past if one.failed is not None]
    wanted = folded(check.result.criterion)
    return sum(
        any(folded(feature) == f"fails:{wanted}" or _fails_field(feature, check) for feature in one.features)
        or (not one.features and bool(one.failed) and wanted in folded(one.content[:1_000]))
        for one in known
    ), len(known)


def _fails_field(feature: str, check: Check) -> bool:
    """Whether it is of the same field with another limit."""
    if not feature.startswith("fails:") or not check.side:
        return False
    name = re.split(r" (?:>=|<=|>|<|==|!=) ", feature[6:126])[0]
    return field_key(name) == check.field


def mistaught(seen: Seen) -> Iterator[Cause]:
    """What experience taught does not hold here."""
    metadata = seen.plan.metadata
    check = seen.failed[0] if seen.failed else None
    if check is None or not (metadata.past_learnings or metadata.learned_constraints):
        return
    if check.source is CriterionSource.EXPERIENCE:
        yield cause(
            CauseKind.MISTAUGHT,
            seen,
            check,
            0.92 if all(one.result.met is not False for one in seen.checks if one.asked) else 0.84,
            [Fact(f"plan.success_criteria[{check.place}].source", "experience")],
            learned=check.result.criterion,
            own="yes",
        )
        return
    for place, text in enumerate([*metadata.past_learnings, *metadata.learned_constraints]):
        match = _LEARNED_ORDER.fullmatch(text.strip())
        parse = SuccessCriterion(text=text[:500]).parse if text.strip() else None
        name = match[1] if match else parse.field.replace("_", " ") if parse else text
        second = match[2] if match else ""
        if pull_apart(name, check.name) or (second and field_key(second) == check.field):
            learned = place < len(metadata.past_learnings)
            where = "past_learnings" if learned else "learned_constraints"
            leads = field_key(seen.plan.config.priority or "") == field_key(name)
            room = room_in(seen, name)
            yield cause(
                CauseKind.MISTAUGHT,
                seen,
                check,
                (0.9 if leads or not learned else 0.86) + (0.02 if room else 0),
                [Fact(f"plan.metadata.{where}", shown(text)), *([check_fact(room)] if room else [])],
                learned=shown(text),
                episodes=str(len(metadata.episodes)) if len(metadata.episodes) > 1 else "",
                **room_parts(room),
            )
            return


def cache_misfit(seen: Seen) -> Iterator[Cause]:
    """The plan was made for a similar task, and what is different here is what failed."""
    metadata = seen.plan.metadata
    if metadata.source is not PlanSource.CACHE:
        return
    check = seen.failed[0] if seen.failed else None
    notes = " ".join(metadata.cache_adjustments)
    adjusted_here = check is not None and bool(notes) and _about(notes, check)
    if check is not None and notes and is_fact(seen, check):
        score = 0.96
    elif adjusted_here:
        score = 0.94
    else:
        score = 0.45
    yield cause(
        CauseKind.CACHE_MISFIT,
        seen,
        check,
        score,
        [Fact("plan.metadata.cached_from", shown(metadata.cached_from or "another plan", 40))]
        + ([Fact("plan.metadata.cache_adjustments", shown(notes, 60))] if notes else []),
        notes=shown(notes, 60),
        similarity=str(round(100 * metadata.similarity)) if metadata.similarity else "",
    )


def _about(notes: str, check: Check) -> bool:
    """Whether what was adjusted is what the criterion asks: they share a number or a word."""
    here = set(stems(f"{check.criterion.text} {check.result.expected or ''}"))
    there = set(stems(notes))
    return any(len(word) > 2 or word.isdigit() for word in here & there)
