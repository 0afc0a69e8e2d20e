"""What evaluation refuses."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class ResultRefused(AndamioError):
    """The execution result cannot be stored: no JSON, or too large."""

    code = "result-refused"
    status = 422
    title = _("The result cannot be evaluated")
    description = _("A result is a JSON object of at most 256 KB, no deeper than 30 levels. Nothing was stored.")

    def __init__(self, message: str, places: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self._places = tuple(places)

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        return self._places
