"""QueryPlan v1, which is frozen. Source: spec/4; docs/query-plan-v1.md says what would need a v2."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

import pydantic
from pydantic import Field, model_validator

from routing.contracts.values import (
    AGENTS_AT_MOST,
    DOMAINS_AT_MOST,
    Confidence,
    Different,
    DomainHint,
    DomainKey,
    Flag,
    LabStatus,
    Mode,
    Moment,
    Rationale,
    Sealed,
    ShortText,
    Text,
    Truth,
)
from routing.errors import QueryPlanInvalid


class LabPolicy(Sealed):
    """Whether the laboratory may be used, and why, in one or two lines. Source: spec/4, 3.7."""

    allow_lab: Truth
    status: LabStatus
    rationale: ShortText

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.allow_lab != (self.status != "denied"):
            raise ValueError(f"allow_lab is {self.allow_lab}, which does not go with the status {self.status}")
        return self


class QueryPlan(Sealed):
    """How a question was understood, for those who decide and answer. Every field is given. Source: spec/4, 2 to 4.

    The order of domains means nothing. `flags` may hold others than those of `routing.flags`.
    """

    mode: Mode
    domain_hint: DomainHint
    domains_selected: Annotated[list[DomainKey], Field(min_length=1, max_length=3), Different]
    agents_selected: Annotated[list[Text], Field(max_length=AGENTS_AT_MOST), Different]
    needs_evidence: Truth
    needs_skills: Truth
    lab_policy: LabPolicy
    rationale: Rationale
    confidence: Confidence
    flags: Annotated[list[Flag], Different]
    timestamp: Moment

    @model_validator(mode="after")
    def _holds(self) -> Self:
        most = DOMAINS_AT_MOST[self.mode]
        if len(self.domains_selected) > most:
            raise ValueError(f"{self.mode} has at most {most} domains, not {len(self.domains_selected)}")
        status = self.lab_policy.status
        if "lab" in self.domains_selected and status != "approved":
            raise ValueError(f"lab is among the domains, and its status is {status}, not approved")
        for flag, meant in (("lab-access-approved", "approved"), ("lab-access-denied", "denied")):
            if flag in self.flags and status != meant:
                raise ValueError(f"the flag {flag} does not go with the status {status}")
        return self


def validate_query_plan(plan: QueryPlan | Mapping[str, Any] | str | bytes) -> bool:
    """True for a plan that holds every invariant of spec/4, 4; a mapping or JSON is read as one.

    Raises `QueryPlanInvalid`, which is a `ValueError` and names each place, for everything else.
    """
    try:
        if isinstance(plan, str | bytes):
            QueryPlan.model_validate_json(plan)
        else:
            values: Any = vars(plan) if isinstance(plan, QueryPlan) else plan
            QueryPlan.model_validate(dict(values) if isinstance(values, Mapping) else values)
    except pydantic.ValidationError as error:
        raise QueryPlanInvalid.of(error) from error
    return True
