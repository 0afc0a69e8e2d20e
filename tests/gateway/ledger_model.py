"""The ledger as one would explain it: calls that are worth their hold while they are open, and their cost after."""

import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime

from gateway.contracts import Tier

Key = tuple[str, str]


@dataclass(frozen=True)
class Call:
    """`cost` is None while it is open; `state` as in the ledger's rows; money in micro-cents."""

    keys: tuple[Key, ...]
    tier: Tier
    amount: int
    escalation: bool
    price: int
    expires: datetime
    state: str = "held"
    cost: int | None = None
    unverified: bool = False


@dataclass
class Model:
    """Accounts are limits alone: what is left of them follows from the calls."""

    limits: dict[Key, int] = field(default_factory=dict)
    calls: dict[uuid.UUID, Call] = field(default_factory=dict)

    def of(self, key: Key) -> list[Call]:
        return [call for call in self.calls.values() if key in call.keys]

    def spent(self, key: Key) -> int:
        return sum(call.cost or 0 for call in self.of(key))

    def held(self, key: Key) -> int:
        return sum(call.amount for call in self.of(key) if call.cost is None)

    def escalations(self, key: Key) -> int:
        return sum(call.escalation and call.state not in ("released", "expired") for call in self.of(key))

    def left(self, *keys: Key) -> int:
        return min(self.limits[key] - self.spent(key) - self.held(key) for key in keys)

    def admits(self, call: Call, session: Key, floor: int, most: int) -> bool:
        asks_too_often = call.escalation and self.escalations(session) >= most
        return self.left(*call.keys) >= call.amount and self.left(session) >= max(floor, 1) and not asks_too_often

    def close(self, name: uuid.UUID, state: str, real: int, *, unverified: bool = False) -> None:
        call = self.calls[name]
        cost = min(real, call.amount + self.left(*call.keys))
        self.calls[name] = replace(call, state=state, cost=cost, unverified=unverified)
