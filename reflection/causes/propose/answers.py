"""Which changes answer which cause, what answers it best first."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from planning.contracts import CriterionSource
from planning.criteria import CriterionKind
from planning.experience import better_side, condition_said, field_key
from reflection.causes.contracts import LESSON_KINDS, Cause, CauseKind
from reflection.causes.detect.checks import Check
from reflection.causes.detect.feedback import topic_named
from reflection.causes.detect.groups import group_of
from reflection.causes.detect.reading import Case
from reflection.causes.detect.task_specific import is_task_specific
from reflection.causes.propose.candidates import AdjustmentCandidate, CandidateBuilder
from reflection.causes.texts import data_read

Candidates = Iterator[AdjustmentCandidate]
_NAME_WORDS: Final = 3
_BARE: Final = (CriterionKind.EQUALITY, CriterionKind.MEMBERSHIP, CriterionKind.VERDICT)


@dataclass(frozen=True)
class _Context:
    """A cause in a failure, the criterion that it is about, and what makes the candidates."""

    cause: Cause
    case: Case
    check: Check | None
    builder: CandidateBuilder

    @property
    def own_condition(self) -> str:
        """The condition of the criterion, empty where it is of this task alone."""
        return self.check.condition if self.check and not is_of_task(self.check, self.case) else ""

    def priority(self) -> Candidates:
        """What failed comes first, where options can be sorted by it."""
        yield from self.builder.priority(orderable(self.check, self.case))


def candidates_of(cause: Cause, case: Case, check: Check | None) -> Candidates:
    """Everything that answers the cause."""
    context = _Context(cause, case, check, CandidateBuilder(case))
    if cause.kind in LESSON_KINDS:
        yield from context.builder.lesson(cause.kind)
        yield from _lesson_limit(context)
    if cause.kind in _ANSWERS:
        yield from _ANSWERS[cause.kind](context)
    for purpose in _PURPOSES.get(cause.kind, ()):
        yield from context.builder.reword(purpose, _names(context))
    if cause.kind not in _NO_CONDITION and check is not None:
        yield from _held(context, check)


def fallbacks_of(case: Case, check: Check | None) -> Candidates:
    """Changes that fit any cause: what comes first, and what is checked before the end."""
    builder = CandidateBuilder(case)
    if check is not None and not check.is_verdict:
        yield from builder.add("" if is_of_task(check, case) else check.condition)
        yield from builder.reword("verify", {"name": _short_name(check.name)})
        yield from builder.priority(orderable(check, case))
    yield from builder.reword("ask reasons")
    if check is None or check.is_verdict:
        yield from builder.priority(data_read("adjustments.json")["satisfied"][case.language])


def is_of_task(check: Check, case: Case) -> bool:
    """Whether other tasks of the type may ask something else: this one's city, date, sum. A value that the
    task names is always of the task.
    """
    own = check.source is CriterionSource.TASK or (check.kind in _BARE and check.asked)
    return own or is_task_specific(case, check.condition or check.criterion.text)


def orderable(check: Check | None, case: Case) -> str:
    """The field of a criterion as something that can be put first; empty where more or less of it is not better."""
    if check is None or not check.side:
        return ""
    if better_side(check.name) is not None:
        return check.name
    names: dict[str, str] = data_read("adjustments.json")["group names"].get(group_of(check.name), {})
    return names.get(case.language, "") if check.side == "high" else ""


def _held(context: _Context, check: Check) -> Candidates:
    """The plan held to what failed: in its constraints, by what it puts first, before it chooses, before it ends."""
    yield from context.builder.add(context.own_condition)
    if context.cause.kind is not CauseKind.OVERSHOT:  # or it would swing back
        yield from context.priority()
    names = {"name": _name_of(check, context.case)}
    yield from context.builder.reword("verify choice", names, 3)
    yield from context.builder.reword("verify", names, 3)
    if check.result.met is False:
        yield from context.builder.reword("ask again", None, 2)
    yield from context.builder.filter(context.own_condition, 1)


def _unlearned(context: _Context) -> Candidates:
    """Experience taught what does not hold: a learned constraint goes, an order turns round."""
    learned = context.cause.parts.get("learned", "")
    if learned and " > " not in learned:
        yield from context.builder.remove("constraint", condition_said(learned) or "")
    yield from context.priority()


def _unasked(context: _Context) -> Candidates:
    yield from context.builder.remove("criterion", context.check.criterion.text if context.check else "")
    yield from context.builder.reword("ask first")


def _on_the_way(context: _Context) -> Candidates:
    """Checked earlier, where there is still time to mend it; the limit stays what was asked."""
    if context.check is not None:
        names = {"name": _short_name(context.check.name)}
        yield from context.builder.add(context.own_condition)
        yield from context.builder.reword("verify choice", names)
        yield from context.builder.reword("verify", names)
        yield from context.builder.filter(context.own_condition)


def _with_unit(context: _Context) -> Candidates:
    parse = context.check.parse if context.check else None
    if parse is not None and (parse.unit or parse.currency):
        yield from context.builder.add(context.own_condition)


def _part(context: _Context) -> Candidates:
    """The part that took most is looked at by itself; how much of the whole it may take is for the user to say."""
    yield from context.builder.reword("verify", {"name": _short_name(context.cause.parts.get("part", ""))})


def _softened(context: _Context) -> Candidates:
    """Back to what was asked of the field that was adjusted, and a limit for what paid for it."""
    case, builder = context.case, context.builder
    for active in reversed(case.failure.adjustments):
        value = active.adjustment.value
        if active.adjustment.setting != "constraint" or not isinstance(value, str):
            continue
        field = re.split(r" (?:>=|<=|>|<|==|!=) ", value)[0]
        checks = (check for check in case.checks if check.asked and check.condition)
        own = next((check for check in checks if field_key(field) == check.field), None)
        if own is not None and own.condition != value and not is_of_task(own, case):
            yield from builder.add(own.condition, 1, overrides=True)
        yield from builder.remove("constraint", value)
    if case.main is not None and case.main.source is CriterionSource.ADJUSTMENT:
        yield from builder.remove("constraint", case.main.condition)


def _wish(context: _Context) -> Candidates:
    """What the user minds becomes a condition, or what comes first."""
    language = context.case.language
    topic = topic_named(context.cause.parts.get("topic_key", ""))
    if topic is not None:
        yield from context.builder.add(topic.condition.get(language, ""))
        yield from context.builder.priority(topic.priority[language])
        yield from context.builder.reword("verify", {"name": topic.priority[language]})
    thing = context.cause.parts.get("thing", "")
    if thing:
        yield from context.builder.add({"en": "has {}", "es": "tiene {}"}[language].format(thing))


def _lesson_limit(context: _Context) -> Candidates:
    """The limit of the session's own goal for the figure that the cause is of, where it has one."""
    figure = data_read("adjustments.json")["limits"].get(context.cause.kind.value)
    checks = context.case.checks if figure else ()
    own = next((check for check in checks if figure in check.name and check.condition), None)
    if own is not None and own.side == "high" and not is_of_task(own, context.case):
        yield from context.builder.add(own.condition)


def _short_name(name: str) -> str:
    return " ".join(name.split()[:_NAME_WORDS])


def _name_of(check: Check, case: Case) -> str:
    """The field that is looked at; a verdict is of no field."""
    satisfied: dict[str, str] = data_read("adjustments.json")["satisfied"]
    return satisfied[case.language] if check.is_verdict else _short_name(check.name)


def _names(context: _Context) -> dict[str, str]:
    parts = context.cause.parts
    name = parts.get("last") or (_name_of(context.check, context.case) if context.check else context.cause.about)
    return {"name": _short_name(name), "unit": (parts.get("turned") or parts.get("wanted") or "").rpartition(" ")[2]}


_ANSWERS: Final[dict[CauseKind, Callable[[_Context], Candidates]]] = {
    CauseKind.PRIORITY_AGAINST: _Context.priority,
    CauseKind.MISTAUGHT: _unlearned,
    CauseKind.ASSUMED: _unasked,
    CauseKind.OVERSHOT: _softened,
    CauseKind.NO_HELP: _Context.priority,
    CauseKind.NEAR_MISS: _on_the_way,
    CauseKind.UNMEASURED_WISH: _wish,
    CauseKind.PART_OVERRAN: _part,
    CauseKind.UNIT_MIXED: _with_unit,
}
_PURPOSES: Final[dict[CauseKind, tuple[str, ...]]] = {
    CauseKind.TOOL_FAILED: ("fallback", "fallback end"),
    CauseKind.CUT_SHORT: ("finish",),
    CauseKind.WRONG_THING: ("facts", "facts choice"),
    CauseKind.CACHE_MISFIT: ("facts", "facts choice"),
    CauseKind.CHANGED_MIND: ("ask again", "ask reasons"),
    CauseKind.UNMEASURED_WISH: ("ask first", "ask reasons"),
    CauseKind.NONE_FIT: ("give way", "all options"),
    CauseKind.PASSED_OVER: ("all options", "verify choice"),
    CauseKind.DATA_MISSING: ("collect",),
    CauseKind.UNIT_MIXED: ("convert",),
    CauseKind.TRADE_OFF: ("give way",),
    CauseKind.NOT_VERIFIED: ("verify", "verify choice"),
    CauseKind.NO_HELP: ("verify choice", "verify", "ask again"),
    CauseKind.PART_OVERRAN: ("verify",),
}
_NO_CONDITION: Final = LESSON_KINDS | {
    CauseKind.ASSUMED,
    CauseKind.CHANGED_MIND,
    CauseKind.WRONG_THING,
    CauseKind.CUT_SHORT,
    CauseKind.TOOL_FAILED,
    CauseKind.NEAR_MISS,
    CauseKind.UNIT_MIXED,
    CauseKind.UNMEASURED_WISH,
    CauseKind.DATA_MISSING,
}
