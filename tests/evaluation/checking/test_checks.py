"""One criterion against one result: RF-007's scenarios, and what tells a value from its neighbours."""

from dataclasses import dataclass
from typing import Any

import pytest

from evaluation.checking.check import NOTHING_VERIFIED, criterion_check, evaluation_of, result_read, warning_of
from evaluation.contracts import CriterionResult, Reason, RelevanceBreakdown, RelevanceScore
from planning.contracts import SuccessCriterion
from tests.each import each


@dataclass
class Hotel:
    quality: int | None = None
    price: float | None = None


@dataclass
class Bare:
    """A hotel of which nothing is known about a pool."""

    quality: int


RELEVANCE = RelevanceScore(0.9, RelevanceBreakdown(task_match=0.9, user_satisfaction=0.9, completeness=0.9))


def check(criterion: str, result: object) -> CriterionResult:
    return criterion_check(SuccessCriterion(text=criterion), result)


def checks(result: object, *criteria: str) -> list[CriterionResult]:
    reading = result_read(result)
    return [check(criterion, reading) for criterion in criteria]


def test_scenario_6_evaluate_result_success() -> None:
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    found = checks(result, "Hotel quality >= 7", "Price within budget ($200)", "User confirms")
    assert [(one.criterion, one.met) for one in found] == [
        ("quality >= 7", True),
        ("price <= 200", True),
        ("user confirms", True),
    ]
    assert [one["actual"] for one in found[:2]] == [8, 150]
    assert found[0].path == "hotel_selected.quality"
    evaluation = evaluation_of(found, RELEVANCE)
    assert evaluation.success
    assert evaluation.errors == evaluation.warnings == []
    assert evaluation.completeness_score == 1


def test_scenario_7_evaluate_result_failure() -> None:
    result = {"hotel_selected": Hotel(quality=5, price=80), "user_feedback": "rejected - too low quality"}
    found = checks(result, "Hotel quality >= 7", "User confirms")
    assert [(one.criterion, one.met) for one in found] == [("quality >= 7", False), ("user confirms", False)]
    assert found[0]["actual"] == 5
    evaluation = evaluation_of(found, RELEVANCE)
    assert not evaluation.success
    assert evaluation.errors == ["Quality below threshold (5 < 7)", "User rejected"]


def test_scenario_8_check_single_criterion() -> None:
    found = check("Hotel quality >= 7", {"hotel_quality": 8})
    assert found.met is True
    assert found.actual_value == found["actual_value"] == 8
    assert found.expected_value == ">= 7"
    assert found.explanation == "Quality 8 meets threshold of 7"
    assert found.error is None
    assert found.checked_by == "grammar"


def test_scenario_15_evaluation_with_missing_data() -> None:
    found = checks({"hotel_selected": Bare(quality=8)}, "Hotel has pool", "Hotel quality >= 7")
    assert [(one.criterion, one.met, one.reason) for one in found] == [
        ("pool", None, Reason.DATA_MISSING),
        ("quality >= 7", True, None),
    ]
    evaluation = evaluation_of(found, RELEVANCE)
    assert evaluation.completeness_score == 0.5
    assert evaluation.warnings == ["Cannot verify criterion: pool (missing data)"]
    assert evaluation.success


def test_nothing_verifiable_is_no_success_and_warns() -> None:
    evaluation = evaluation_of(checks({}, "Hotel has pool"), RELEVANCE)
    assert (evaluation.success, evaluation.completeness_score) == (False, 0)
    assert evaluation.warnings == ["Cannot verify criterion: pool (missing data)", NOTHING_VERIFIED]
    assert not evaluation_of([], RELEVANCE).success


def test_sentences_follow_the_criterions_language() -> None:
    assert check("Calidad del hotel >= 7", {"hotel": {"quality": 8}}).explanation == "Calidad 8 alcanza el umbral de 7"
    assert check("Calidad del hotel >= 7", {"calidad": 5}).error == "Calidad por debajo del umbral (5 < 7)"
    assert check("El usuario confirma", {"respuesta": "no, gracias"}).error == "El usuario rechazó"
    assert check("Price <= 200", {"price": 250}).error == "Price above limit (250 > 200)"
    assert check("Quality > 7", {"quality": 7}).error == "Quality below threshold (7 <= 7)"
    for text in ("El hotel tiene piscina", "Hotel has pool"):
        assert warning_of(check(text, {})).startswith("Cannot verify criterion: ")


@each(
    "value", [None, "", "  ", "N/A", "unknown", "TBD", "-", "pendiente", "desconocido", "?", float("nan"), float("inf")]
)
def test_what_says_nothing_is_missing_and_never_false(value: Any) -> None:
    for criterion in ("Price <= 200", "Hotel quality >= 7", "Check-in on 2026-12-15", "Hotel has pool"):
        result = {"hotel": {"price": value, "quality": value, "check_in": value, "pool": value}}
        found = check(criterion, result)
        assert (found.met, found.reason) == (None, Reason.DATA_MISSING), criterion


@each(
    ("criterion", "result", "reason"),
    [
        ("Price <= $200", {"price": "cheap"}, Reason.WRONG_TYPE),
        ("Price <= $200", {"price": True}, Reason.WRONG_TYPE),
        ("Price <= $200", {"price": "150 EUR"}, Reason.UNIT_MISMATCH),
        ("Price <= $200", {"price": 150, "currency": "EUR"}, Reason.UNIT_MISMATCH),
        ("Distance <= 2 km", {"distance": "3 kg"}, Reason.UNIT_MISMATCH),
        ("Price <= 200", {"hotel": {"price": 150}, "flight": {"price": 400}}, Reason.AMBIGUOUS),
        ("Price <= 200", {"hotels": [{"price": 150}, {"price": 400}]}, Reason.AMBIGUOUS),
        ("Price <= 200", {"price": "150-250"}, Reason.AMBIGUOUS),
        ("It feels like home somehow", {"price": 1}, Reason.NOT_UNDERSTOOD),
    ],
)
def test_what_cannot_be_told_says_why(criterion: str, result: object, reason: Reason) -> None:
    found = check(criterion, result)
    assert (found.met, found.reason) == (None, reason)
    assert found.explanation
    assert found.checked_by == ("nobody" if reason is Reason.NOT_UNDERSTOOD else "grammar")


def test_readings_that_disagree_are_both_named() -> None:
    found = check("Price <= 200", {"hotel": {"price": 150}, "flight": {"price": 400}})
    assert "hotel.price" in found.explanation
    assert "flight.price" in found.explanation
    assert check("Price <= 200", {"hotel": {"price": 150}, "flight": {"price": 40}}).met is True


def test_units_and_scales_are_converted() -> None:
    met = {
        "Distance <= 2 km": [{"distance": "800 m"}, {"distance_m": 1900}, {"distance": {"value": 1, "unit": "mi"}}],
        "Duration under 3 hours": [{"duration_min": 150}, {"duration": "2 h 30 min"}],
        "accuracy >= 70%": [{"accuracy": 0.75}, {"accuracy": 75}, {"accuracy_pct": 75}, {"accuracy": "75 %"}],
        "accuracy >= 0.7": [{"accuracy": 0.7}, {"accuracy": 71}, {"accuracy": "8/10"}],
        "Quality >= 7": [{"quality": "8/10"}, {"quality": "8"}, {"quality": 7.0}],
    }
    failed = {
        "Distance <= 2 km": [{"distance_m": 2100}, {"distance": 2.1}],
        "accuracy >= 70%": [{"accuracy": 0.65}, {"accuracy": 65}, {"accuracy_pct": 7}],
    }
    for wanted, table in ((True, met), (False, failed)):
        for criterion, results in table.items():
            assert [check(criterion, one).met for one in results] == [wanted] * len(results), criterion


def test_what_was_selected_counts_and_not_what_was_searched() -> None:
    searched = [{"name": "A", "price": 900}, {"name": "B", "price": 150}]
    for result in (
        {"hotels": searched, "hotel_selected": {"price": 150}},
        {"hotels": searched, "selected": "B"},
        {"hotels": [searched[0], {**searched[1], "selected": True}]},
        {"alternatives": searched, "hotel": {"price": 150}},
        {"rejected_hotels": searched, "booking": {"price": 150}},
        {"request": {"price": 900}, "hotel": {"price": 150}},
    ):
        found = check("Hotel price <= 200", result)
        assert (found.met, found.actual) == (True, 150), result


def test_all_and_any_decide_over_lists() -> None:
    prices = {"hotels": [{"price": 120}, {"price": 250}]}
    failed = check("All hotels cost at most 200", prices)
    assert (failed.met, failed.actual, failed.path) == (False, 250, "hotels[1].price")
    assert check("All hotels cost at most 300", prices).met is True
    assert check("All hotels cost at most 300", {"hotels": [{"price": 120}, {"price": None}]}).met is None
    assert check("At least 2 hotels", prices).met is True


def test_presence_is_read_from_flags_lists_and_texts() -> None:
    there: list[object] = [
        {"pool": True},
        {"has_pool": "yes"},
        {"pools": 2},
        {"amenities": ["wifi", "Swimming pool (heated)"]},
        {"description": "Outdoor pool and spa"},
        {"features": [{"name": "pool", "size": "25 m"}]},
    ]
    absent: list[object] = [
        {"pool": False},
        {"pool": "no"},
        {"no_pool": True},
        {"pool_closed": True},
        {"pool": {"available": False}},
        {"amenities": ["wifi", "gym"]},
        {"description": "No pool, but a garden"},
        {"description": "The pool is closed for the season"},
        {"description": "Hotel sin piscina"},
    ]
    open_: list[object] = [{"pool": None}, {"stars": 4}, {"description": "Near a public pool"}, {"amenities": []}]
    for met, hotels in ((True, there), (False, absent), (None, open_)):
        assert [check("Hotel has pool", {"hotel": one}).met for one in hotels] == [met] * len(hotels)
        turned = None if met is None else not met
        assert [check("Hotel has no pool", {"hotel": one}).met for one in hotels] == [turned] * len(hotels)


def test_a_list_of_that_kind_that_does_not_name_it_says_no_and_tells_so() -> None:
    found = check("Hotel has pool", {"hotel": {"amenities": ["wifi"]}})
    assert (found.met, found.path) == (False, "hotel.amenities")
    assert found.error == "Pool missing: not in the list hotel.amenities"
    assert check("Booking has a confirmation number", {"booking": {"amenities": ["wifi"]}}).met is None


def test_nothing_but_advanced_is_looked_for_among_what_is_recommended() -> None:
    criterion, easy, hard = "No advanced-only resorts recommended", ["beginner", "advanced"], ["advanced"]
    cases: list[tuple[object, bool | None]] = [
        ({"recommendations": [{"levels": easy}, {"levels": hard}]}, False),
        ({"recommendations": [{"levels": easy}, {"levels": easy}]}, True),
        ({"recommendations": [{"levels": easy}, {"name": "B"}]}, None),
        ({"rejected_resorts": [{"levels": hard}], "recommended_resorts": [{"levels": easy}]}, True),
        ({"resort": {"description": "An advanced-only resort"}}, False),
        ({"resort": {"advanced_only": False}}, True),
        ({"resort": {"name": "Vail"}}, None),
    ]
    assert [check(criterion, result).met for result, _ in cases] == [met for _, met in cases]


def test_a_users_own_word_counts_more_than_a_bookings_status() -> None:
    cases: list[tuple[object, bool | None]] = [
        ({"booking": {"status": "confirmed"}, "user_feedback": "no, thanks"}, False),
        ({"booking": {"status": "confirmed"}}, None),
        ({"status": "confirmed"}, True),
        ({"confirmed": True, "user_feedback": "rejected"}, False),
        ({"confirmed": True, "user_feedback": "a lovely photo"}, True),
        ({"user_confirmed": False}, False),
        ({"user": {"decision": "aceptado"}}, True),
        ({"user_feedback": "confirmation pending", "status": "confirmed"}, None),
        ({"user_feedback": None, "status": "confirmed"}, None),
        ({"manager_feedback": "confirmed"}, None),
    ]
    assert [check("User confirms", result).met for result, _ in cases] == [met for _, met in cases]


def test_a_fault_of_ours_costs_this_check_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("evaluation.checking.evaluators.values.NumericThreshold.outcome", broken)
    found = check("Hotel quality >= 7", {"quality": 8})
    assert (found.met, found.reason, found.checked_by) == (None, Reason.CHECK_FAILED, "nobody")
