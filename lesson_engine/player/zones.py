"""How sure the grader is, and what follows: who is not sure never says "wrong". Source: design.md, "Settled" 11.

Verdicts without provenance are from before these rules, and count as they did then.
"""

from typing import Final

from lesson_engine.contracts import TopicDeviation, Verdict, VerdictResult
from lesson_engine.player.state import OwnWord

_SCORES: Final[dict[VerdictResult, float]] = {
    VerdictResult.ACCEPT: 1.0,
    VerdictResult.PARTIAL: 0.5,
    VerdictResult.REJECT: 0.0,
}
_RESULTS: Final[dict[OwnWord, VerdictResult]] = {
    "yes": VerdictResult.ACCEPT,
    "partly": VerdictResult.PARTIAL,
    "no": VerdictResult.REJECT,
}
_WORDS: Final[dict[VerdictResult, OwnWord]] = {result: word for word, result in _RESULTS.items()}


def is_unsure(verdict: Verdict) -> bool:
    """Whether the grader is not sure, so that the answer costs no attempt and is not called wrong."""
    return verdict.doubtful and verdict.provenance is not None


def is_stray(verdict: Verdict, deviation: TopicDeviation | None) -> bool:
    """Whether the reply is about something else: the first such reply to a question costs no attempt.

    What is right never strays; what the grader is not sure of may.
    """
    may_stray = verdict.zone in ("sure_wrong", "not_sure") and verdict.result is not VerdictResult.ACCEPT
    return may_stray and verdict.provenance is not None and deviation is TopicDeviation.OFF_TOPIC


def leaves_doubt(verdict: Verdict) -> bool | None:
    """Whether a reply leaves its question in doubt; None where it says nothing of that, such as "I don't know"."""
    if is_unsure(verdict):
        return True
    return None if verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE else False


def own_verdict(word: OwnWord) -> Verdict:
    """The learner's own word as a verdict. Its grader is the learner."""
    result = _RESULTS[word]
    return Verdict(result=result, rule=f"self.{word}", score=_SCORES[result], grader="learner", provenance="self")


def own_word(result: str) -> OwnWord:
    """The word behind the result of an own verdict. Raises `KeyError` for the result of no own verdict."""
    return _WORDS[VerdictResult(result)]


def zone_name(verdict: Verdict) -> str:
    """The zone as events and programs know it: `self` for the learner's own word, which no grader was sure of."""
    return "self" if verdict.provenance == "self" else verdict.zone
