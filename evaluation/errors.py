"""What evaluation refuses."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class ResultRefused(AndamioError):
    """The execution result cannot be stored: no JSON, or too large."""

    code = "result-refused"
    status = 422
    title = _("The result cannot be evaluated")
    description = _("A result is a JSON object of at most 256 KB, no deeper than 30 levels. Nothing was stored.")
