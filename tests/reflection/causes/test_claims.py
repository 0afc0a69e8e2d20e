"""What reflections from facts may claim and demand: what was in force, what was asked, each step changed once."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from benchmarks.planted import DEVELOPMENT, HELD_OUT, MORE, failures_of
from planning.contracts import CriterionSource, SuccessCriterion
from planning.criteria import CriterionParse
from planning.experience import adjustment_parse
from reflection.causes import CauseKind, cause_of, reflection_of
from reflection.contracts import Metric, PatternFound, PatternState
from reflection.contracts.failure import Failure
from tests.each import each
from tests.reflection.causes.test_rules import failure_made
from tests.reflection.causes_worded import adjustments_of, analysis_of, learning_of

FIRST = ("Change priority from price to quality", "Add constraint: quality >= 7")
PATTERN = PatternFound(
    text="quality falls short", outcome="fails:quality >= 7", support=5, total=5, state=PatternState.ESTABLISHED
)


def test_what_was_set_after_the_plan_was_made_is_not_called_in_force() -> None:
    failure = failure_made(since=FIRST)
    cause = cause_of(failure)
    analysis = analysis_of(cause, failure)
    assert cause.kind is CauseKind.PRIORITY_AGAINST
    assert "in force" not in analysis
    assert "this plan was made without it" in analysis


def test_a_remedy_that_has_not_reached_the_plan_is_no_reason_for_a_firmer_one() -> None:
    failure = failure_made(since=FIRST)
    for attempt in (1, 2, 3):
        reflection = reflection_of(failure, [PATTERN], frozenset((Metric.NOVELTY,)), attempt)
        assert tuple(reflection.strategy_adjustments) == FIRST
        assert "earlier reflection" not in reflection.analysis, "nothing is made up to pass as new"


def test_what_the_plan_says_or_holds_is_in_force() -> None:
    applied = failure_made(adjustments=FIRST)
    held = failure_made(since=FIRST[1:], constraints=["quality >= 7"])
    for failure in (applied, held):
        cause = cause_of(failure)
        assert cause.kind is CauseKind.NO_HELP
        assert "quality >= 7" in cause.parts["adjustment"]
        assert "made without it" not in analysis_of(cause, failure)


def test_a_remedy_on_the_way_comes_again_while_the_one_before_did_not_help() -> None:
    second = ["Change 'Select best hotel' to 'Select best hotel after checking quality'"]
    failure = failure_made(adjustments=FIRST, since=second)
    cause = cause_of(failure)
    assert cause.kind is CauseKind.NO_HELP
    assert second[0] in adjustments_of(cause, failure, [])
    assert "checked" not in cause.parts


def test_checks_that_were_in_force_are_another_finding() -> None:
    first = failure_made(adjustments=FIRST)
    rounds = [*FIRST, *adjustments_of(cause_of(first), first, [])]
    failure = failure_made(adjustments=rounds)
    cause = cause_of(failure)
    assert "checking quality" in cause.parts["checked"]
    assert "Ask user again" in " ".join(adjustments_of(cause, failure, []))
    assert "ask" in learning_of(cause, failure)


def _planted() -> Iterator[tuple[str, Failure]]:
    for name in (HELD_OUT, MORE, DEVELOPMENT):
        yield from ((row["id"], failure) for row, failure in failures_of(name))


@pytest.mark.hard
@pytest.mark.django_db
def test_no_adjustment_demands_more_than_was_asked_in_either_language_or_direction() -> None:
    """Of a field that a criterion bounds, an adjustment names no other number, at any rung."""
    beyond = []
    for row, failure in _planted():
        asked = [one.parse for one in failure.plan.success_criteria if one.parse]
        for attempt, patterns in ((1, []), (3, [PATTERN])):
            fallen = frozenset((Metric.NOVELTY, Metric.ACTIONABILITY)) if attempt > 1 else frozenset[Metric]()
            for text in reflection_of(failure, patterns, fallen, attempt).strategy_adjustments:
                found = _bound(text)
                same = [one for one in asked if found and one.field == found.field]
                if found and not any(one.value == found.value for one in same):
                    beyond.append((row, text))
    assert beyond == []


def _bound(text: str) -> CriterionParse | None:
    adjustment = adjustment_parse(text)
    if adjustment is None or adjustment.setting != "constraint" or adjustment.operation.value == "remove":
        return None
    parse = SuccessCriterion(text=str(adjustment.value)).parse
    return parse if parse and isinstance(parse.value, int | float) and not isinstance(parse.value, bool) else None


@pytest.mark.parametrize(
    ("criterion", "result"),
    [
        ("Price <= 200", {"hotel": {"name": "Palais", "price": 205}, "user_feedback": "rejected"}),
        ("Calidad >= 7", {"hotel": {"nombre": "Sol", "calidad": 5}, "comentario": "rechazado"}),
        ("Noise <= 40", {"hotel": {"name": "Palais", "noise": 70}, "user_feedback": "rejected, too noisy"}),
    ],
    ids=["near miss", "Spanish", "a wish"],
)
def test_round_after_round_the_limit_stays_and_no_step_is_changed_twice(criterion: str, result: Any) -> None:
    tried: list[str] = []
    for _ in range(7):
        failure = failure_made(result, [criterion], adjustments=tried)
        texts = adjustments_of(cause_of(failure), failure, [PATTERN])
        assert texts
        tried += [text for text in texts if text not in tried]
    numbers = {float(one) for text in tried for one in re.findall(r"[<>]= (\d+(?:\.\d+)?)", text)}
    assert numbers <= {float(criterion.split()[-1])}
    assert len(tried) < 10, "the rungs are used up"
    _assert_no_step_changed_twice(tried)


def _assert_no_step_changed_twice(texts: list[str]) -> None:
    edits = [one for text in texts if (one := adjustment_parse(text)) and one.setting == "steps"]
    new = [str(one.value).lower() for one in edits]
    old = [str(one.previous).lower() for one in edits]
    assert len(set(old)) == len(old)
    assert not [
        text
        for text in old
        if any(text in other or other in text for other in new if other != text)
        and any(text.startswith(other) for other in new)
    ]
    assert not [text for text in new if text.count("check quality") > 1 or "check every step" in text]


def test_when_everything_was_tried_it_is_said() -> None:
    tried: list[str] = list(FIRST)
    for _ in range(6):
        failure = failure_made(adjustments=tried)
        texts = adjustments_of(cause_of(failure), failure, [])
        tried += [text for text in texts if text not in tried]
    reflection = reflection_of(failure_made(adjustments=tried), [])
    assert len(reflection.strategy_adjustments) == 1
    assert "Every remedy on hand" in reflection.analysis


SPANISH: dict[str, tuple[str, Any]] = {
    "singular": ("Calidad >= 7", {"calidad": 4.5}),
    "plural": ("Comensales == 4", {"comensales": 2}),
    "feminine": ("Duración <= 2,5 h", {"duracion": "3,5 h"}),
    "maximum": ("Precio <= 1.250 €", {"precio": "1.400 €", "calidad": 9}),
    "minimum": ("Páginas >= 10", {"paginas": 3}),
}


@each("name", sorted(SPANISH))
def test_spanish_names_fields_in_quotes_and_numbers_as_spanish_does(name: str) -> None:
    criterion, result = SPANISH[name]
    field = criterion.split()[0].lower()
    failure = failure_made(
        result,
        [criterion],
        task="Reservar mesa en Sevilla",
        priority="precio" if name != "maximum" else "calidad",
        steps=("Buscar sitios en Sevilla", "Elegir el mejor sitio", "Confirmar con el usuario"),
        metadata={"language": "es"},
    )
    cause = cause_of(failure)
    said = f"{analysis_of(cause, failure)} {learning_of(cause, failure)}"
    outside = re.sub(r"«[^»]*»", "", said).lower()
    for bare in (rf"se \w+ {field}\b", rf"falta {field}\b", rf"\b(?:de|con|en) {field}\b"):
        assert not re.search(bare, outside), said
    plain = outside.partition("este tipo de tarea necesita")[0]  # what follows is a condition that planning reads
    assert not re.search(r"(?<![\w.,])\d+\.\d{1,2}(?![\d.])", plain), said
    assert "faltaba" not in said
    assert "1.25 " not in said


def test_only_what_is_counted_alike_is_added_up() -> None:
    laptop = {"laptop": "Zen 14", "cost": 1350, "ram": 16, "delivery_days": 3}
    own = SuccessCriterion(text="Price <= 900", source=CriterionSource.GIVEN)
    failure = failure_made({**laptop, "price": 1369}, [own], task="Buy a laptop")
    assert cause_of(failure).kind is not CauseKind.PART_OVERRAN
    failure = failure_made(
        {"total_price": 1400, "parts": {"flight": 1100, "hotel": 250, "bus": 50, "nights": 3}}, [own]
    )
    cause = cause_of(failure)
    assert (cause.kind, cause.parts["part"], cause.parts["rest"]) == (CauseKind.PART_OVERRAN, "flight", "300")
    assert not [text for text in adjustments_of(cause, failure, []) if "<= " in text and "<= 900" not in text]
    mixed = {"total_price": "1400 USD", "parts": {"flight": "1100 EUR", "hotel": "300 USD"}}
    assert cause_of(failure_made(mixed, ["Price <= 900 USD"])).kind is not CauseKind.PART_OVERRAN


@pytest.mark.parametrize(
    ("criteria", "result", "about"),
    [
        (["Quality >= 7"], {"quality": 5, "user_feedback": "rejected - too low quality"}, "quality >= 7"),
        (["Comensales == 4"], {"comensales": 2, "comentario": "rechazado, somos cuatro"}, "comensales == 4"),
        (
            ["Price <= 100", "Distance <= 2 km"],
            {"price": 190, "distance": "3 km", "feedback": "rejected, the distance is too big"},
            "distance <= 2 km",
        ),
        (["Comensales == 4"], {"restaurante": "Sol", "comentario": "rechazado, somos cuatro"}, "comensales == 4"),
    ],
    ids=["quality", "how many", "by its name", "nothing known of it"],
)
def test_a_reason_in_the_refusal_is_evidence_for_the_criterion_it_names(
    criteria: list[str], result: Any, about: str
) -> None:
    spanish = "comentario" in result
    verdict = "El usuario confirma" if spanish else "User confirms"
    failure = failure_made(result, [*criteria, verdict], metadata={"language": "es" if spanish else "en"})
    cause = cause_of(failure)
    reason = str(result.get("comentario") or result.get("user_feedback") or result.get("feedback"))
    assert cause.about.casefold() == about
    assert reason in [fact.value for fact in cause.facts]
    assert reason in analysis_of(cause, failure)
