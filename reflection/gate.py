"""The gate as one reflection meets it: against what is on record of its learner. Sources: RT-010; "Settled", 2 to 5."""

from collections.abc import Callable, Sequence

from reflection.adjusting import adjustment_fault
from reflection.contracts import PatternFound, Reflection, ValidationResult
from reflection.failure import Failure, PastEpisode
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import validity_of
from reflection.quality import JUDGED_AT_MOST, ReflectionQualityValidator, embedded_text
from reflection.selectors import failure_of_row

Gate = Callable[[Reflection], ValidationResult]
FAILURES_FOR_PATTERNS = 3
"""Similar failures, this one among them, under which nobody can see a pattern."""


def is_first(failure: Failure) -> bool:
    """Whether nothing is on record yet that a reflection could build on. Source: RF-008; "Settled", 2."""
    return not failure.reflections and not failure.past


def gate_of(failure: Failure, patterns: Sequence[PatternFound]) -> Gate:
    """Judges attempts at a reflection on this failure, in which these patterns were found."""
    failed = 1 + sum(one.failed is True for one in failure.past)
    existing = [embedded_text(one.analysis, one.learning) for one in failure.reflections]
    known = {pattern.text: validity_of(pattern) for pattern in patterns}
    validator, first = ReflectionQualityValidator(), is_first(failure)
    episodes = [_episode(one) for one in failure.past]

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
            judge=adjustment_fault,
        )

    return judge


def _episode(past: PastEpisode) -> dict[str, str]:
    outcome = "unknown" if past.failed is None else "failure" if past.failed else "success"
    return {"content": past.content, "outcome": outcome}


def gate_for(row: ReflectionRow) -> Gate:
    """Judges what staff write anew of a stored reflection, by the patterns of the attempt that counts."""
    assert row.kept is not None
    return gate_of(failure_of_row(row), [PatternFound(**one) for one in row.kept.patterns])
