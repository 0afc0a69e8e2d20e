"""What is to be remembered of a failure: how to apply it, and what it prevents. Sentences are in
`data/learning.json`.
"""

from collections.abc import Sequence

from memory.contracts import EpisodeOutcome, Memory
from planning.learning import folded, learnings_of
from reflection.causes.contracts import Cause, CauseKind
from reflection.causes.reading import Check, Seen
from reflection.causes.rungs import is_of_task, orderable
from reflection.causes.saying import check_of, parts_of
from reflection.causes.strategy import room_in
from reflection.causes.wording import chosen, data_read, filled, sentence, shown
from reflection.contracts import LEARNING_AT_LEAST
from reflection.discretion import hides
from reflection.failure import Failure

_RULED = (
    CauseKind.PRIORITY_AGAINST,
    CauseKind.NOT_HELD,
    CauseKind.NOT_VERIFIED,
    CauseKind.PASSED_OVER,
    CauseKind.NO_HELP,
    CauseKind.MISTAUGHT,
)
"""Causes from which follows that a condition has to hold."""


def learning_of(cause: Cause, failure: Failure, adjustments: Sequence[str]) -> str:
    """In the language of the plan; at least 50 characters. Of what planning would learn from it nothing is made up."""
    return learning_said(cause, Seen(failure))


def learning_said(cause: Cause, seen: Seen, again: int = 0) -> str:
    """`learning_of` for a failure that was looked at. `again`: which further attempt it is at something known."""
    words = data_read("learning.json")[seen.language]
    parts = parts_of(cause, seen)
    parts["topic"] = cause.parts.get("topic") or cause.parts.get("thing", "")
    check = check_of(cause, seen)
    parts["condition"] = check.condition if check else ""
    articled = data_read("words.json")[f"priorities {seen.language}"].get(folded(parts["name"])) or parts["name"]
    parts["Over"] = articled[:1].upper() + articled[1:]
    plain = chosen([words["kinds"][_kind(cause)], words["plain"]][:1], parts, "") or filled(words["plain"], parts)
    orders = [filled(words["over"], parts)] if _is_order(cause, seen, check) else []
    needs = [filled(words["needs"], parts)] if _is_need(cause, seen, check) else []
    if again:
        plain = filled(words["again"][(again - 1) % 2], {**parts, "domain": shown(seen.reading_topic, 50)})
    for rules in ([*orders, *needs], needs, orders, []):
        said = " ".join(sentence(one) for one in [*rules, plain])
        if len(said) >= LEARNING_AT_LEAST and _is_meant(said, parts, check, has_order=rules[:1] == orders != []):
            return said
    return sentence(filled(words["plain"], parts))


def _kind(cause: Cause) -> str:
    if cause.kind is CauseKind.UNMEASURED_WISH and not (cause.parts.get("topic") or cause.parts.get("thing")):
        return f"{cause.kind.value} open"
    return f"{cause.kind.value} checked" if cause.parts.get("checked") else cause.kind.value


def _is_need(cause: Cause, seen: Seen, check: Check | None) -> bool:
    if cause.kind not in _RULED or check is None or not check.condition or hides(check.condition):
        return False
    return not is_of_task(check, seen)


def _is_order(cause: Cause, seen: Seen, check: Check | None) -> bool:
    """Whether the record shows what counts for more: the one was met with room, and it was refused for the other."""
    if cause.kind is not CauseKind.PRIORITY_AGAINST or check is None or not orderable(check, seen):
        return False
    return seen.rejected is not None or room_in(seen, seen.plan.config.priority or "") is not None


def _is_meant(text: str, parts: dict[str, str], check: Check | None, *, has_order: bool) -> bool:
    """Whether planning learns from it what it says and nothing else."""
    found = learnings_of([Memory(id="new", content=text, outcome=EpisodeOutcome.FAILURE)])
    conditions = {check.condition} if check else set()
    if not set(found.constraints) <= conditions:
        return False
    return len(found.preferences) <= has_order and all(" > " in one for one in found.preferences)
