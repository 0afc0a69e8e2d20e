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


class ReflectionRefused(AndamioError):
    """There is nothing to reflect on: nothing was seen to fail."""

    code = "reflection-refused"
    status = 409
    title = _("There is nothing to reflect on")
    description = _("Only an evaluation in which a criterion was seen to fail is reflected on.")


class ReflectionPending(AndamioError):
    """A failure that is yet to be reflected on."""

    code = "reflection-pending"
    status = 404
    title = _("Not reflected on yet")
    description = _(
        "The evaluation failed and waits to be reflected on, which happens in the background. Ask again after as many"
        " seconds as Retry-After says."
    )
    retry_after = 2


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
