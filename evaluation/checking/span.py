"""What a value may be, in the terms of a criterion."""

from dataclasses import dataclass

from evaluation.contracts import Reason

Point = float | str


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, the same for a value that is known. Numbers, or ISO texts in order.

    `open`: the ends themselves are left out ("over 200").
    """

    low: Point
    high: Point
    open: bool = False

    def scaled(self, factor: float) -> "Span":
        """A span of numbers, multiplied."""
        return Span(round(float(self.low) * factor, 12), round(float(self.high) * factor, 12), self.open)


@dataclass(frozen=True, slots=True)
class Unread:
    """A value that does not compare, and why."""

    reason: Reason
