"""What evaluation refuses."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class ResultRefused(AndamioError):
    """The execution result cannot be stored: no JSON, or too large."""

    code = "result-refused"
    status = 422
    title = _("The result cannot be evaluated")
    description = _("A result is a JSON object of at most 256 KB, no deeper than 30 levels. Nothing was stored.")


class PlanReserved(AndamioError):
    """The plan is evaluated by one app alone, such as that of a lesson session."""

    code = "plan-reserved"
    status = 409
    title = _("This plan is evaluated by Andamio itself")
    description = _(
        "The plan belongs to a lesson session. What comes of it is concluded from the learner's answers when the"
        " session ends; results from elsewhere are not taken. Read its evaluations instead, or make a plan of your own."
    )
