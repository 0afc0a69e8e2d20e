"""The numbers of agreement, against values worked out by hand."""

import pytest

from lesson_engine.contracts import VerdictResult
from lesson_engine.workbench.agreement import Agreement, agreement_of, weighted_kappa, wilson
from tests.each import each

A, P, R, N = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT, VerdictResult.NOT_GRADABLE


@each(
    ("hits", "n", "low", "high"),
    [
        # (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with z = 1.959964, z² = 3.841459:
        (8, 10, 0.490162, 0.943318),  # (0.8 + 0.192073 ± 1.959964·sqrt(0.016 + 0.0096036)) / 1.3841459
        (50, 100, 0.403832, 0.596168),  # (0.5 + 0.0192073 ± 1.959964·sqrt(0.0025 + 0.000096036)) / 1.03841459
        (0, 5, 0.0, 0.434482),  # z²/n / (1 + z²/n) = 0.7682918 / 1.7682918
        (5, 5, 0.565518, 1.0),
        (1, 1, 0.206549, 1.0),  # 1 / (1 + 3.841459)
        (0, 0, 0.0, 1.0),  # nothing is known
    ],
)
def test_wilson(hits: int, n: int, low: float, high: float) -> None:
    assert wilson(hits, n) == pytest.approx((low, high), abs=1e-6)


def test_kappa_weighs_a_step_less_than_two() -> None:
    # Rows the grader's, columns those of staff:  A  P  R
    #                                          A  20 5  0   = 25
    #                                          P  3  10 2   = 15
    #                                          R  1  2  7   = 10
    #                                             24 17 9     50
    # Apart by one: 5 + 3 + 2 + 2 = 12, by two: 0 + 1 = 1, so 12 + 2·1 = 14 of 50.
    # By chance: (25·17 + 15·24 + 15·9 + 10·17 + 2·(25·9 + 10·24)) / 50 = (425 + 360 + 135 + 170 + 930) / 50 = 40.4
    pairs = {(A, A): 20, (A, P): 5, (P, A): 3, (P, P): 10, (P, R): 2, (R, A): 1, (R, P): 2, (R, R): 7}
    assert weighted_kappa(pairs) == pytest.approx(1 - 14 / 40.4)


def test_kappa_of_full_agreement_of_chance_and_of_the_opposite() -> None:
    assert weighted_kappa({(A, A): 3, (R, R): 4}) == 1
    assert weighted_kappa({(A, A): 1, (A, R): 1, (R, A): 1, (R, R): 1}) == pytest.approx(0)
    assert weighted_kappa({(A, R): 1, (R, A): 1}) == pytest.approx(-1)


def test_kappa_is_not_defined_where_both_always_said_the_same() -> None:
    assert weighted_kappa({(A, A): 9}) is None
    assert weighted_kappa({}) is None
    assert weighted_kappa({(R, N): 4, (N, R): 1}) is None  # no worth either way, though not the same word


def test_numbers_of_a_table() -> None:
    pairs = {(A, A): 4, (A, P): 1, (A, R): 2, (P, A): 3, (N, A): 1, (R, R): 5, (N, R): 1}
    numbers = agreement_of(pairs)
    assert (numbers.n, numbers.agreed, numbers.false_accepts, numbers.false_rejects) == (17, 9, 3, 4)
    assert numbers.share == pytest.approx(9 / 17)
    assert (numbers.low, numbers.high) == wilson(9, 17)
    assert agreement_of({}) == Agreement(0, 0, 0.0, 1.0, None, 0, 0)
    assert agreement_of({}).share == 0
