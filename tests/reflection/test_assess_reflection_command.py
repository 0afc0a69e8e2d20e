"""`manage.py assess_reflection`: reflections of a file before the gate."""

from typing import Any

import pytest

from tests.operations.batch import as_lines, run_here

GOOD = {
    "analysis": (
        "My price-first strategy was the wrong approach for this hotel in Paris: the user wanted quality, and it took"
        " the cheapest one."
    ),
    "strategy_adjustments": ["Change priority from price to quality", "Add constraint: quality >= 7"],
    "learning": "Search hotels by quality first where it is asked for; this prevents that a cheap one is rejected.",
    "task": "Book hotel in Paris",
}
SPANISH = {
    "analysis": (
        "Mi estrategia de ordenar hoteles por precio entra en conflicto con la calidad que pedía el usuario para París,"
        " y eligió el más barato."
    ),
    "strategy_adjustments": ["Cambiar la prioridad de precio a calidad", "Añadir restricción: calidad >= 7"],
    "learning": "Buscar hoteles por calidad cuando el usuario la pide evita que rechace los que solo son baratos.",
    "task": "Reservar hotel en París",
}
PATTERN = "cheap hotel rejected"
FAILED = [
    {"content": f"Booked a cheap hotel in {city}: rejected, too low quality", "outcome": "failure"}
    for city in ("Paris", "Lyon", "Nice")
]


def row(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


ROWS: dict[str, Any] = {
    "good": row(id="kept by the file"),
    "spanish": SPANISH,
    "vague": {"analysis": "It failed", "strategy_adjustments": ["Do better next time"], "task": "Book hotel"},
    "empty": {},
    "nulls": row(patterns_identified=None, task=None, episodes=None, existing_reflections=None),
    "said before": row(existing_reflections=[{"analysis": GOOD["analysis"], "learning": GOOD["learning"]}]),
    "said before, as a text": row(existing_reflections=[f"{GOOD['analysis']} {GOOD['learning']}"]),
    "another task": row(task="Write unit tests for the invoice parser"),
    "no such setting": row(strategy_adjustments=["Set weather = sunny"]),
    "patterns wanted": row(episodes=FAILED),
    "patterns not wanted yet": row(episodes=FAILED[:2]),
    "other failures": row(episodes=["The tax return was filed late", "Gym class missed", "Soup too salty"]),
    "pattern borne out": row(episodes=FAILED, patterns_identified=[PATTERN]),
    "pattern of texts": row(episodes=[one["content"] for one in FAILED], patterns_identified=[PATTERN]),
    "pattern of too few": row(episodes=FAILED[:2], patterns_identified=[PATTERN]),
    "pattern that ended well": row(
        episodes=[*FAILED, {"content": "A cheap hotel, not rejected", "outcome": True}],
        patterns_identified=[PATTERN],
    ),
    "pattern of summaries": row(
        episodes=[{name: one["content"]} for name, one in zip(("text", "summary", "content"), FAILED, strict=True)],
        patterns_identified=[PATTERN],
    ),
    "pattern that ended well by metadata": row(
        episodes=[*FAILED, {"text": "A cheap hotel, not rejected", "metadata": {"outcome": "success"}}],
        patterns_identified=[PATTERN],
    ),
    "pattern of nobody knows what": row(patterns_identified=[PATTERN]),
    "pattern of none": row(patterns_identified=[PATTERN], episodes=[]),
    "many episodes": row(episodes=[*FAILED, *["Soup too salty again"] * 60], patterns_identified=[PATTERN]),
    "number": {"analysis": 5},
    "episode": row(episodes=["x", {"outcome": "failure"}]),
    "earlier": row(existing_reflections=[7]),
    "adjustments": row(strategy_adjustments="Remove step 2"),
}
Judged = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def answered() -> Judged:
    """What the command says of each row of one file, by name."""
    return dict(zip(ROWS, run_here("assess_reflection", source=as_lines(*ROWS.values())), strict=True))


@pytest.fixture(scope="module")
def judged(answered: Judged) -> Judged:
    """Without the rows that could not be read."""
    return {name: one for name, one in answered.items() if "error" not in one}


def test_bad_rows_name_the_place_and_the_others_are_judged(answered: Judged, judged: Judged) -> None:
    assert {name: one["error"] for name, one in answered.items() if "error" in one} == {
        "number": "analysis should be a valid string",
        "episode": "episodes[1].content is missing",
        "earlier": "existing_reflections[0] should be an object",
        "adjustments": "strategy_adjustments should be a valid array",
    }
    assert {frozenset(one) for one in judged.values()} == {
        frozenset({"decision", "quality_score", "metrics", "violations"})
    }


def test_decisions_come_in_the_order_of_the_rows(judged: Judged) -> None:
    accepted = {
        "good", "spanish", "nulls", "patterns not wanted yet", "other failures", "pattern borne out",
        "pattern of texts", "pattern of summaries", "pattern of nobody knows what",
    }  # fmt: skip
    assert {name for name, one in judged.items() if one["decision"] == "accepted"} == accepted
    assert {name for name, one in judged.items() if one["decision"] == "rejected"} == {"vague", "empty"}
    assert {name for name in accepted if judged[name]["violations"]} == set()


def test_violations_say_what_falls_short(judged: Judged) -> None:
    firsts = {name: [said.split(":")[0] for said in one["violations"]] for name, one in judged.items()}
    assert firsts["said before"] == firsts["said before, as a text"] == ["Nothing new"]
    assert firsts["another task"] == ["Irrelevant reflection"]
    assert firsts["no such setting"] == ["Not executable"]


def test_patterns_are_held_against_the_episodes_of_their_row(judged: Judged) -> None:
    assert judged["patterns wanted"]["violations"] == [
        "Incomplete reflection: 0.75 < 0.9. Missing fields: ['patterns_identified']"
    ]
    for name in ("pattern of too few", "pattern of none"):
        assert judged[name]["violations"] == [f"Invalid pattern '{PATTERN}': confidence=0.00 < 0.75"]
    for name in ("pattern that ended well", "pattern that ended well by metadata"):
        assert judged[name]["violations"] == [f"Invalid pattern '{PATTERN}': false positives=0.25 > 0.1"]
    assert judged["many episodes"]["metrics"]["pattern_validity"] == 0.06  # of the fifty nearest


def test_what_nothing_is_known_of_is_left_out_of_the_metrics(judged: Judged) -> None:
    assert "relevance_score" not in judged["nulls"]["metrics"]
    assert "pattern_validity" not in judged["pattern of nobody knows what"]["metrics"]
