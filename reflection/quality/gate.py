"""The gate for one failure, with the history of its learner. Sources: RT-010; "Settled", 2 to 5."""

from collections.abc import Callable, Sequence

from reflection.contracts import PatternFound, Reflection, ValidationResult
from reflection.contracts.failure import Failure, PastEpisode
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import validity_of
from reflection.quality import JUDGED_AT_MOST, ReflectionQualityValidator, embedded_text
from reflection.quality.adjustments import adjustments_of
from reflection.selectors import failure_of_row

Gate = Callable[[Reflection], ValidationResult]
FAILURES_FOR_PATTERNS = 3
"""Similar failures, this one among them, without which there is no pattern."""


def is_first(failure: Failure) -> bool:
    """Whether the learner has no earlier episodes or reflections. Source: RF-008; "Settled", 2."""
    return not failure.reflections and not failure.past


def gate_of(failure: Failure, patterns: Sequence[PatternFound]) -> Gate:
    """Judges attempts at a reflection on this failure, in which these patterns were found."""
    failed = 1 + sum(episode.failed is True for episode in failure.past)
    existing = [embedded_text(earlier.analysis, earlier.learning) for earlier in failure.reflections]
    known = {pattern.text: validity_of(pattern) for pattern in patterns}
    validator, first = ReflectionQualityValidator(), is_first(failure)
    episodes = [_episode(episode) for episode in failure.past]

    def judge(reflection: Reflection) -> ValidationResult:
        """Asks no database: it runs in a thread of its own."""
        others = [text for text in reflection.patterns_identified[:JUDGED_AT_MOST] if text not in known]
        by_words = {text: validator.pattern_validator.validate_against(text, episodes) for text in others}
        return validator.validate_reflection(
            reflection,
            existing=existing,
            patterns={**known, **by_words},
            needs_patterns=failed >= FAILURES_FOR_PATTERNS and bool(patterns),
            is_first=first,
            adjustments=adjustments_of(reflection),
        )

    return judge


def _episode(past: PastEpisode) -> dict[str, str]:
    outcome = "unknown" if past.failed is None else "failure" if past.failed else "success"
    return {"content": past.content, "outcome": outcome}


def gate_for(row: ReflectionRow) -> Gate:
    """Judges new words of staff for a stored reflection, by the patterns of the attempt that counts."""
    assert row.kept is not None
    return gate_of(failure_of_row(row), [PatternFound(**pattern) for pattern in row.kept.patterns])
