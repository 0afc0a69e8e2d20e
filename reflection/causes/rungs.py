"""What could be changed because of a cause, rung by rung."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from planning.contracts import CriterionSource
from planning.grammar import CriterionKind
from planning.learning import better_side, condition_said, field_key
from reflection.causes.contracts import LESSON_KINDS, Cause, CauseKind
from reflection.causes.forms import Forms, Rung
from reflection.causes.groups import group_of
from reflection.causes.own import stands_in_task
from reflection.causes.people import topic_named
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import data_read

_NAME_WORDS: Final = 3
_BARE: Final = (CriterionKind.EQUALITY, CriterionKind.MEMBERSHIP, CriterionKind.VERDICT)


def ladder_of(cause: Cause, seen: Seen, check: Check | None) -> Iterator[Rung]:
    """Everything that answers the cause, what answers it best first."""
    forms = Forms(seen)
    if cause.kind in LESSON_KINDS:
        yield from forms.lesson(cause.kind)
        yield from _lesson_limit(cause, seen, forms)
    own = _OWN.get(cause.kind)
    if own is not None:
        yield from own(cause, seen, check, forms)
    for purpose in _PURPOSES.get(cause.kind, ()):
        yield from forms.reword(purpose, _names(cause, check, seen))
    if cause.kind not in _NO_CONDITION and check is not None:
        yield from _held(cause, check, seen, forms)


def _first(_cause: Cause, seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    yield from forms.priority(orderable(check, seen))


def _unlearned(cause: Cause, seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    """What was taught does not hold: a learned constraint goes, an order turns round."""
    learned = cause.parts.get("learned", "")
    condition = condition_said(learned) if learned and " > " not in learned else None
    if condition:
        yield from forms.remove("constraint", condition)
    yield from forms.priority(orderable(check, seen))


def _unasked(_cause: Cause, _seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    yield from forms.remove("criterion", check.criterion.text if check else "")
    yield from forms.reword("ask first")


def _firmer(_cause: Cause, seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    yield from forms.priority(orderable(check, seen))


def _on_the_way(_cause: Cause, seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    """Held to earlier, where there is still time to mend it; the limit stays what was asked."""
    if check is not None:
        yield from forms.add("" if is_of_task(check, seen) else check.condition)
        yield from forms.reword("verify choice", {"name": _short_name(check.name)})
        yield from forms.reword("verify", {"name": _short_name(check.name)})
        if not is_of_task(check, seen):
            yield from forms.filter(check.condition)


def _with_unit(_cause: Cause, seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    if check is None or check.parse is None or is_of_task(check, seen):
        return
    yield from forms.add(check.condition if check.parse.unit or check.parse.currency else "")


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
    CauseKind.NOT_HELD: (),
    CauseKind.PART_OVERRAN: ("verify",),
}
_NO_CONDITION: Final = frozenset(
    (
        CauseKind.ASSUMED,
        CauseKind.CHANGED_MIND,
        CauseKind.WRONG_THING,
        CauseKind.CUT_SHORT,
        CauseKind.TOOL_FAILED,
        CauseKind.NEAR_MISS,
        CauseKind.UNIT_MIXED,
        CauseKind.UNMEASURED_WISH,
        CauseKind.DATA_MISSING,
        *LESSON_KINDS,
    )
)


def _held(cause: Cause, check: Check, seen: Seen, forms: Forms) -> Iterator[Rung]:
    """The plan held to what failed: in its constraints, by what it puts first, before it chooses, before it ends. What
    is of this task alone becomes no constraint of others.
    """
    if not is_of_task(check, seen):
        yield from forms.add(check.condition)
    if cause.kind is not CauseKind.OVERSHOT:  # or it would swing back
        yield from forms.priority(orderable(check, seen))
    name = _name_of(check, seen)
    yield from forms.reword("verify choice", {"name": name}, 3)
    yield from forms.reword("verify", {"name": name}, 3)
    if check.result.met is False:
        yield from forms.reword("ask again", None, 2)
    if not is_of_task(check, seen):
        yield from forms.filter(check.condition, 1)


def is_of_task(check: Check, seen: Seen) -> bool:
    """Whether other tasks of the type may ask something else: this one's city, date, sum. Whoever passed the criterion,
    what stands in the task is of the task.
    """
    own = check.source is CriterionSource.TASK or (check.kind in _BARE and check.asked)
    return own or stands_in_task(seen, check.condition or check.criterion.text)


def last_of(seen: Seen, check: Check | None) -> Iterator[Rung]:
    """What can always be changed: what comes first, and what is checked before the end."""
    forms = Forms(seen)
    if check is not None and not check.is_verdict:
        yield from forms.add("" if is_of_task(check, seen) else check.condition)
        yield from forms.reword("verify", {"name": _short_name(check.name)})
        yield from forms.priority(orderable(check, seen))
    yield from forms.reword("ask reasons")
    if check is None or check.is_verdict:
        yield from forms.priority(data_read("adjustments.json")["satisfied"][seen.language])


def orderable(check: Check | None, seen: Seen) -> str:
    """The field of a criterion as something that can be put first; empty where more or less of it is not better."""
    if check is None or not check.side:
        return ""
    if better_side(check.name) is not None:
        return check.name
    names: dict[str, str] = data_read("adjustments.json")["group names"].get(group_of(check.name), {})
    return names.get(seen.language, "") if check.side == "high" else ""


def _short_name(name: str) -> str:
    return " ".join(name.split()[:_NAME_WORDS])


def _name_of(check: Check, seen: Seen) -> str:
    """What is looked at for it; a verdict is of no field."""
    satisfied: dict[str, str] = data_read("adjustments.json")["satisfied"]
    return satisfied[seen.language] if check.is_verdict else _short_name(check.name)


def _names(cause: Cause, check: Check | None, seen: Seen) -> dict[str, str]:
    name = cause.parts.get("last") or (_name_of(check, seen) if check else cause.about)
    unit = (cause.parts.get("turned") or cause.parts.get("wanted") or "").rpartition(" ")[2]
    return {"name": _short_name(name), "unit": unit}


def _part(cause: Cause, _seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """The part that took most is looked at by itself; how much of the whole it may take is for the user to say."""
    yield from forms.reword("verify", {"name": _short_name(cause.parts.get("part", ""))})


def _softened(_cause: Cause, seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """Back to what was asked of the field that was adjusted, and a limit for what paid for it."""
    for active in reversed(seen.failure.adjustments):
        value = active.adjustment.value
        if active.adjustment.setting != "constraint" or not isinstance(value, str):
            continue
        own = next((one for one in seen.checks if one.asked and one.condition and _same_field(one, value)), None)
        if own is not None and own.condition != value and not is_of_task(own, seen):
            yield from forms.add(own.condition, 1, overrides=True)
        yield from forms.remove("constraint", value)
    if seen.main is not None and seen.main.source is CriterionSource.ADJUSTMENT:
        yield from forms.remove("constraint", seen.main.condition)


def _same_field(check: Check, condition: str) -> bool:
    return field_key(re.split(r" (?:>=|<=|>|<|==|!=) ", condition)[0]) == check.field


def _wish(cause: Cause, seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """What the user minds becomes a condition, or what comes first."""
    topic = topic_named(cause.parts.get("topic_key", ""))
    if topic is not None:
        yield from forms.add(topic.condition.get(seen.language, ""))
        yield from forms.priority(topic.priority[seen.language])
        yield from forms.reword("verify", {"name": topic.priority[seen.language]})
    thing = cause.parts.get("thing", "")
    if thing:
        yield from forms.add({"en": "has {}", "es": "tiene {}"}[seen.language].format(thing))


def _lesson_limit(cause: Cause, seen: Seen, forms: Forms) -> Iterator[Rung]:
    """The limit of its goal for what the session was full of, where it has one."""
    figure = data_read("adjustments.json")["limits"].get(cause.kind.value)
    own = next((one for one in seen.checks if figure and figure in one.name and one.condition), None)
    if own is not None and own.side == "high" and not is_of_task(own, seen):
        yield from forms.add(own.condition)


_Own = Callable[[Cause, Seen, Check | None, Forms], Iterator[Rung]]
_OWN: Final[dict[CauseKind, _Own]] = {
    CauseKind.PRIORITY_AGAINST: _first,
    CauseKind.MISTAUGHT: _unlearned,
    CauseKind.ASSUMED: _unasked,
    CauseKind.OVERSHOT: _softened,
    CauseKind.NO_HELP: _firmer,
    CauseKind.NEAR_MISS: _on_the_way,
    CauseKind.UNMEASURED_WISH: _wish,
    CauseKind.PART_OVERRAN: _part,
    CauseKind.UNIT_MIXED: _with_unit,
}
