"""What the analysis of data refuses."""

from django.utils.translation import gettext_lazy as _

from analysis.contracts.plans import Coverage
from core.errors import AndamioError


class FileRefused(AndamioError):
    """A file that cannot be opened as a table, or is too large. The message names the file without its folder."""

    code = "file-refused"
    status = 422
    title = _("The file cannot be opened")
    description = _(
        "A file is a table as CSV, Parquet or JSON lines, without compression and within the limits. The message says "
        "what is wrong with this one."
    )


class RequirementsUnserved(AndamioError):
    """A question that asks for something no tool can do. `coverage` says what is missing."""

    code = "requirements-unserved"
    status = 422
    title = _("The question cannot be answered whole")
    description = _("Every part of a question is answered or none is: the message names what no tool can do.")

    def __init__(self, message: str, coverage: Coverage) -> None:
        super().__init__(message)
        self.coverage = coverage
