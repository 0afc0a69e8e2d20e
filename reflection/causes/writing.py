"""A whole reflection from facts. Source: RF-008; RT-010, 7."""

from collections.abc import Sequence
from dataclasses import replace

from reflection.causes.changing import adjustments_seen, is_established
from reflection.causes.choosing import cause_seen, causes_ranked
from reflection.causes.contracts import Cause
from reflection.causes.force import unreached_of
from reflection.causes.learning import learning_said
from reflection.causes.reading import Seen
from reflection.causes.saying import analysis_said, check_of
from reflection.causes.wording import shown
from reflection.contracts import Author, Metric, PatternFound, Reflection
from reflection.failure import Failure

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
    """What the record says of the failure. `fallen` are metrics in which the attempt before fell short, `attempt`
    counts from 1: a later one goes into another cause where the first has been said before, and is firmer. `root` is
    what `cause_of` says of the failure, where somebody has asked.
    """
    seen = Seen(failure)
    first = root or cause_seen(seen)
    if unreached_of(seen, check_of(first, seen)):  # no other cause and no other words: what is set has yet to be tried
        fallen, attempt = frozenset(), 1
    if "before" in first.parts:  # nothing is new in where it shows
        fallen -= {Metric.NOVELTY}
    cause = _cause(first, seen, fallen, attempt)
    firmer = attempt if fallen & {Metric.ACTIONABILITY, Metric.NOVELTY} else 1
    proposed = adjustments_seen(cause, seen, patterns, firmer)
    return Reflection(
        analysis=analysis_said(
            cause,
            seen,
            attempt,
            repeats=Metric.NOVELTY in fallen,
            pattern=_pattern(seen, cause, patterns),
            used_up=proposed.used_up,
        ),
        patterns_identified=[one.text for one in patterns[:PATTERNS_AT_MOST]],
        strategy_adjustments=proposed.texts,
        learning=learning_said(cause, seen, attempt - 1 if Metric.NOVELTY in fallen else 0),
        task=failure.plan.task,
        task_type=failure.domain,
        language=failure.language,
        evaluation_id=failure.evaluation.id,
        plan_id=failure.plan.id,
        user_id=failure.plan.user_id,
        author=Author.FACTS,
    )


def _pattern(seen: Seen, cause: Cause, patterns: Sequence[PatternFound]) -> str:
    """The words of an established pattern that is about the cause."""
    check = check_of(cause, seen)
    return next((shown(one.text, 160) for one in patterns if is_established(one, cause, check)), "")


def _cause(root: Cause, seen: Seen, fallen: frozenset[Metric], attempt: int) -> Cause:
    """The root cause; where earlier reflections have said it, the one that comes next and has something for it. After
    that it is the root cause again, and what its coming back says.
    """
    if attempt != ANOTHER_ATTEMPT or Metric.NOVELTY not in fallen:
        return root
    best, *others = causes_ranked(seen)
    near = next((one for one in others if one.score >= best.score - ANOTHER_WITHIN), None)
    return replace(near, others=()) if near is not None else root
