"""What the API of the audit trail takes and gives. Source: spec/4, 6; related-facts, "Audit log v1"."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, WithJsonSchema

from accounts.contracts import Pseudonym
from core.api.base import PYTHONS_PATTERNS, Moment, PageQuery, WholeNumber
from core.contracts import Contract
from routing.api.contracts import AsStored
from routing.contracts import GovernorDecision, QueryPlan, SynthesizerOutput
from telemetry.contracts import FaultKind

MOST_ENTRIES, USUAL_ENTRIES = 50, 20
Status = Literal["success", "error", "partial"]
# As text, since it is written in the documented form: without a fraction where there is none.
Timestamp = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]
Count = Annotated[int, Field(ge=0)]
Digest = Annotated[str, WithJsonSchema({"type": "string", "description": "SHA-256 in hex."})]


class AuditEntriesQuery(PageQuery):
    """Which audit entries to list; each filter that is given must hold."""

    model_config = PYTHONS_PATTERNS

    limit: Annotated[WholeNumber, Field(description="Items of a page at most; each is whole.")] = Field(
        USUAL_ENTRIES, ge=1, le=MOST_ENTRIES
    )
    status: Status | None = Field(default=None, description="Only entries that say this.")
    correlation_id: UUID | None = Field(default=None, description="Only entries on what came of one question.")
    query_plan_id: UUID | None = Field(default=None, description="Only entries on this query plan.")
    learner: Pseudonym | None = Field(default=None, description="Only entries on what this learner of yours asked.")
    since: Moment | None = Field(default=None, description="Only entries of this time or later.")
    until: Moment | None = Field(default=None, description="Only entries from before this time.")


class AuditEntryDetail(Contract):
    """An entry of the audit trail: what was asked, understood, decided and said, whatever happened.

    First the documented keys, then what else is on record. The snapshots are those of QueryPlan v1, GovernorDecision v1
    and SynthesizerOutput v1, null where there was none; `/schemas/query-plan/1/schema.json`,
    `/schemas/governor-decision/1/schema.json` and `/schemas/synthesizer-output/1/schema.json` are their JSON Schemas.
    """

    query_plan_id: UUID | None
    timestamp: Timestamp
    user_id: str = Field(description="Whom it was for, as they were known then.")
    message: str | None = Field(description="The question, unchanged; null once it is erased.")
    query_plan: Annotated[dict[str, Any], AsStored(QueryPlan)] | None
    status: Status
    entry_id: UUID
    correlation_id: UUID = Field(description="The same for everything that came of one question.")
    message_digest: Digest = Field(description="SHA-256 of a salt and the question; it stays when both are erased.")
    governor_decision_id: UUID | None
    governor_decision: Annotated[dict[str, Any], AsStored(GovernorDecision)] | None
    synthesizer_output_id: UUID | None
    synthesizer_output: Annotated[dict[str, Any], AsStored(SynthesizerOutput)] | None
    versions: dict[str, Any] = Field(description="Of whatever made it, by name.")
    error_message: str = Field(description="What went wrong, where something did; never in the asker's words.")
    warnings: list[str]
    model_used: str = Field(description="Empty where no model was asked.")
    stored_at: Timestamp
    retention_days: Count = Field(description="For how many days it is kept at least.")
    chain: str = Field(description="The chain that it stands in: that of the person who asked.")
    seq: int = Field(ge=1, description="Its place there, from 1 without gaps.")
    previous_hash: str = Field(description="The checksum of the entry before.")
    checksum: str = Field(description="SHA-256 of everything else here and of the entry before.")
    key_id: str = Field(description="Names the key of the signature.")
    signature: str = Field(description="HMAC-SHA256 of the checksum.")


class AuditFault(Contract):
    """The first place where a chain does not hold; `entry_id` is null where the entry of that place is missing."""

    kind: FaultKind
    seq: int
    entry_id: UUID | None
    detail: str


class AuditVerification(Contract):
    """What a check of an entry's whole chain has just found.

    An entry before the first fault `holds`. `verified_at` is the last good check, this one when the chain is whole, and
    `verified_entries` is how many the chain had then; null and 0 when none was good.
    """

    entry_id: UUID
    seq: int
    holds: bool
    chain: str
    chain_whole: bool
    entries: Count = Field(description="How many the chain has.")
    fault: AuditFault | None
    verified_at: datetime | None
    verified_entries: Count
