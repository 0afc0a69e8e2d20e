"""What reflection refuses. Source: RT-010, "Excepciones"."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class ReflectionQualityError(AndamioError):
    """Base exception for reflection quality issues."""

    code = "reflection-quality"
    status = 422
    title = _("The reflection is not good enough")
    description = _("A reflection names a root cause, concrete adjustments and patterns that are seen in episodes.")


class InsufficientDepthError(ReflectionQualityError):
    """Reflection lacks depth (no root cause analysis)."""


class NotActionableError(ReflectionQualityError):
    """Strategy adjustments are vague, not executable."""


class InvalidPatternError(ReflectionQualityError):
    """Identified pattern lacks statistical validity."""


class IncompleteReflectionError(ReflectionQualityError):
    """Reflection missing required fields."""


class ReviewRefused(AndamioError):
    """Staff cannot do this with this reflection, or not any more."""

    code = "review-refused"
    status = 409
    title = _("The reflection cannot be reviewed so")
    description = _("Somebody reviewed it meanwhile, or its learner was erased. Read it again.")


_ERRORS: dict[str | None, type[ReflectionQualityError]] = {
    "completeness": IncompleteReflectionError,
    "depth_score": InsufficientDepthError,
    "actionability_score": NotActionableError,
    "pattern_validity": InvalidPatternError,
}


def error_of(metric: str | None) -> type[ReflectionQualityError]:
    """The error for a violation of this metric; the base for the others."""
    return _ERRORS.get(metric, ReflectionQualityError)
