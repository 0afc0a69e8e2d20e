"""The learning of a failure: how to apply it, and what it prevents. Sentences are in `data/learning.json`."""

from memory.contracts import EpisodeOutcome, Memory
from planning.experience import learnings_of, normalised
from reflection.causes.contracts import Cause, CauseKind
from reflection.causes.detect.checks import Check
from reflection.causes.detect.reading import Case
from reflection.causes.detect.strategy import room_in
from reflection.causes.propose.answers import is_of_task, orderable
from reflection.causes.texts import chosen, data_read, filled, sentence, shown
from reflection.causes.wording.analysis import parts_of
from reflection.contracts import LEARNING_AT_LEAST
from reflection.redaction import has_secrets

_RULED = (
    CauseKind.PRIORITY_AGAINST,
    CauseKind.NOT_HELD,
    CauseKind.NOT_VERIFIED,
    CauseKind.PASSED_OVER,
    CauseKind.NO_HELP,
    CauseKind.MISTAUGHT,
)
"""Causes from which follows that a condition has to hold."""


def learning_of(cause: Cause, case: Case, again: int = 0) -> str:
    """What to remember, in the language of the plan; at least 50 characters. Planning learns from it no more than it
    says. `again`: which further attempt it is at something known.
    """
    words = data_read("learning.json")[case.language]
    parts = parts_of(cause, case)
    parts["topic"] = cause.parts.get("topic") or cause.parts.get("thing", "")
    check = case.check_of(cause)
    parts["condition"] = check.condition if check else ""
    articled = data_read("words.json")[f"priorities {case.language}"].get(normalised(parts["name"])) or parts["name"]
    parts["Over"] = articled[:1].upper() + articled[1:]
    plain = chosen([words["kinds"][_kind(cause)]], parts, "") or filled(words["plain"], parts)
    orders = [filled(words["over"], parts)] if _is_order(cause, case, check) else []
    needs = [filled(words["needs"], parts)] if _is_need(cause, case, check) else []
    if again:
        plain = filled(words["again"][(again - 1) % 2], {**parts, "domain": shown(case.reading_topic, 50)})
    for rules in ([*orders, *needs], needs, orders, []):
        text = " ".join(map(sentence, [*rules, plain]))
        if len(text) >= LEARNING_AT_LEAST and _is_meant(text, check, has_order=rules[:1] == orders != []):
            return text
    return sentence(filled(words["plain"], parts))


def _kind(cause: Cause) -> str:
    if cause.kind is CauseKind.UNMEASURED_WISH and not (cause.parts.get("topic") or cause.parts.get("thing")):
        return f"{cause.kind.value} open"
    return f"{cause.kind.value} checked" if cause.parts.get("checked") else cause.kind.value


def _is_need(cause: Cause, case: Case, check: Check | None) -> bool:
    if cause.kind not in _RULED or check is None or not check.condition or has_secrets(check.condition):
        return False
    return not is_of_task(check, case)


def _is_order(cause: Cause, case: Case, check: Check | None) -> bool:
    """Whether the record shows what counts for more: the one was met with room, and it was refused for the other."""
    if cause.kind is not CauseKind.PRIORITY_AGAINST or check is None or not orderable(check, case):
        return False
    return case.rejected is not None or room_in(case, case.plan.config.priority or "") is not None


def _is_meant(text: str, check: Check | None, *, has_order: bool) -> bool:
    """Whether planning learns from it what it says and nothing else."""
    learnings = learnings_of([Memory(id="new", content=text, outcome=EpisodeOutcome.FAILURE)])
    if not set(learnings.constraints) <= ({check.condition} if check else set()):
        return False
    return len(learnings.preferences) <= has_order and all(" > " in preference for preference in learnings.preferences)
