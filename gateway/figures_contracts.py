"""What was counted of calls to models and of operations. Money in micro-cents, times in milliseconds, days in UTC."""

from datetime import date

from pydantic import Field

from core.contracts import Contract
from gateway.contracts import DegradationLevel, Outcome, Tier


class Days(Contract):
    """A range of days in UTC, of which both count."""

    since: date
    until: date


class TierUse(Contract):
    """Calls to one tier. `share` is of all calls, None without any; `policy` what spec/3 "Política de Uso" wants."""

    tier: Tier
    calls: int
    cost: int
    share: float | None
    policy: float
    p50: int | None = Field(description="of the provider's answers that came")
    p95: int | None


class TierDay(Contract):
    """Calls of one day to one tier, and what its requests cost: those of calls that others answered as well."""

    day: date
    tier: Tier
    calls: int
    cost: int


class Spread(Contract):
    """What several of a kind cost; `mean` is rounded up, `p95` what one of them cost. None where there are none."""

    of: int
    mean: int | None
    p95: int | None


class OperationCost(Contract):
    """Calls made for one operation. `cap` is what one run may cost; `per_run` tells of runs that have an account, with
    the calls that other operations made within them.
    """

    operation: str
    calls: int
    cost: int
    cap: int | None
    per_run: Spread


class Latency(Contract):
    """How long one operation took. `refused` counts runs for which the money was not there, `asked` those that looked
    into a cache, `hits` those that found it there.
    """

    operation: str
    runs: int
    p50: int
    p95: int
    p99: int
    target: int | None
    limit: int | None
    violations: int
    timeouts: int
    refused: int
    asked: int
    hits: int

    @property
    def hit_rate(self) -> float | None:
        """None for an operation that looks into no cache."""
        return self.hits / self.asked if self.asked else None

    @property
    def timeout_rate(self) -> float:
        """Of all runs."""
        return self.timeouts / self.runs


class Failure(Contract):
    """Requests that ended in another way than with an answer, each by itself. Those not sent cost nothing."""

    outcome: Outcome
    tier: Tier
    model: str
    calls: int
    cost: int


class Costly(Contract):
    """What a session cost in these days."""

    session: str
    course: str
    calls: int
    cost: int
    escalations: int


class Charges(Contract):
    """How many charges, and their sum."""

    calls: int
    cost: int


class Escalations(Contract):
    """`made` is how often the thinker was asked for a second opinion; `graded` of how many answers, None when nobody
    counts answers here. `rate` is one over the other.

    Graded are the answers of sessions in adaptive mode that the grader could judge: nothing else can be escalated.
    """

    made: int
    graded: int | None

    @property
    def rate(self) -> float | None:
        """None where no answer was graded."""
        return self.made / self.graded if self.graded else None


class Figures(Contract):
    """Everything that is told of a range of days; `level` is the degradation level now.

    A call to a model is one question, with its retries and fallbacks: it counts for the tier that answered, else for
    the last one that was tried, on the day on which the money for that was set aside. The local embedder makes none.
    What it cost is what was charged for each request; one that is under way has cost nothing yet.
    """

    days: Days
    level: DegradationLevel
    tiers: tuple[TierUse, ...]
    by_day: tuple[TierDay, ...]
    escalations: Escalations
    sessions: Spread = Field(description="of sessions in which a model was asked in these days")
    learner_days: Spread = Field(description="of users' days on which a model was asked for them")
    operations: tuple[OperationCost, ...]
    unverified: Charges
    overruns: Charges
    latencies: tuple[Latency, ...]
    quota_refusals: int = Field(description="how often a storage quota refused something")
    failures: tuple[Failure, ...]
    costliest: tuple[Costly, ...]

    @property
    def calls(self) -> int:
        """To all tiers."""
        return sum(one.calls for one in self.tiers)

    @property
    def cost(self) -> int:
        """Of all tiers."""
        return sum(one.cost for one in self.tiers)

    def tier(self, tier: Tier) -> TierUse:
        """The use of one tier; all are there."""
        return next(one for one in self.tiers if one.tier == tier)

    def latency(self, operation: str) -> Latency | None:
        """None for an operation that did not run."""
        return next((one for one in self.latencies if one.operation == operation), None)
