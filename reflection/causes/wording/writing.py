"""A whole reflection by rules. Source: RF-008; RT-010, 7."""

from collections.abc import Sequence
from dataclasses import replace

from reflection.causes.contracts import Cause
from reflection.causes.detect.activation import unreached_of
from reflection.causes.detect.choosing import cause_of, causes_ranked
from reflection.causes.detect.reading import Case
from reflection.causes.propose.adjustments import adjustments_of, is_established
from reflection.causes.texts import shown
from reflection.causes.wording.analysis import analysis_of
from reflection.causes.wording.learning import learning_of
from reflection.contracts import Author, Metric, PatternFound, Reflection
from reflection.contracts.failure import Failure

PATTERNS_AT_MOST = 3
ANOTHER_WITHIN, ANOTHER_ATTEMPT = 0.06, 2


def reflection_of(
    failure: Failure,
    patterns: Sequence[PatternFound],
    fallen: frozenset[Metric] = frozenset(),
    attempt: int = 1,
    *,
    root: Cause | None = None,
) -> Reflection:
    """A reflection by rules. `fallen` are metrics in which the attempt before fell short, `attempt`
    counts from 1: a later one goes into another cause where the first has been said before, and is firmer. `root` is
    the result of `cause_of`, where it is known.
    """
    case = Case(failure)
    first = root or cause_of(failure)
    if unreached_of(case, case.check_of(first)):  # these adjustments were not tried yet: no other cause or words
        fallen, attempt = frozenset(), 1
    if "before" in first.parts:  # nothing is new in where it shows
        fallen -= {Metric.NOVELTY}
    cause = _cause(first, case, fallen, attempt)
    firmer = attempt if fallen & {Metric.ACTIONABILITY, Metric.NOVELTY} else 1
    proposed = adjustments_of(cause, case, patterns, firmer)
    return Reflection(
        analysis=analysis_of(
            cause,
            case,
            attempt,
            repeats=Metric.NOVELTY in fallen,
            pattern=_pattern(case, cause, patterns),
            used_up=proposed.used_up,
        ),
        patterns_identified=[pattern.text for pattern in patterns[:PATTERNS_AT_MOST]],
        strategy_adjustments=proposed.texts,
        adjustments=proposed.adjustments,
        learning=learning_of(cause, case, attempt - 1 if Metric.NOVELTY in fallen else 0),
        author=Author.FACTS,
        **failure.attribution,
    )


def _pattern(case: Case, cause: Cause, patterns: Sequence[PatternFound]) -> str:
    """The words of an established pattern that is about the cause."""
    check = case.check_of(cause)
    return next((shown(pattern.text, 160) for pattern in patterns if is_established(pattern, cause, check)), "")


def _cause(root: Cause, case: Case, fallen: frozenset[Metric], attempt: int) -> Cause:
    """The root cause; in the second attempt after a repetition, the next cause that is nearly as probable."""
    if attempt != ANOTHER_ATTEMPT or Metric.NOVELTY not in fallen:
        return root
    best, *others = causes_ranked(case)
    near = next((other for other in others if other.score >= best.score - ANOTHER_WITHIN), None)
    return replace(near, others=()) if near is not None else root
