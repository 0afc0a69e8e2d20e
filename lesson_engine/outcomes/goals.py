"""What a session wants to reach, in a learner's words, and what of its result that is held against.

The goals are the criteria of the session's plan (`planning`), which come from the lesson's policy.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evaluation.checking.check import criterion_check
from evaluation.contracts import CriterionResult
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from planning.contracts import SuccessCriterion
from planning.criteria import CriterionKind, CriterionParse, Operator, ValueType

TASK_TYPE = "lesson"
COUNTS = ("answered", "hints", "attempts", "skipped", "shown")
SHARES = ("accuracy",)
_FORMS: Final = "'accuracy >= 0.7', 'answered >= 3', 'hints <= 3' or 'no skipped'"


@dataclass(frozen=True)
class GoalView:
    """A goal in plain words. `met` None: not known (yet); `outcome` is what came of it, empty while it is open."""

    text: str
    met: bool | None = None
    outcome: str = ""


def goal_fault(text: str, questions: int) -> str | None:
    """Why this cannot be a goal of a lesson with so many questions (from 1); None where it can."""
    criterion = SuccessCriterion(text=text)
    parse, names = criterion.parse, ", ".join((*SHARES, *COUNTS))
    if parse is None:
        return f"{text!r} cannot be measured; write such as 'accuracy >= 0.7', with one of: {names}, learner finishes"
    if parse.kind != CriterionKind.VERDICT and parse.field not in (*SHARES, *COUNTS):
        return f"a session's result has no {parse.field!r}; there are: {names}, learner finishes"
    if _words_of(parse) is None:
        return f"{text!r} is no goal that a learner can be told; write such as {_FORMS}"
    met = criterion_check(criterion, _best(questions)).met
    if met is None:
        return f"{text!r} is not told by a session's result; there are: {names}, learner finishes"
    if not met:
        return f"{text!r} can never be reached: questions are {questions}, and accuracy is from 0 to 1"
    return None


def _best(questions: int) -> dict[str, Any]:
    """The best result that a session can have, by each of its figures."""
    counts = dict.fromkeys(COUNTS, 0) | {"answered": questions, "attempts": 1}
    return {"finished": True, "questions": questions, "accuracy": 1.0, **counts}


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
        "own_word": outcomes.by_own_word,
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
        views.append(GoalView(goal_words(criterion), check.met, _outcome(criterion.parse, result)))
    return tuple(views)


def goal_words(criterion: SuccessCriterion) -> str:
    """A goal as one says it to a learner; one that a lesson does not know, as its author wrote it."""
    words = _words_of(criterion.parse) if criterion.parse else None
    return words or criterion.text


def _words_of(parse: CriterionParse) -> str | None:
    if parse.kind == CriterionKind.VERDICT:
        return _("Reach the end of the lesson.")
    limit = _share(parse) if parse.field in SHARES else _count(parse)
    if limit is None:
        return None
    side, number = limit
    words = _NONE.get(parse.field) if limit == ("most", 0) else None
    if words:
        return words()
    bounded = _LIMITS.get((parse.field, side))
    return bounded(number) if bounded else None


def _share(parse: CriterionParse) -> tuple[str, int] | None:
    """The side of a bound on a share, and the bound in whole per cents, rounded up; 120 % is as good as any."""
    value = _number(parse, ValueType.NUMBER, ValueType.PERCENT)
    if value is None:
        return None
    percent = round(100 * value, 6)  # 57 % is 56.99999999999999
    if parse.operator == Operator.MORE_THAN and percent.is_integer():
        return "more", int(percent)
    every = parse.operator == Operator.EQUAL and percent == 100
    least = every or parse.operator in (Operator.AT_LEAST, Operator.MORE_THAN)
    return ("least", math.ceil(percent)) if least else None


def _count(parse: CriterionParse) -> tuple[str, int] | None:
    """The side of a bound on a count, and the last whole number within it: "more than 2.5" is at least 3."""
    if parse.kind == CriterionKind.ABSENCE:
        return None if parse.options else ("most", 0)
    value = _number(parse, ValueType.NUMBER)
    if value is None:
        return None
    bounds: dict[Operator, tuple[str, int]] = {
        Operator.AT_LEAST: ("least", math.ceil(value)),
        Operator.MORE_THAN: ("least", math.floor(value) + 1),
        Operator.AT_MOST: ("most", math.floor(value)),
        Operator.LESS_THAN: ("most", math.ceil(value) - 1),
    }
    if parse.operator == Operator.EQUAL and value == 0:
        return "most", 0
    return bounds.get(parse.operator)


def _number(parse: CriterionParse, *types: ValueType) -> float | None:
    """The value of a comparison with a plain number; None where it is of anything else."""
    if parse.value_type not in types or parse.unit or parse.currency or parse.scale:
        return None
    value = parse.value
    plain = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    return float(value) if plain and value is not None else None


def _outcome(parse: CriterionParse | None, result: dict[str, Any]) -> str:
    if parse is None or parse.kind == CriterionKind.VERDICT:
        return ""
    value = result.get(parse.field)
    if value is None:
        return ""
    words = _DONE.get(parse.field)
    return words(result) if words else ""


def _share_answered(result: dict[str, Any]) -> str:
    told = {"percent": round(100 * result["accuracy"]), **_numbers_answered(result)}
    if told["own"]:
        return _("You answered %(n)s of %(of)s, %(own)s of them by your own word: %(percent)s %%.") % told
    return _("You answered %(n)s of %(of)s: %(percent)s %%.") % told


def _answered(result: dict[str, Any]) -> str:
    told = _numbers_answered(result)
    if told["own"]:
        return _("You answered %(n)s of %(of)s, %(own)s of them by your own word.") % told
    return _("You answered %(n)s of %(of)s.") % told


def _numbers_answered(result: dict[str, Any]) -> dict[str, int]:
    return {"n": result["answered"], "of": result["questions"], "own": result["own_word"]}


_NONE: dict[str, Callable[[], str]] = {
    "hints": lambda: _("Use no hints."),
    "skipped": lambda: _("Skip no question."),
    "shown": lambda: _("See the answer to no question."),
}
_LIMITS: dict[tuple[str, str], Callable[[int], str]] = {
    ("accuracy", "least"): lambda n: _("Answer at least %(n)s %% of the questions yourself.") % {"n": n},
    ("accuracy", "more"): lambda n: _("Answer more than %(n)s %% of the questions yourself.") % {"n": n},
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
    "accuracy": _share_answered,
    "answered": _answered,
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
