"""What the API of money takes and gives. Amounts are whole micro-cents, 1e-6 of a US cent."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field, StringConstraints

from core.api.base import BLANKS, PYTHONS_PATTERNS, PageQuery
from core.contracts import Contract
from gateway.contracts import BudgetMode, Microcents, Outcome, Tier

MOST = 10**15
"""Ten million US dollars: more is a slip of the hand."""
DEAREST = 10**12
"""Ten thousand US dollars for 1,000 tokens: the same."""
ScopeName = Literal[
    "operation",
    "session",
    "user_day",
    "guests_day",
    "user_month",
    "integrator_month",
    "guests_month",
    "agent_month",
]
EntryKind = Literal["open", "reserve", "settle", "release", "expire", "adjust", "correct"]

Moved = Annotated[int, Field(description="Micro-cents that came to it, or went from it where it is negative.")]
PerThousand = Annotated[int, Field(ge=0, le=DEAREST)]
ModelName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=120, pattern=r"^[!-~]([ -~]*[!-~])?$"),
    Field(description="The model's name at its provider.", examples=["gpt-4o-mini"]),
]
Key = Annotated[str, StringConstraints(min_length=1, max_length=80, pattern="^[!-~]+$")]
Reason = Annotated[
    str,
    StringConstraints(min_length=1, max_length=500, pattern=rf"^[^{BLANKS}][^\x00]*$"),
    Field(description="Why, for whoever audits it. Not for learners' words."),
]
_Flag = Literal["true", "false"]


class BudgetsQuery(PageQuery):
    """Which budgets to list; each filter that is given must hold."""

    scope: ScopeName | None = Field(default=None, description="Only budgets of this sort.")
    key: Key | None = Field(default=None, description="Only the budget with this key, in each scope.")
    session: UUID | None = Field(default=None, description="Only the budget of this session.")


class SpentByTier(Contract):
    """What the spent money went to, in micro-cents."""

    cheap: Microcents = Field(description="Wording.")
    embed: Microcents = Field(description="Comparing, where an embedder that costs money is set.")
    thinker: Microcents = Field(description="Second opinions.")


class BudgetItem(Contract):
    """A limit somebody set, and what was spent and is held under it."""

    id: int = Field(description="Names the budget for good.", examples=[31])
    scope: ScopeName
    key: str = Field(
        description=(
            "What it is the budget of: a session's id; a user's id and a day in UTC, `17:2026-01-31`; the day of all "
            "guests; an agent and a month, `tutor:2026-01`; an operation and one run of it."
        )
    )
    limit: Microcents = Field(alias="limit_microcents")
    spent: Microcents = Field(alias="spent_microcents", description="What calls to models cost.")
    held: Microcents = Field(
        alias="held_microcents", description="Set aside for calls that are under way: the most they may cost."
    )
    left: Microcents = Field(alias="left_microcents", description="The limit less what is spent and held.")
    left_cents: str = Field(
        pattern=r"^[0-9]+(\.[0-9]{1,6})?$", description="The same in US cents, exact.", examples=["99.5"]
    )
    spent_by_tier: SpentByTier
    mode: BudgetMode = Field(
        description=(
            "What the money still allows: `full`; `no_thinker`; `economy`, embeddings alone; `deterministic`, no "
            "model at all."
        )
    )
    escalations_limit: int = Field(ge=0, description="How often the thinker may be asked; sessions alone have any.")
    escalations_used: int = Field(ge=0)
    opened_at: AwareDatetime


class EntryCall(Contract):
    """The call to a model that moved the money."""

    id: UUID
    tier: Tier
    model: str
    operation: str = Field(description="What it was made for.", examples=["escalate_grade"])
    attempt: int = Field(ge=0, description="The how manieth request of one call: retries and fallbacks count on.")


class EntryItem(Contract):
    """One movement of a budget's money between what was granted, is available, is held and is spent.

    The four sum to zero. Over all entries of a budget they are its limit (negative, as what was granted), what is left,
    what is held and what is spent. Entries never change.
    """

    id: int
    kind: EntryKind
    granted: Moved = Field(alias="granted_microcents")
    available: Moved = Field(alias="available_microcents")
    held: Moved = Field(alias="held_microcents")
    spent: Moved = Field(alias="spent_microcents")
    at: AwareDatetime
    call: EntryCall | None = Field(description="Null where no call moved it: `open` and `adjust`.")
    by: str | None = Field(description="User name of who changed it; null for calls, and to whoever is not staff.")
    reason: str | None = Field(description="Why they did; null for calls, and to whoever is not staff.")


class AdjustmentBody(Contract):
    """Another limit for a budget."""

    model_config = PYTHONS_PATTERNS

    limit_microcents: int = Field(
        ge=0, le=MOST, description="The new limit; not below what is spent and held.", examples=[150_000_000]
    )
    reason: Reason


class AdjustmentMade(Contract):
    """The entry that was added, and the budget after it."""

    entry: EntryItem
    budget: BudgetItem


class ChargeItem(Contract):
    """A call whose cost the provider never told, so that the most it could cost was charged."""

    id: UUID = Field(description="Names the call; the provider does not know it.")
    tier: Tier
    model: str
    operation: str
    outcome: Outcome = Field(description="How the call ended, as far as it is known.")
    amount: Microcents = Field(alias="amount_microcents", description="What was set aside for it.")
    cost: Microcents = Field(alias="cost_microcents", description="What is charged for it now.")
    unverified: bool = Field(description="Whether that is the worst case still; false once it was corrected.")
    chain: str = Field(description="Where the telemetry tells of it: a session's id.")
    subject: str = Field(description='What in the chain it was for, such as "turn:5"; may be empty.')
    reserved_at: AwareDatetime
    dispatched_at: AwareDatetime = Field(description="When the request left: look for it there in the provider's log.")
    settled_at: AwareDatetime


class CorrectionBody(Contract):
    """What the provider's bill says of a call."""

    model_config = PYTHONS_PATTERNS

    cost_microcents: int = Field(ge=0, le=MOST, description="What the call cost in truth.", examples=[182_000])
    reason: Reason


class PriceParts(Contract):
    """Micro-cents for 1,000 tokens, by what the tokens are. US$ 0.005 is 500,000."""

    input: PerThousand
    cached: PerThousand = Field(description="Input that the provider had in its cache.")
    output: PerThousand
    reasoning: PerThousand = Field(description="Output that is not shown.")
    embedding: PerThousand = Field(description="Text to embed; the tier `embed` is charged by this alone.")


class PricesQuery(PageQuery):
    """Which prices to list; each filter that is given must hold."""

    tier: Tier | None = Field(default=None, description="Only prices of this tier.")
    model: ModelName | None = Field(default=None, description="Only prices of this model.")
    all: _Flag = Field(default="false", description="With `true` earlier versions too, which calls were charged by.")


class PriceItem(PriceParts):
    """What a model costs from some moment on. Never changes: another price is another version."""

    id: int
    tier: Tier
    model: str
    version: int = Field(ge=1)
    since: AwareDatetime
    by: str | None = Field(
        description="User name of who set it; null where it came with the program or by a command, and to learners."
    )
    reason: str | None = Field(description="Why; null to whoever is not staff.")


class PriceBody(PriceParts):
    """The next version of a price."""

    model_config = PYTHONS_PATTERNS

    tier: Tier
    model: ModelName
    after: int = Field(
        ge=0, le=2**31 - 2, description="The version that you saw, which this one follows; 0 where there is none."
    )
    reason: Reason
