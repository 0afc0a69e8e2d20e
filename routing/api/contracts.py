"""What the API of the consult takes and gives. Probabilities and shares are 0 to 1."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, GetCoreSchemaHandler, StringConstraints
from pydantic_core import CoreSchema, core_schema

from accounts.contracts import Pseudonym
from core.api.base import PYTHONS_PATTERNS, Moment, PageQuery
from core.contracts import Contract
from routing.contracts import QueryPlan
from routing.contracts.reading import DomainScore, Found, Nearest
from routing.contracts.values import Confidence, DomainHint, DomainKey, Flag, Mode

MESSAGE_LENGTH = 100_000
EXCERPT_LENGTH = 200


@dataclass(frozen=True)
class AsStored:
    """JSON that is shown as it stands on record, and described as the contract that it was written from.

    Nobody can hide a forged row behind an error of ours: what it says is shown, and that it is forged is for
    verification to say.
    """

    contract: type[BaseModel]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_wrap_validator_function(
            lambda value, _: value,
            handler.generate_schema(self.contract),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda value: value),
        )


Share = Annotated[float, Field(ge=0, le=1)]
Message = Annotated[str, StringConstraints(max_length=MESSAGE_LENGTH, pattern=r"^[^\x00]*$")]


class QueryPlansQuery(PageQuery):
    """Which query plans to list; each filter that is given must hold."""

    model_config = PYTHONS_PATTERNS

    confidence: Confidence | None = Field(default=None, description="Only plans of this confidence.")
    domain: DomainKey | None = Field(default=None, description="Only plans with this domain among theirs.")
    flag: Flag | None = Field(default=None, description="Only plans with this flag, such as `needs-clarification`.")
    mode: Mode | None = Field(default=None, description="Only plans of this mode.")
    corrected: Literal["true", "false"] | None = Field(
        default=None, description="Only plans that somebody corrected since, or only the latest of each question."
    )
    learner: Pseudonym | None = Field(default=None, description="Only plans of what this learner of yours asked.")
    since: Moment | None = Field(default=None, description="Only plans made at this time or later.")
    until: Moment | None = Field(default=None, description="Only plans made before this time.")


class QueryPlanBody(Contract):
    """A question, who asks it, and what they think of how to go about it."""

    model_config = PYTHONS_PATTERNS

    message: Message = Field(
        description="In Spanish or English. Anything gives a plan, also nothing at all; only NUL cannot be sent.",
        examples=["¿Es buen momento para solicitar excedencia en CGI?"],
    )
    domain_hint: DomainHint = Field(default="auto", description="Which domain you think it is about; not binding.")
    mode: Mode | None = Field(
        default=None, description="Left out, it follows from the question; `fast` may be made `deep`, with a flag."
    )
    learner: Pseudonym | None = Field(default=None, description="Who asks; absent: yourself.")


class QueryPlanCorrectionBody(Contract):
    """What the question is about."""

    domain: DomainKey = Field(description="Any but `lab`, which nobody gets by a correction.")


class QueryPlanItem(Contract):
    """A query plan in short.

    `corrects` is the plan that somebody found wrong before this one, `corrected_by` the one that came after it; both
    are null for a plan that nobody corrected.
    """

    id: UUID
    correlation_id: UUID = Field(description="The same for everything that came of one question.")
    excerpt: str | None = Field(
        description=f"How the question begins, in {EXCERPT_LENGTH} characters; null once erased."
    )
    language: str
    mode: Mode
    domain_hint: DomainHint
    domains: list[DomainKey]
    confidence: Confidence
    probability: Share = Field(description="That the first domain is right, calibrated.")
    flags: list[str]
    corrects: UUID | None
    corrected_by: UUID | None
    created_at: datetime


class QueryPlanReading(Contract):
    """What decided.

    `shares` are the domains' shares of the evidence, the likeliest first. `keywords` stand in the question, `nearest`
    are the pack's examples that are most like it; both with the domain that they speak for.
    """

    shares: tuple[DomainScore, ...]
    in_scope: Share = Field(description="The probability that the question is about any of the domains at all.")
    margin: Share = Field(description="The first share less the second.")
    agree: bool = Field(description="Whether embeddings and words have the same first domain.")
    keywords: tuple[Found, ...]
    nearest: tuple[Nearest, ...]


class QueryPlanVersions(Contract):
    """Whatever made the plan."""

    schema_version: str = Field(alias="schema", examples=["query-plan/1"])
    router: str
    pack: str = Field(description="The domains' pack, as name@version.")
    pack_digest: str = Field(description="SHA-256 of the pack.")
    phase: int = Field(description="What plans may hold: 2 to 5.")


class QueryPlanDetail(QueryPlanItem):
    """A query plan, whole.

    `plan` is the contract QueryPlan v1, and its JSON Schema is `/schemas/query-plan/1/schema.json`. `reading` is null
    where an older router left one of another form.
    """

    message: str | None = Field(description="The question; null once it is erased.")
    plan: Annotated[dict[str, Any], AsStored(QueryPlan)]
    reading: QueryPlanReading | None
    versions: QueryPlanVersions
    model: str | None = Field(description="The model that was asked besides; null for none.")
    audit_entry_id: UUID | None = Field(description="The audit entry that was written with it.")
