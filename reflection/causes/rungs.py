"""What could be changed because of a cause, rung by rung."""

import math
import re
from collections.abc import Callable, Iterator
from typing import Final

from planning.contracts import CriterionSource
from planning.grammar import CriterionKind, ValueType
from planning.learning import better_side, condition_said, field_key, stems
from reflection.causes.contracts import LESSON_KINDS, Cause, CauseKind
from reflection.causes.forms import Forms, Rung
from reflection.causes.groups import group_of
from reflection.causes.people import topic_named
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import data_read, number_shown

MARGIN: Final = 0.05
_PART_NAMES: Final = ("{part} <= {most}", "{part} price <= {most}", "coste de {part} <= {most}")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
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
        yield from forms.reword(purpose, _names(cause, check))
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
    if check is not None and not is_of_task(check):
        yield from forms.add(tightened(check), 3)


def _inside(_cause: Cause, _seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    yield from forms.add(tightened(check))


def _with_unit(_cause: Cause, _seen: Seen, check: Check | None, forms: Forms) -> Iterator[Rung]:
    said = check is not None and check.parse is not None and (check.parse.unit or check.parse.currency)
    yield from forms.add(check.condition if check is not None and said else "")


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
    CauseKind.NO_HELP: ("verify", "verify choice"),
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
    if not is_of_task(check):
        yield from forms.add(check.condition)
    if cause.kind is not CauseKind.OVERSHOT:  # or it would swing back
        yield from forms.priority(orderable(check, seen))
    name = _short_name(check.name)
    yield from forms.reword("verify choice", {"name": name}, 3)
    yield from forms.reword("verify", {"name": name}, 3)
    if not is_of_task(check):
        yield from forms.filter(tightened(check), 4)
    yield from forms.filter(check.condition, 1)


def is_of_task(check: Check) -> bool:
    """Whether other tasks of the type may ask something else: this one's city, date, sum."""
    return check.source is CriterionSource.TASK or (check.kind in _BARE and check.asked)


def last_of(seen: Seen, check: Check | None) -> Iterator[Rung]:
    """What can always be changed: what comes first, and what is checked before the end."""
    forms = Forms(seen)
    if check is not None and not check.is_verdict:
        yield from forms.add(check.condition)
        yield from forms.reword("verify", {"name": _short_name(check.name)})
        yield from forms.add(tightened(check), 3)
    yield from forms.priority(orderable(check, seen))
    yield from forms.reword("finish")
    yield from forms.reword("ask reasons")
    yield from forms.priority(data_read("adjustments.json")["satisfied"][seen.language])


def orderable(check: Check | None, seen: Seen) -> str:
    """The field of a criterion as something that can be put first; empty where more or less of it is not better."""
    if check is None or not check.side:
        return ""
    if better_side(check.name) is not None:
        return check.name
    names: dict[str, str] = data_read("adjustments.json")["group names"].get(group_of(check.name), {})
    return names.get(seen.language, "") if check.side == "high" else ""


def tightened(check: Check | None) -> str:
    """The condition with a margin inside its limit; empty where there is no number to move."""
    if check is None or not check.side or not check.wanted or check.parse is None:
        return ""
    if check.parse.value_type is ValueType.DATE or check.wanted < 0:
        return ""
    margin = max(MARGIN, 2 * (check.gap or 0)) if (check.gap or 0) <= MARGIN else 2 * MARGIN
    match = _NUMBER.search(check.condition)
    if match is None:
        return ""
    number = float(match[0])
    moved = _rounded(number * (1 + margin if check.side == "low" else 1 - margin), check.side, number)
    if check.parse.value_type is ValueType.PERCENT or check.wanted < 1:
        moved = min(moved, (number + (100.0 if number > 1 else 1.0)) / 2)
    if check.side == "low" and number <= 10 < moved and check.parse.scale != 100:
        moved = 10.0
    if moved == number:
        return ""
    text = f"{check.condition[: match.start()]}{number_shown(moved)}{check.condition[match.end() :]}"
    return condition_said(text) or ""


def _rounded(value: float, side: str, before: float) -> float:
    """Whole numbers stay whole, one away at least."""
    if before != int(before) or before < 2:
        return round(value, 2)
    return float(math.ceil(value) if side == "low" else math.floor(value))


def _short_name(name: str) -> str:
    return " ".join(name.split()[:_NAME_WORDS])


def _names(cause: Cause, check: Check | None) -> dict[str, str]:
    name = cause.parts.get("last") or (check.name if check else cause.about)
    unit = (cause.parts.get("turned") or cause.parts.get("wanted") or "").rpartition(" ")[2]
    return {"name": _short_name(name), "unit": unit}


def _part(cause: Cause, _seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """A limit for the part that took most: what the others leave of the whole."""
    part, most = cause.parts.get("part", ""), cause.parts.get("most", "")
    for name in _PART_NAMES:
        said = condition_said(name.format(part=part, most=most)) if part and most not in ("", "0") else None
        if said and set(stems(part)) & set(stems(said)):  # or it would limit the whole
            yield from forms.add(said)
            return


def _softened(_cause: Cause, seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """Back to what was asked of the field that was adjusted, and a limit for what paid for it."""
    for active in reversed(seen.failure.adjustments):
        value = active.adjustment.value
        if active.adjustment.setting != "constraint" or not isinstance(value, str):
            continue
        own = next((one for one in seen.checks if one.asked and one.condition and _same_field(one, value)), None)
        if own is not None and own.condition != value:
            yield from forms.add(own.condition, 1, overrides=True)
        yield from forms.remove("constraint", value)
    if seen.main is not None and seen.main.source is CriterionSource.ADJUSTMENT:
        yield from forms.remove("constraint", seen.main.condition)


def _same_field(check: Check, condition: str) -> bool:
    return field_key(re.split(r" (?:>=|<=|>|<|==|!=) ", condition)[0]) == check.field


def _wish(cause: Cause, seen: Seen, _check: Check | None, forms: Forms) -> Iterator[Rung]:
    """What the user minds becomes a condition, or what comes first."""
    topic = topic_named(cause.parts.get("topic_key", ""))
    loose = next((one for one in seen.met if one.result.criterion == cause.parts.get("loose")), None)
    if loose is not None and loose.condition and not is_of_task(loose):
        yield from forms.add(_beyond(loose))
    if topic is not None:
        yield from forms.add(topic.condition.get(seen.language, ""))
        yield from forms.priority(topic.priority[seen.language])
        yield from forms.reword("verify", {"name": topic.priority[seen.language]})
    thing = cause.parts.get("thing", "")
    if thing:
        yield from forms.add({"en": "has {}", "es": "tiene {}"}[seen.language].format(thing))


def _beyond(check: Check) -> str:
    """Stricter than what the user refused."""
    match = _NUMBER.search(check.condition)
    if match is None or check.found is None:
        return ""
    step = check.found * 2 * MARGIN
    number = _rounded(check.found - step if check.side == "high" else check.found + step, check.side, check.found)
    text = f"{check.condition[: match.start()]}{number_shown(number)}{check.condition[match.end() :]}"
    return condition_said(text) or ""


def _lesson_limit(cause: Cause, seen: Seen, forms: Forms) -> Iterator[Rung]:
    """A limit for what the session was full of: that of its goal, else half of what it was."""
    figure = data_read("adjustments.json")["limits"].get(cause.kind.value)
    if figure is None:
        return
    own = next((one for one in seen.checks if figure in one.name and one.condition and one.side == "high"), None)
    number = int(cause.parts.get(figure, "0")) // 2
    yield from forms.add(own.condition if own else f"{figure} <= {number}")


_Own = Callable[[Cause, Seen, Check | None, Forms], Iterator[Rung]]
_OWN: Final[dict[CauseKind, _Own]] = {
    CauseKind.PRIORITY_AGAINST: _first,
    CauseKind.MISTAUGHT: _unlearned,
    CauseKind.ASSUMED: _unasked,
    CauseKind.OVERSHOT: _softened,
    CauseKind.NO_HELP: _firmer,
    CauseKind.NEAR_MISS: _inside,
    CauseKind.UNMEASURED_WISH: _wish,
    CauseKind.PART_OVERRAN: _part,
    CauseKind.UNIT_MIXED: _with_unit,
}
