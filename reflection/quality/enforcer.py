"""What is done with a reflection that the gate has judged. Sources: RT-010, 6; design.md, "Settled", 2."""

import logging
from typing import Any

from reflection.contracts import Decision, ValidationResult
from reflection.quality.metrics import stored_from
from reflection.quality.validator import ReflectionQualityValidator

logger = logging.getLogger(__name__)


class ReflectionQualityEnforcer:
    """Enforce quality standards, reject low-quality reflections. What RT-010 counts is counted from what is stored."""

    def __init__(self, validator: ReflectionQualityValidator | None = None) -> None:
        self.validator = validator or ReflectionQualityValidator()
        self.rejection_count = 0

    def enforce_quality(self, reflection: Any, **known: Any) -> tuple[bool, str]:
        """(is_accepted, reason). `known` is what `validate_reflection` takes besides. Accepted with warnings is kept
        for staff, and feeds nothing until somebody approves it.
        """
        validation = self.validator.validate_reflection(reflection, **known)
        score, violations = validation.quality_score, validation.violations
        if validation.decision == Decision.REJECTED:
            self.rejection_count += 1
            logger.warning("Reflection REJECTED: quality_score=%.2f. Violations: %s", score, violations)
        elif validation.decision == Decision.ACCEPTED:
            logger.info("Reflection accepted: quality_score=%.2f", score)
        else:
            issues = violations or [_below(validation, bool(known.get("is_first")))]
            logger.warning("Reflection accepted WITH WARNINGS: quality_score=%.2f. Issues: %s", score, issues)
        return validation.decision != Decision.REJECTED, reason_of(validation, bool(known.get("is_first")))


def reason_of(validation: ValidationResult, is_first: bool = False) -> str:
    """The decision in words."""
    if validation.decision == Decision.ACCEPTED:
        return "Accepted"
    if validation.decision == Decision.REJECTED:
        return f"Quality too low: {', '.join(validation.violations)}"
    return f"Accepted with warnings: {', '.join(validation.violations) or _below(validation, is_first)}"


def _below(validation: ValidationResult, is_first: bool) -> str:
    """A reflection that misses no standard and still is not good enough to be stored."""
    return f"Quality below storage threshold: {validation.quality_score:.2f} < {stored_from(is_first)}"
