"""What reading a catalog refuses."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class CatalogRefused(AndamioError):
    """A file that is no catalog of tools. Each line of the message names a place and what is expected there."""

    code = "catalog-refused"
    status = 422
    title = _("The catalog of tools cannot be used")
    description = _(
        "A catalog is a list of tools, each with a name and what it can do, or a mapping of names to descriptions."
    )
