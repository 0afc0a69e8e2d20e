"""What the gateway refuses. Source: RT-009, "Errors"; each is built from one message."""

from datetime import UTC, datetime

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class MetacognitionPerformanceError(AndamioError):
    """An operation would take longer, cost more or store more than it may."""

    code = "performance-limit"
    status = 503
    title = _("A limit of performance was reached")
    description = _("What was asked would take longer, cost more or store more than is allowed. The detail says which.")


class MetacognitionTimeoutError(MetacognitionPerformanceError):
    """An operation took longer than its hard limit."""

    code = "operation-timed-out"
    status = 504
    title = _("The operation took too long")
    description = _("It was stopped at its time limit, and nothing of it was stored. Try again in a moment.")


class MetacognitionCostExceeded(MetacognitionPerformanceError):
    """An account does not have what the operation may cost at worst. Nothing was asked and nothing is charged."""

    code = "budget-exceeded"
    status = 402
    title = _("The budget does not allow it")
    description = _(
        "Before a model is asked, the most that it may cost is set aside. One of the accounts that would pay has not"
        " enough left. Nothing was asked and nothing is charged."
    )


class EscalationRefused(MetacognitionCostExceeded):
    """The session asked the thinker as often as it may."""

    code = "escalations-exceeded"
    title = _("No further escalation is allowed")
    description = _("A session may ask the thinker a few times only, and this one has. The lesson goes on without it.")


class DailyMetacognitionBudgetExceeded(MetacognitionCostExceeded):
    """A user's day, or the day of all guests, has not enough left."""

    code = "daily-budget-exceeded"
    status = 429
    title = _("The day's budget is used up")
    description = _(
        "What a user may spend on models in one day, in UTC, is used up or set aside. It begins anew at 0:00."
    )

    def __init__(self, message: str) -> None:
        super().__init__(message)
        now = datetime.now(UTC)
        self.retry_after = (24 - now.hour) * 3600 - now.minute * 60 - now.second


class MetacognitionStorageQuotaExceeded(MetacognitionPerformanceError):
    """More would be stored than a quota allows."""

    code = "storage-quota-exceeded"
    status = 507
    title = _("The storage quota is reached")
    description = _("What may be stored is bounded, and the bound is reached. Nothing was stored.")


class ModelUnavailable(AndamioError):
    """No model can be asked now: none is configured, it has no price, it fails, or its answers make no sense."""

    code = "model-unavailable"
    status = 503
    title = _("No model is available")
    description = _("No language model can be asked now. What does not need one works as always.")


class ModelNotConfigured(ModelUnavailable):
    """No model is set for this tier."""


class PriceUnknown(ModelUnavailable):
    """The model has no price, so the cost of a call is unknown."""


class CircuitOpen(ModelUnavailable):
    """The model failed several times in a row and is left alone for a while."""


class ProviderFailed(ModelUnavailable):
    """The provider was asked and no usable answer came."""


class SchemaNotMet(ProviderFailed):
    """The model's answer does not fit the schema, nor did its repair."""


class HoldNotOpen(AndamioError):
    """The hold is settled, released or expired already: a late write is refused."""

    code = "hold-not-open"
    status = 409
    title = _("The call was closed before")
    description = _("What a call to a model costs is written down once. Somebody else has done so already.")


class AccountMissing(AndamioError):
    """The account was never opened, so that nothing can be spent from it."""

    code = "account-missing"
    status = 409
    title = _("There is no such account")
    description = _("Nothing can be spent from an account that was never opened, so nothing was asked.")


class AdjustmentRefused(AndamioError):
    """The adjustment does not fit the account, such as a limit below what is spent and held."""

    code = "adjustment-refused"
    status = 409
    title = _("The adjustment does not fit")
    description = _("An account's limit cannot be below what is spent and held, and a charge is corrected once.")


class PriceRefused(AndamioError):
    """The price does not fit: it is not newer than the one there is, or the same."""

    code = "price-refused"
    status = 409
    title = _("The price was not stored")
    description = _("Somebody else stored another version meanwhile, or nothing in it is new. Look at it again.")
