"""How the money dashboard writes tiers, amounts, times and shares."""

from gateway.contracts import Tier
from telemetry.panels import Written, dollars, percent, whole

NOTHING = "–"


def tier_name(tier: Tier) -> str:
    """In words, and as the settings and alerts call it."""
    return f"{tier.label} · {tier.value}"


def share_of(part: float, of: float) -> str:
    """A share to a tenth of a hundredth: 5.4 % is over a limit of 5 %."""
    return percent(part, of, decimals=1)


def in_percent(part: float, of: float) -> Written:
    """The same in a table."""
    return Written(share_of(part, of))


def in_dollars(microcents: int | None) -> Written:
    """US$ in a table."""
    return Written(NOTHING if microcents is None else dollars(microcents))


def in_ms(ms: int | None) -> Written:
    """Milliseconds in a table."""
    return Written(NOTHING if ms is None else f"{whole(ms)} ms")
