"""Features of episodes: what they were like and how they ended, whatever language they are in."""

import json

from reflection.patterns import features_of
from tests.reflection.past_made import evaluated, features, planned

ASKED = (
    ("Hotel quality >= 7", False),
    ("Price within budget ($200)", True),
    ("User confirms", False),
    ("has pool", None),
)
PEDIDO = (
    ("Calidad del hotel >= 7", False),
    ("Precio <= 200 euros", True),
    ("El usuario confirma", False),
    ("tiene piscina", None),
)


def test_an_episode_has_its_circumstances_and_its_outcomes() -> None:
    found = features(*ASKED, constraints=["price <= 200"], applied_adjustments=["r1: priority=quality"])
    assert found == {
        "priority=price", "source=template", "language=en", "adjusted:priority=quality",
        "constraint:price <= 200", "constrained:price", "unconstrained:quality",
        "asks:quality", "asks:price", "asks:pool",
        "fails:quality >= 7", "fails:quality", "meets:price <= 200", "rejected", "missing:pool",
    }  # fmt: skip


def test_spanish_and_english_have_the_same_features() -> None:
    english = features(*ASKED, priority="price", constraints=["price <= 200"])
    spanish = features(*PEDIDO, priority="precio", constraints=["precio <= 200"], language="es")
    assert english ^ spanish == {"language=en", "language=es"}


def test_two_spellings_of_a_criterion_are_one() -> None:
    pairs = [
        ("No more than 3 hints", "No más de 3 pistas", "fails:hint <= 3"),
        ("score at least 70%", "nota de al menos 70 %", "fails:score >= 70 %"),
        ("Learner finishes", "El alumno termina", "fails:finish"),
        ("has wifi or pool", "tiene piscina o wifi", "fails:pool or wifi"),
        ("Accuracy >= 0.7", "PRECISION >= 0.7", "fails:accuracy >= 0.7"),
        ("distance between 10 and 20 km", "distancia entre 10 y 20 km", "fails:distance between 10 and 20 km"),
        ("manager approves", "el jefe aprueba", "rejected"),
        ("The Mood is  warm", "the mood is warm", "fails:the mood is warm"),
    ]
    differing = {one: (features((one, False)), features((other, False), language="en")) for one, other, _ in pairs}
    assert {one: found for one, found in differing.items() if found[0] != found[1]} == {}
    assert [wanted for one, _, wanted in pairs if wanted not in differing[one][0]] == []


def test_another_threshold_is_the_same_kind_of_failure_and_one_of_its_own() -> None:
    seven, eight = features(("quality >= 7", False)), features(("quality >= 8", False))
    assert {one for one in seven & eight if one.startswith("fails")} == {"fails:quality"}
    assert {"fails:quality >= 7"} == seven - eight


def test_features_are_few_and_short_whatever_the_plan_says() -> None:
    hostile = ["\x00\x1b quality", "x" * 500, "; DROP TABLE" * 40, "a: b=c:d >= 7", "¿ñ? ≥ ∞", " . "]
    checks = [(f"{text[:490]} {number}", number % 2 == 0) for number, text in enumerate(hostile * 8)]
    plan = planned(
        *checks, priority="p" * 300, constraints=hostile, settings={f"s{n}": "v" * 900 for n in range(60)},
        applied_adjustments=hostile * 30,
    )  # fmt: skip
    found = features_of(plan, evaluated(*checks))
    assert len(found) <= 40
    assert max(map(len, found)) <= 120
    assert all(one.isprintable() for one in found)
    json.dumps(sorted(found)).encode()
    assert any(one.startswith("fails:") for one in found)


def test_long_criteria_that_begin_alike_stay_apart() -> None:
    first, second = (features((f"{'the report covers the budget and ' * 6}{end}", False)) for end in ("sales", "costs"))
    assert first != second


def test_nothing_asked_has_no_outcome() -> None:
    assert features() == {"priority=price", "source=template", "language=en"}
