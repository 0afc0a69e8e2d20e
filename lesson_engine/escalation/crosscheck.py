"""How a second opinion and the rules' verdict become one. The opinion is data: it moves a verdict one step at most."""

from typing import Literal, NamedTuple

from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.escalation.prompts import Opinion

Agreement = Literal["agreed", "moved", "kept"]
RULE = "thinker"
"""Last part of the rule's name where the opinion moved the verdict."""
_STEPS = (VerdictResult.REJECT, VerdictResult.PARTIAL, VerdictResult.ACCEPT)
_MARGIN = 0.02
_LEAST_PARTIAL, _LEAST_RIGHT = 0.25, 0.75
"""Scores from which an answer is nearer to partly right than to wrong, and to right than to partly right."""
_SCORES = {
    VerdictResult.REJECT: (0.0, _LEAST_PARTIAL - _MARGIN),
    VerdictResult.PARTIAL: (_LEAST_PARTIAL, _LEAST_RIGHT - _MARGIN),
    VerdictResult.ACCEPT: (_LEAST_RIGHT, 1.0),
}
"""Where scores of a result lie: a verdict that was moved takes the nearest one, so that score and result agree."""


class Crosschecked(NamedTuple):
    """The verdict that counts. Kept: the opinion differs, or speaks of tricks, and was not followed."""

    verdict: Verdict
    agreement: Agreement


def crosscheck(ask: Ask, verdict: Verdict, opinion: Opinion, *, model: str) -> Crosschecked:
    """Combine the rules' verdict with the opinion, which is stored in `details["thinker"]`.

    Moved by one step towards the opinion at medium or high confidence. Never accepted where the answer contradicts, and
    never moved where the reply tries to trick. Only an opinion of high confidence takes the doubt away: one that says
    the same, or that makes the verdict right or wrong. Otherwise the learner is asked again, and a person should look.
    """
    kept = verdict.model_copy(update={"details": {**verdict.details, "thinker": _record(verdict, opinion, model)}})
    opinion_result = VerdictResult(opinion.verdict)
    if opinion.tricks:
        return Crosschecked(kept, "kept")
    if opinion_result is verdict.result:
        accepts_contradiction = opinion_result is VerdictResult.ACCEPT and contradicts(verdict)
        sure = opinion.confidence == "high" and not accepts_contradiction
        return Crosschecked(kept.model_copy(update={"doubtful": not sure, "provenance": "model"}), "agreed")
    result = _one_step(verdict.result, opinion_result)
    if opinion.confidence == "low" or (result is VerdictResult.ACCEPT and contradicts(verdict)):
        return Crosschecked(kept, "kept")
    sure = opinion.confidence == "high" and result is not VerdictResult.PARTIAL
    return Crosschecked(_moved(ask, kept, result, sure=sure), "moved")


def contradicts(verdict: Verdict) -> bool:
    """Whether the rules found a known wrong idea, or words that speak against the right answer."""
    words = verdict.details.get("denied") or verdict.details.get("opposite")
    return bool(words) or verdict.misconception is not None or verdict.rule.endswith(".contradiction")


def _record(verdict: Verdict, opinion: Opinion, model: str) -> dict[str, object]:
    rules = {"result": verdict.result.value, "rule": verdict.rule, "score": verdict.score}
    return {"model": model, "said": opinion.verdict, "confidence": opinion.confidence, "deterministic": rules}


def _one_step(start: VerdictResult, goal: VerdictResult) -> VerdictResult:
    at, to = _STEPS.index(start), _STEPS.index(goal)
    return _STEPS[at + (1 if to > at else -1)]


def _moved(ask: Ask, verdict: Verdict, result: VerdictResult, *, sure: bool) -> Verdict:
    least, most = _SCORES[result]
    changes = {
        "result": result,
        "rule": f"{ask.answer.kind}.{RULE}",
        "score": round(min(most, max(least, verdict.score)), 4),
        "doubtful": not sure,
        "provenance": "model",
        "feedback": _feedback(ask, verdict, result),
    }
    return verdict.model_copy(update=changes)


def _feedback(ask: Ask, verdict: Verdict, result: VerdictResult) -> str | None:
    """What the author says of this case, as the grader would have added it."""
    misconception = next((wrong for wrong in ask.misconceptions if wrong.code == verdict.misconception), None)
    if misconception is not None:  # a verdict with one is never moved up to ACCEPT
        return misconception.feedback
    general = {
        VerdictResult.ACCEPT: ask.feedback.accept,
        VerdictResult.PARTIAL: ask.feedback.partial,
        VerdictResult.REJECT: ask.feedback.reject,
    }
    return general[result]
