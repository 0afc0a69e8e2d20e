"""Causes in what came before: adjustments, learnings, cached plans, earlier failures."""

import re
from collections.abc import Iterator

from planning.contracts import CriterionSource, PlanSource
from planning.experience import field_in, field_key, normalised, stems
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.activation import Set, of_field, settings_of
from reflection.causes.detect.checks import Check, parse_of
from reflection.causes.detect.execution import is_fact
from reflection.causes.detect.groups import group_of, pull_apart
from reflection.causes.detect.reading import Case
from reflection.causes.detect.strategy import room_in, room_parts
from reflection.causes.texts import shown

_LEARNED_ORDER = re.compile(r"([^<>=\d]+?) > ([^<>=\d]+)")


def adjusted(case: Case) -> Iterator[Cause]:
    """An adjustment that did not help, or that went too far."""
    check = case.worst
    if check is None:
        return
    settings = settings_of(case)
    same = next((setting for setting in settings if of_field(setting, check)), None)
    own = next((met for met in case.met if met.asked and met.field == check.field), None)
    if same is not None and not (check.source is CriterionSource.ADJUSTMENT and own):
        times = failures_before(case, check)[0] + 1
        yield case.cause(
            CauseKind.NO_HELP,
            check,
            0.93,
            [Fact("adjustments", same.text)],
            adjustment=same.text,
            times=str(times) if times > 1 else "",
            **_checked(case, settings, check),
        )
        return
    rival = next((setting for setting in settings if setting.field and pull_apart(setting.name, check.name)), None)
    if rival is not None:
        yield case.cause(
            CauseKind.OVERSHOT,
            check,
            0.92,
            [Fact("adjustments", rival.text)],
            adjustment=rival.text,
            adjusted=shown(field_in(rival.name, case.language), 40),
            **_reached(case, rival.name),
        )
    elif check.source is CriterionSource.ADJUSTMENT:
        yield case.cause(
            CauseKind.OVERSHOT,
            check,
            0.9 if own else 0.8,
            [Fact(check.source_place, "adjustment")],
            adjustment=same.text if same else check.result.criterion,
            adjusted=check.name,
            own=own.result.criterion if own else "",
        )


def _checked(case: Case, settings: list[Set], check: Check) -> dict[str, str]:
    """The first step that an adjustment made look at the criterion."""
    edits = [
        normalised(setting.name)
        for setting in settings
        if setting.active.adjustment.setting == "steps" and of_field(setting, check)
    ]
    for step in case.plan.steps:
        if any(edit in normalised(step.description) for edit in edits):
            return {"checked": shown(step.description, 70), "checked_at": str(step.order)}
    return {}


def _reached(case: Case, name: str) -> dict[str, str]:
    room = room_in(case, name) or next(
        (check for check in case.met if check.found is not None and group_of(check.name) == group_of(name)), None
    )
    return room_parts(room)


def failures_before(case: Case, check: Check) -> tuple[int, int]:
    """In how many earlier episodes the same criterion failed, and of how many the outcome is known."""
    ended = [episode for episode in case.failure.past if episode.failed is not None]
    wanted = normalised(check.result.criterion)
    return sum(
        any(normalised(feature) == f"fails:{wanted}" or _fails_field(feature, check) for feature in episode.features)
        or (not episode.features and bool(episode.failed) and wanted in normalised(episode.content[:1_000]))
        for episode in ended
    ), len(ended)


def _fails_field(feature: str, check: Check) -> bool:
    """Whether it is of the same field with another limit."""
    if not feature.startswith("fails:") or not check.side:
        return False
    name = re.split(r" (?:>=|<=|>|<|==|!=) ", feature[6:126])[0]
    return field_key(name) == check.field


def mistaught(case: Case) -> Iterator[Cause]:
    """What experience taught does not hold here."""
    metadata, check = case.plan.metadata, case.worst
    if check is None or not (metadata.past_learnings or metadata.learned_constraints):
        return
    if check.source is CriterionSource.EXPERIENCE:
        score = 0.92 if all(other.result.met is not False for other in case.checks if other.asked) else 0.84
        facts = [Fact(check.source_place, "experience")]
        yield case.cause(CauseKind.MISTAUGHT, check, score, facts, learned=check.result.criterion, own="yes")
        return
    for place, text in enumerate([*metadata.past_learnings, *metadata.learned_constraints]):
        name = _misleading(text, check)
        if name:
            learned = place < len(metadata.past_learnings)
            where = "past_learnings" if learned else "learned_constraints"
            leads = field_key(case.priority) == field_key(name)
            room = room_in(case, name)
            yield case.cause(
                CauseKind.MISTAUGHT,
                check,
                (0.9 if leads or not learned else 0.86) + (0.02 if room else 0),
                [Fact(f"plan.metadata.{where}", shown(text)), *([room.fact] if room else [])],
                learned=shown(text),
                episodes=str(len(metadata.episodes)) if len(metadata.episodes) > 1 else "",
                **room_parts(room),
            )
            return


def _misleading(learning: str, check: Check) -> str:
    """The field that a learning speaks for, where it pulls against the criterion or puts that second; else empty."""
    order, parse = _LEARNED_ORDER.fullmatch(learning.strip()), parse_of(learning)
    name = order[1] if order else parse.field.replace("_", " ") if parse else learning
    is_second = order is not None and bool(order[2]) and field_key(order[2]) == check.field
    return name if is_second or pull_apart(name, check.name) else ""


def cache_misfit(case: Case) -> Iterator[Cause]:
    """The plan was made for a similar task, and what is different here is what failed."""
    metadata, check = case.plan.metadata, case.worst
    if metadata.source is not PlanSource.CACHE:
        return
    notes = " ".join(metadata.cache_adjustments)
    score = 0.45
    if check is not None and notes:
        score = 0.96 if is_fact(case, check) else 0.94 if _about(notes, check) else score
    facts = [Fact("plan.metadata.cached_from", shown(metadata.cached_from or "another plan", 40))]
    facts += [Fact("plan.metadata.cache_adjustments", shown(notes, 60))] if notes else []
    similarity = str(round(100 * metadata.similarity)) if metadata.similarity else ""
    yield case.cause(CauseKind.CACHE_MISFIT, check, score, facts, notes=shown(notes, 60), similarity=similarity)


def _about(notes: str, check: Check) -> bool:
    """Whether what was adjusted is what the criterion asks: they share a number or a word."""
    shared = set(stems(f"{check.criterion.text} {check.result.expected or ''}")) & set(stems(notes))
    return any(len(word) > 2 or word.isdigit() for word in shared)
