"""How relevant a result is to its task. Sources: RF-007, scenarios 6, 7 and 9; design.md, "Settled", 8.

`python -m benchmarks.plans --fit` writes the weights.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Self

from evaluation.contracts import CriterionResult, RelevanceBreakdown, RelevanceScore
from evaluation.relevance.completeness import completeness_of
from evaluation.relevance.conflicts import Conflict, conflicts_of, places_met
from evaluation.relevance.feedback import Feedback, satisfaction_of
from evaluation.relevance.limits import is_echo
from evaluation.relevance.matching import Match, match_of
from evaluation.relevance.request import Request, request_read
from evaluation.relevance.result import Content, content_read
from evaluation.relevance.slots import slots_of
from evaluation.relevance.words import encodable
from language.calibration import LogisticModel
from language.word_lists import json_file
from planning.criteria import CriterionKind, criterion_parse
from planning.understanding.known import Known, known_in

_MET: Final = 2
FILE: Final = Path(__file__).parent / "data" / "calibration.json"


@cache
def model() -> LogisticModel:
    """How probable it is that a result is about its task."""
    return LogisticModel.read(FILE)


def factors() -> dict[str, float]:
    """The share of a match that is left when a result contradicts the task, by the kind of conflict."""
    listed: dict[str, float] = json_file(FILE)["factors"]
    return listed


def features_of(match: Match, met: int) -> dict[str, float]:
    """The features that the model weighs. `met`: how many places, dates, amounts and numbers asked for are there."""
    return {
        "main": match.main,
        "words": match.words,
        "whole": max(0.0, match.whole),
        "values": max(0.0, match.values),
        "names": match.names,
        "met": min(met, _MET) / _MET,
    }


_MATCH, _SATISFACTION, _COMPLETENESS = 0.55, 0.30, 0.15
_KNOWN_TEXT: Final = 1_200
_SURE: Final = 0.93
"""How well a result matches at most, unless its user says so: whoever only reads it can be wrong."""
_PREDICTED: Final = 0.93
"""Of how well a result matches, how content its user is likely to be."""
_LEAST: Final = 0.55
"""What is left of a score where no criterion is met."""
_REJECTED: Final = 0.6
"""Of the score, so that it stays under 0.5 however well the result matches."""
_FAILED: Final = 0.9
_ELSEWHERE: Final = 1.1
"""A score is at most so many times the match: to tell much of something else is worth nothing."""
_DOUBT: Final = 0.3
"""What is left of the doubt whether a result matches when its user says that it does."""


class _Assessed(RelevanceScore):
    """A score that remembers what it was made of, so that checks can be weighed in when they are there."""

    match: float
    completeness: float
    feedback: Feedback

    @classmethod
    def made(cls, match: float, completeness: float, feedback: Feedback, checks: Sequence[CriterionResult]) -> Self:
        score, breakdown = _weighed(match, completeness, feedback, checks)
        made = cls(score, breakdown)
        made.match, made.completeness, made.feedback = match, completeness, feedback
        return made


def relevance_of(task: str, result: object, checks: Sequence[CriterionResult] = ()) -> RelevanceScore:
    """Between 0 and 1, with its parts; never raises. `result` may be a `ResultReading`.

    From 0.5 on a result is relevant. All criteria met and confirmed by the user is exactly 1; what the user rejected is
    under 0.5, however well it matches.
    """
    request = request_read(encodable(f"{task}"))
    content = content_read(result, request.words)
    return _Assessed.made(_task_match(request, content), completeness_of(content, request), content.feedback, checks)


def relevance_weighed(relevance: RelevanceScore, checks: Sequence[CriterionResult]) -> RelevanceScore:
    """A score of `relevance_of` with checks that were not there yet; any other score as it is."""
    if not isinstance(relevance, _Assessed) or not checks:
        return relevance
    return _Assessed.made(relevance.match, relevance.completeness, relevance.feedback, checks)


def _weighed(
    match: float, completeness: float, feedback: Feedback, checks: Sequence[CriterionResult]
) -> tuple[float, RelevanceBreakdown]:
    if feedback.satisfaction is None:
        feedback = _verdict_in(checks)
    known = [check.met for check in checks if check.met is not None]
    met = sum(known) / len(known) if known else None
    if feedback.is_confirmed and checks and all(check.met for check in checks):
        return 1.0, RelevanceBreakdown(task_match=1.0, user_satisfaction=1.0, completeness=1.0)
    if feedback.is_confirmed:
        match = 1 - (1 - match) * _DOUBT
    satisfaction = feedback.satisfaction
    if satisfaction is None:
        satisfaction = _PREDICTED * match * (1.0 if met is None else 0.15 + 0.85 * met)
    score = _MATCH * match + _SATISFACTION * satisfaction + _COMPLETENESS * completeness
    if feedback.is_rejected:
        score = min(score, match * _ELSEWHERE) * _REJECTED
    elif not feedback.is_confirmed:
        score *= 1.0 if met is None else _LEAST + (1 - _LEAST) * met
        score = min(score, match * _ELSEWHERE)
    parts = RelevanceBreakdown(task_match=match, user_satisfaction=satisfaction, completeness=completeness)
    return max(0.0, min(1.0, score)), parts


def _verdict_in(checks: Sequence[CriterionResult]) -> Feedback:
    """The satisfaction that a checked criterion such as "user confirms" shows."""
    for check in checks:
        if check.met is not None:
            parse = criterion_parse(check.source)
            if parse and parse.kind == CriterionKind.VERDICT and satisfaction_of(parse.field) == 1.0:
                return Feedback(1.0 if check.met else 0.05)
    return Feedback()


def evidence_of(request: Request, content: Content) -> tuple[Match, int, list[Conflict]]:
    """How the result matches, how many of the places and figures asked for it has, and what speaks against it."""
    known, slots = _known(content), slots_of(request, content)
    match = match_of(request, content, known)
    met = slots.met + places_met(request, content, known)
    return match, met, conflicts_of(request, content, match, known, slots)


def _task_match(request: Request, content: Content) -> float:
    if content.is_empty or not request.words or is_echo(request.task, content.entries):
        return 0.0
    match, met, conflicts = evidence_of(request, content)
    value = _SURE * model().probability(features_of(match, met))
    for conflict in conflicts:
        value *= 1 - conflict.share * (1 - factors()[conflict.kind])
    return value * (1 - _FAILED * content.failure)


def _known(content: Content) -> tuple[Known, ...]:
    """What is known of the names and values of a result, as far as its beginning."""
    named = {entry.keys for entry in content.entries}
    parts = dict.fromkeys(" ".join(name) for name in content.names if name not in named)
    for entry in content.entries:
        name = " ".join(entry.keys)
        parts |= dict.fromkeys([f"no {name}"] if entry.is_none else [name, entry.text])
    known: dict[Known, None] = {}
    room = _KNOWN_TEXT
    for part in parts:
        if part and room > 0:
            room -= len(part)
            known |= dict.fromkeys(known_in(part))
    return tuple(known)
