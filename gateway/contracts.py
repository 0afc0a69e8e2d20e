"""Values of the gateway that cross layers. Money is in micro-cents (1e-6 cent). Source: design.md, "Money"."""

import datetime as dt
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np
import numpy.typing as npt
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import Field, model_validator

from core.contracts import Contract

if TYPE_CHECKING:
    from accounts.models import User

MICROCENTS = 1_000_000
Microcents = Annotated[int, Field(ge=0)]
LOCAL_EMBEDDING_MODEL = "use-multilingual-3"

Vectors = npt.NDArray[np.float32]
"""One row of norm 1 per text; a cosine is the dot product of two rows."""


class Tier(StrEnum):
    """What a model is for. Source: spec/3 "Tiers de Modelos"."""

    CHEAP = "cheap"
    EMBED = "embed"
    THINKER = "thinker"

    @property
    def label(self) -> str:
        """Its name for people."""
        return str(_TIER_NAMES[self])


_TIER_NAMES = {Tier.CHEAP: _("wording"), Tier.EMBED: _("comparing answers"), Tier.THINKER: _("second opinions")}


class BudgetMode(StrEnum):
    """What an account's money still allows. Source: design.md, "Money"; spec/3 "Límites por Sesión"."""

    FULL = "full"
    NO_THINKER = "no_thinker"
    ECONOMY = "economy"
    DETERMINISTIC = "deterministic"

    def allows(self, tier: Tier) -> bool:
        """Whether a model of this tier may be asked at all."""
        return tier in _ALLOWED[self]


_ALLOWED = {
    BudgetMode.FULL: frozenset(Tier),
    BudgetMode.NO_THINKER: frozenset((Tier.CHEAP, Tier.EMBED)),
    BudgetMode.ECONOMY: frozenset((Tier.EMBED,)),
    BudgetMode.DETERMINISTIC: frozenset[Tier](),
}


class Budget(Contract):
    """An account's money at one moment, in micro-cents, its escalations, and where its modes change."""

    limit: int
    spent: int = 0
    held: int = 0
    escalations_limit: int = 0
    escalations_used: int = 0
    thinker_floor: int = 0
    economy_floor: int = 0
    spent_cheap: int = 0
    spent_embed: int = 0
    spent_thinker: int = 0

    @property
    def left(self) -> int:
        """What may still be reserved, in micro-cents; never negative."""
        return max(0, self.limit - self.spent - self.held)

    @property
    def limit_cents(self) -> float:
        """The limit in cents."""
        return self.limit / MICROCENTS

    @property
    def left_cents(self) -> float:
        """What is left, in cents."""
        return self.left / MICROCENTS

    @property
    def mode(self) -> BudgetMode:
        """What it still allows: by what is left, under which floors."""
        if self.left == 0:
            return BudgetMode.DETERMINISTIC
        if self.left < self.economy_floor:
            return BudgetMode.ECONOMY
        return BudgetMode.NO_THINKER if self.left < self.thinker_floor else BudgetMode.FULL

    @property
    def by_tier(self) -> dict[Tier, int]:
        """What was spent, in micro-cents, by tier."""
        return {Tier.CHEAP: self.spent_cheap, Tier.EMBED: self.spent_embed, Tier.THINKER: self.spent_thinker}


class Limits(Contract):
    """What an account may spend: `cents`, escalations, and under how many cents no thinker and no model at all."""

    cents: int = Field(ge=0)
    escalations: int = Field(default=0, ge=0)
    thinker_floor_cents: int = Field(default=0, ge=0)
    economy_floor_cents: int = Field(default=0, ge=0)


class Payer(Contract):
    """Whose money a call spends, and where in the telemetry it is written down.

    `session` is a session's id: its account must be open. `user_id` pays from their day, guests from all guests' day
    too, who is managed (`managed_by`) from the month of that integrator's learners; `agent` pays from its month.
    `chain` is the chain of the events, with `course` and `mode` as there; `subject` says what in the chain it was for,
    such as "turn:5".
    """

    chain: str = Field(min_length=1, max_length=64)
    user_id: int | None = None
    is_guest: bool = False
    managed_by: int | None = None
    session: str | None = None
    agent: str = Field(default="tutor", pattern=r"^[a-z][a-z_-]{0,30}$")
    course: str = ""
    mode: str = ""
    subject: str = Field(default="", max_length=80)

    @classmethod
    def of(cls, user: "User | None", **where: Any) -> Self:
        """What is done for a user; for None the agent's month alone pays."""
        if user is None:
            return cls(**where)
        return cls(user_id=user.pk, is_guest=user.is_guest, managed_by=user.managed_by_id, **where)


class OperationRun(Contract):
    """One run of a named operation; where RT-009 caps what it may cost, `cap` is that, in micro-cents.

    `run` is the key of the account that is capped. What is done in it is charged to it and to every capped run that it
    is itself part of (`outer`).
    """

    operation: str = Field(pattern=r"^[a-z][a-z_]{0,39}$")
    run: str = Field(min_length=1, max_length=80)
    cap: int | None = None
    outer: "OperationRun | None" = None

    @property
    def capped(self) -> dict[str, int]:
        """What it may cost by the key of each account that it is charged to, in micro-cents."""
        own = {} if self.cap is None else {self.run: self.cap}
        return own if self.outer is None else {**self.outer.capped, **own}


class Usage(Contract):
    """Tokens that a provider counted. Cached ones are among the input, reasoning ones among the output."""

    # No more than a column holds: a count beyond that is nobody's, and must not stop the settlement.
    input: int = Field(ge=0, lt=2**31)
    cached: int = Field(default=0, ge=0)
    output: int = Field(default=0, ge=0, lt=2**31)
    reasoning: int = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if self.cached > self.input or self.reasoning > self.output:
            raise ValueError("cached tokens are part of the input, reasoning tokens of the output")
        return self


class TokenPrices(Contract):
    """Micro-cents per 1,000 tokens, by what the tokens are."""

    input: int = Field(ge=0)
    cached: int = Field(ge=0)
    output: int = Field(ge=0)
    reasoning: int = Field(ge=0)
    embedding: int = Field(ge=0)


class Outcome(StrEnum):
    """How a call ended, as far as it is known here."""

    ANSWERED = "answered"
    REFUSED = "refused"  # the provider said no and did nothing: 400, 401, 404, 429
    FAILED = "failed"  # the provider failed on it: 500 and the like, or an answer that is no answer
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    CUT = "cut"  # the connection went, or the stream ended early
    LOST = "lost"  # nobody knows: the process that asked is gone
    NOT_SENT = "not_sent"  # no connection was made

    @property
    def label(self) -> str:
        """In words, for people."""
        return str(_OUTCOMES[self])


_OUTCOMES = {
    Outcome.ANSWERED: pgettext_lazy("outcome", "answered"),
    Outcome.REFUSED: pgettext_lazy("outcome", "refused"),
    Outcome.FAILED: pgettext_lazy("outcome", "failed"),
    Outcome.TIMED_OUT: pgettext_lazy("outcome", "timed out"),
    Outcome.CANCELLED: pgettext_lazy("outcome", "cancelled"),
    Outcome.CUT: pgettext_lazy("outcome", "cut off"),
    Outcome.LOST: pgettext_lazy("outcome", "lost"),
    Outcome.NOT_SENT: pgettext_lazy("outcome", "not sent"),
}


class CallReport(Contract):
    """What is known of a call that was dispatched. `usage` None: unknown, and the whole hold is charged, unverified.

    Digests are keyed hashes, sizes are bytes.
    """

    outcome: Outcome
    usage: Usage | None = None
    latency_ms: int | None = Field(default=None, ge=0)
    reply_digest: str = ""
    reply_bytes: int = Field(default=0, ge=0)


class Settled(Contract):
    """What a hold came to. `cost` was taken from its accounts; `overrun` is what they could not bear, both in
    micro-cents. `unverified`: the provider's count is not known, so the worst case was charged.
    """

    hold: str
    tier: Tier
    model: str
    cost: int
    overrun: int = 0
    unverified: bool = False
    at: dt.datetime


class DegradationLevel(StrEnum):
    """How much of what costs time is done. Source: RT-009, "Degradation levels"."""

    FULL = "full"
    REDUCED = "reduced"
    MINIMAL = "minimal"
    DISABLED = "disabled"
