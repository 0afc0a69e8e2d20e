"""What a session wants to reach, in a learner's words, and what of its result that is held against.

The goals are the criteria of the session's plan (`planning`), which come from the lesson's policy.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.contracts import CriterionResult
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.results import outcomes_of
from planning.contracts import CriterionKind, CriterionParse, Operator, SuccessCriterion

TASK_TYPE = "lesson"
COUNTS = ("answered", "hints", "attempts", "skipped", "shown")
SHARES = ("accuracy",)
_AT_LEAST, _AT_MOST = (Operator.AT_LEAST, Operator.MORE_THAN), (Operator.AT_MOST, Operator.LESS_THAN)


@dataclass(frozen=True)
class GoalView:
    """A goal in plain words. `met` None: nobody knows (yet); `said` is what came of it, empty while it is open."""

    text: str
    met: bool | None = None
    said: str = ""


def goal_fault(text: str) -> str | None:
    """Why this cannot be a goal of a lesson; None where it can."""
    parse = SuccessCriterion(text=text).parse
    known = ", ".join((*SHARES, *COUNTS))
    if parse is None:
        return f"{text!r} cannot be measured; write such as 'accuracy >= 0.7', with one of: {known}, learner finishes"
    if parse.kind != CriterionKind.VERDICT and parse.field not in (*SHARES, *COUNTS):
        return f"a session's result has no {parse.field!r}; there are: {known}, learner finishes"
    return None


def result_of(outline: Outline, state: PlayerState) -> dict[str, Any]:
    """The result of a session as its plan's criteria look at it; `accuracy` None where no question counts."""
    outcomes = outcomes_of(outline, state)
    records = [state.record(code) for code in outline.asks]
    counted = [record for record in records if record.outcome != "voided"]
    return {
        "lesson": outline.lesson.meta.title,
        "finished": state.phase == "finished",
        "questions": outcomes.questions,
        "accuracy": outcomes.mastered / outcomes.questions if outcomes.questions else None,
        "answered": outcomes.mastered,
        "hints": sum(record.hints for record in counted),
        "attempts": sum(record.attempts for record in counted),
        "skipped": outcomes.skipped,
        "shown": outcomes.shown,
    }


def goals_ahead(criteria: Sequence[SuccessCriterion]) -> tuple[GoalView, ...]:
    """Goals at the start."""
    return tuple(GoalView(goal_words(criterion)) for criterion in criteria)


def goals_reached(checks: Sequence[CriterionResult], result: dict[str, Any]) -> tuple[GoalView, ...]:
    """Goals at the end, with what the learner did."""
    views = []
    for check in checks:
        criterion = SuccessCriterion(text=check.source)
        views.append(GoalView(goal_words(criterion), check.met, _said(criterion.parse, result)))
    return tuple(views)


def goal_words(criterion: SuccessCriterion) -> str:
    """A goal as one says it to a learner; one that a lesson does not know, as its author wrote it."""
    parse = criterion.parse
    if parse is None:
        return criterion.text
    if parse.kind == CriterionKind.VERDICT:
        return _("Reach the end of the lesson.")
    words = _LIMITS.get((parse.field, _side(parse)))
    return words(_whole(parse)) if words and parse.value is not None else criterion.text


def _side(parse: CriterionParse) -> str:
    if parse.operator in _AT_LEAST:
        return "least"
    return "most" if parse.operator in _AT_MOST else ""


def _whole(parse: CriterionParse) -> int:
    """The limit as a whole number that is allowed: per cents of a share, "more than 3" as 4."""
    assert isinstance(parse.value, int | float)
    if parse.field in SHARES:
        return round(100 * parse.value)
    beyond = {Operator.MORE_THAN: 1, Operator.LESS_THAN: -1}.get(parse.operator, 0)
    return max(0, int(parse.value) + beyond)


def _said(parse: CriterionParse | None, result: dict[str, Any]) -> str:
    if parse is None or parse.kind == CriterionKind.VERDICT:
        return ""
    value = result.get(parse.field)
    if value is None:
        return ""
    words = _DONE.get(parse.field)
    return words(result) if words else ""


_LIMITS: dict[tuple[str, str], Callable[[int], str]] = {
    ("accuracy", "least"): lambda n: _("Answer at least %(n)s %% of the questions yourself.") % {"n": n},
    ("answered", "least"): lambda n: (
        ngettext("Answer at least %(n)s question yourself.", "Answer at least %(n)s questions yourself.", n) % {"n": n}
    ),
    ("hints", "most"): lambda n: (
        ngettext("Use no more than %(n)s hint.", "Use no more than %(n)s hints.", n) % {"n": n}
    ),
    ("attempts", "most"): lambda n: (
        ngettext("Take no more than %(n)s attempt in all.", "Take no more than %(n)s attempts in all.", n) % {"n": n}
    ),
    ("skipped", "most"): lambda n: (
        ngettext("Skip no more than %(n)s question.", "Skip no more than %(n)s questions.", n) % {"n": n}
    ),
    ("shown", "most"): lambda n: (
        ngettext(
            "See the answer to no more than %(n)s question.", "See the answers to no more than %(n)s questions.", n
        )
        % {"n": n}
    ),
}
_DONE: dict[str, Callable[[dict[str, Any]], str]] = {
    "accuracy": lambda r: (
        _("You answered %(n)s of %(of)s: %(percent)s %%.")
        % {"n": r["answered"], "of": r["questions"], "percent": round(100 * r["accuracy"])}
    ),
    "answered": lambda r: _("You answered %(n)s of %(of)s.") % {"n": r["answered"], "of": r["questions"]},
    "hints": lambda r: ngettext("You used %(n)s hint.", "You used %(n)s hints.", r["hints"]) % {"n": r["hints"]},
    "attempts": lambda r: (
        ngettext("You took %(n)s attempt.", "You took %(n)s attempts.", r["attempts"]) % {"n": r["attempts"]}
    ),
    "skipped": lambda r: (
        ngettext("You skipped %(n)s question.", "You skipped %(n)s questions.", r["skipped"]) % {"n": r["skipped"]}
    ),
    "shown": lambda r: (
        ngettext("You saw the answer to %(n)s.", "You saw the answers to %(n)s.", r["shown"]) % {"n": r["shown"]}
    ),
}
