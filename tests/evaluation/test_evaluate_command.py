"""`manage.py evaluate`: results of a file."""

from typing import Any

from tests.operations.batch import as_lines, run_here


def row(*criteria: str, **result: Any) -> dict[str, Any]:
    return {"task": "Book hotel in Paris", "success_criteria": list(criteria), "execution_result": result}


def test_results_are_evaluated_in_order_and_bad_rows_name_the_place() -> None:
    hotel = {"quality": 8, "price": 150}
    rows = [
        row("Hotel quality >= 7", "Price <= 200", "User confirms", hotel=hotel, user_feedback="confirmed"),
        row("Hotel quality >= 7", "User confirms", hotel={"quality": 5}, user_feedback="rejected - too low quality"),
        row("Hotel has pool", "Hotel quality >= 7", hotel_selected=hotel) | {"id": "kept by the file"},
        row(),
        row("Hotel has pool", ""),
        row("Hotel has pool", "x" * 501),
        row(*["Hotel has pool"] * 51),
        {"task": "Book", "success_criteria": ["Hotel has pool"]},
        row("Precio como máximo 100 euros", hotel={"precio": "120 €"}),
    ]
    met, failed, partly, *bad, spanish = run_here("evaluate", source=as_lines(*rows))
    assert (met["success"], met["relevancy_score"], met["completeness_score"]) == (True, 1.0, 1.0)
    assert "id" not in met
    assert "plan_id" not in met
    assert failed["errors"] == ["Quality below threshold (5 < 7)", "User rejected"]
    assert failed["relevancy_score"] < 0.5
    assert partly["completeness_score"] == 0.5
    assert partly["warnings"] == ["Cannot verify criterion: pool (missing data)"]
    assert partly["criteria_met"][0]["reason"] == "data_missing"
    places = [
        "success_criteria ",
        "success_criteria[1] ",
        "success_criteria[1] ",
        "success_criteria ",
        "execution_result ",
    ]
    assert [one["error"].startswith(place) for one, place in zip(bad, places, strict=True)] == [True] * len(places)
    assert spanish["errors"] == ["Precio por encima del límite (120 € > 100)"]
