"""What the consult refuses."""

from typing import Self

import pydantic
from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError, json_pointer


class QueryPlanInvalid(AndamioError, ValueError):
    """A query plan breaks an invariant of its schema."""

    code = "query-plan-invalid"
    status = 422
    title = _("The query plan is not whole")
    description = _("Every field of a query plan is given, and its invariants hold.")

    @classmethod
    def of(cls, error: pydantic.ValidationError) -> Self:
        """The same as Pydantic found it, by pointers into the plan."""
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        places = [(json_pointer(fault["loc"]), fault["msg"]) for fault in faults]
        text = "; ".join(f"{pointer or '/'}: {fault}" for pointer, fault in places)
        return cls(f"The query plan is not whole: {text}", places)


class ContractsDisagree(AndamioError, ValueError):
    """A decision or an answer says something else than what it comes from."""

    code = "contracts-disagree"
    status = 409
    title = _("The contracts disagree")
    description = _("Recommendation, risks and domains must equal those of the plan and the decision.")


class PackRefused(AndamioError):
    """A file that is no pack of domains, or a pack that was changed without a new version."""

    code = "pack-refused"
    status = 422
    title = _("The pack cannot be used")
    description = _("A pack has a name with a version, and titles and examples for each of its domains.")


class ConsultFailed(AndamioError):
    """The question could not be read; an audit entry says why."""

    code = "consult-failed"
    status = 503
    title = _("The question could not be read")
    description = _(
        "Something went wrong here, and it is on record. Ask again after as many seconds as Retry-After says."
    )
    retry_after = 5


class AuditWriteFailed(AndamioError):
    """The audit entry of a plan could not be written, so the plan is not given."""

    code = "audit-write-failed"
    status = 503
    title = _("The audit trail cannot be written")
    description = _(
        "An answer that is not on record is not given. Ask again after as many seconds as Retry-After says."
    )
    retry_after = 5


class CorrectionRefused(AndamioError):
    """A plan that was corrected already, or a domain that no plan can be corrected to."""

    code = "correction-refused"
    status = 409
    title = _("The plan cannot be corrected")
    description = _("Only the latest plan of a question can be corrected, to a domain other than the laboratory.")
