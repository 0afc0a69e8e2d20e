"""What memory refuses. A quota that is reached is `gateway.errors.MetacognitionStorageQuotaExceeded`."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class MemoryRefused(AndamioError):
    code = "memory-refused"
    status = 422
    title = _("It cannot be remembered like this")
    description = _(
        "An episode has a content of at most 8,000 characters, a task type in lower case such as hotel_booking or none,"
        " an outcome, and a JSON object of at most 16 KB beside it. The detail says what does not fit. Nothing was"
        " stored."
    )
