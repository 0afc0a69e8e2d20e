"""How far two judges of the same answers agree, in numbers. Pure: nothing is read here."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from lesson_engine.contracts import VerdictResult

Pairs = Mapping[tuple[VerdictResult, VerdictResult], int]
"""How often the grader gave the first result and staff the second."""

_Z = 1.959963984540054
"""Of a 95 % interval."""
_WORTH = {
    VerdictResult.NOT_GRADABLE: 0,
    VerdictResult.REJECT: 0,
    VerdictResult.PARTIAL: 1,
    VerdictResult.ACCEPT: 2,
}
"""What can be put in order: an answer that cannot be judged is as far from a right one as a wrong one is."""


@dataclass(frozen=True)
class Agreement:
    """`low` and `high` bound the true share of agreement with 95 % confidence (Wilson).

    `kappa` is Cohen's with linear weights: 1 is full agreement, 0 what chance alone would give; None where it is not
    defined, since both said the same of everything. `false_accepts` were accepted by the grader alone,
    `false_rejects` by staff alone.
    """

    n: int
    agreed: int
    low: float
    high: float
    kappa: float | None
    false_accepts: int
    false_rejects: int

    @property
    def share(self) -> float:
        """Share of the answers to which both gave the same result; 0 where there is none."""
        return self.agreed / self.n if self.n else 0.0


def agreement_of(pairs: Pairs) -> Agreement:
    n = sum(pairs.values())
    agreed = sum(count for (graded, result), count in pairs.items() if graded == result)
    low, high = wilson(agreed, n)
    accept = VerdictResult.ACCEPT
    return Agreement(
        n=n,
        agreed=agreed,
        low=low,
        high=high,
        kappa=weighted_kappa(pairs),
        false_accepts=sum(count for (graded, result), count in pairs.items() if graded == accept != result),
        false_rejects=sum(count for (graded, result), count in pairs.items() if graded != accept == result),
    )


def wilson(hits: int, n: int) -> tuple[float, float]:
    """The 95 % interval of a share, after Wilson: honest also for few cases and near 0 or 1."""
    if not n:
        return 0.0, 1.0
    share, z2 = hits / n, _Z * _Z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def weighted_kappa(pairs: Pairs) -> float | None:
    """Cohen's kappa with linear weights; None where chance alone would agree on everything."""
    n = sum(pairs.values())
    first: Counter[int] = Counter()
    second: Counter[int] = Counter()
    apart = 0
    for (graded, result), count in pairs.items():
        by_grader, by_staff = _WORTH[graded], _WORTH[result]
        first[by_grader] += count
        second[by_staff] += count
        apart += count * abs(by_grader - by_staff)
    expected = sum(a * b * abs(x - y) for x, a in first.items() for y, b in second.items())
    return 1 - apart * n / expected if expected else None
