"""Values of the gateway that cross layers. Money is in micro-cents (1e-6 cent). Source: design.md, "Money"."""

import numpy as np
import numpy.typing as npt

from core.contracts import Contract

MICROCENTS = 1_000_000
LOCAL_EMBEDDING_MODEL = "use-multilingual-3"

Vectors = npt.NDArray[np.float32]
"""One row of norm 1 per text; a cosine is the dot product of two rows."""


class Budget(Contract):
    """An account's money at one moment, in micro-cents, and its escalations."""

    limit: int
    spent: int
    held: int
    escalations_limit: int
    escalations_used: int

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
