"""What is of one task alone stays with it, and what is nobody's business is not said."""

from typing import Any

import pytest

from accounts.models import User
from evaluation.layer import EvaluationLayer
from planning.layer import PlanningLayer
from reflection.causes import CauseKind, cause_of, reflection_of
from reflection.causes.detect.reading import Case
from reflection.causes.detect.task_specific import is_task_specific
from reflection.contracts import Metric
from reflection.layer import ReflectionLayer
from reflection.redaction import has_secrets, redact
from tests.reflection.causes.test_claims import PATTERN
from tests.reflection.causes.test_rules import STEPS, failure_made
from tests.reflection.causes_worded import adjustments_of, analysis_of, learning_of

CONTRADICTING: dict[str, tuple[str, str, dict[str, Any], str, str]] = {
    "flight": (
        "Book a flight from Madrid to Berlin under 150 euros",
        "Price <= 150 EUR",
        {"flight": {"price": "240 EUR", "stops": 1}, "user_feedback": "rejected - too expensive"},
        "Book a flight from Lima to Tokyo under 1500 euros",
        "150",
    ),
    "trip": (
        "Book a trip to Lisbon with budget 600",
        "Cost <= 600",
        {"trip": {"hotel": "Sol", "cost": 900}, "user_feedback": "rejected - costs too much"},
        "Book a trip to Sydney with budget 4000",
        "600",
    ),
    "Spanish": (
        "Reservar un hotel en Sevilla por menos de 90 euros",
        "Precio <= 90 €",
        {"hotel": {"nombre": "Sol", "precio": 130}, "comentario": "rechazado, es muy caro"},
        "Reservar un hotel en Tokio por menos de 900 euros",
        "90",
    ),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(CONTRADICTING))
@pytest.mark.parametrize("passed", [True, False], ids=["criteria passed", "criteria read"])
def test_a_sum_of_one_task_reaches_no_plan_for_another(learner: User, name: str, *, passed: bool) -> None:
    task, criterion, result, later, number = CONTRADICTING[name]
    plan = PlanningLayer().create_plan(task, learner.pk, criteria=[criterion] if passed else None)
    evaluation = EvaluationLayer().evaluate_result(plan, result)
    assert not evaluation.success
    reflection = ReflectionLayer().reflect_on_result(plan, evaluation, result=result)
    assert reflection.strategy_adjustments
    bare = [number, *[f"{number}.0", f"{number},0"]]
    said = " ".join((*reflection.strategy_adjustments, reflection.learning)).replace("€", " ").split()
    assert not set(said) & set(bare), said
    following = PlanningLayer().create_plan(later, learner.pk)
    shaped = " ".join((*following.constraints, *(one.normal for one in following.success_criteria))).split()
    assert not set(shaped) & set(bare), shaped


def test_no_rung_of_any_attempt_binds_others_to_the_sum_of_one_task() -> None:
    task = "Book a hotel in Paris for 2 guests under $1,200, quiet, before December 5"
    criteria = ("Price <= 1200", "Noise <= 40", "Quality >= 7")
    result = {"hotel": {"name": "Palais", "price": 1900, "noise": 30, "quality": 8}, "user_feedback": "rejected"}
    tried: list[str] = []
    for _ in range(6):
        failure = failure_made(result, criteria, task=task, priority="quality", adjustments=tried)
        for attempt in (1, 2, 3):
            fallen = frozenset((Metric.NOVELTY, Metric.ACTIONABILITY)) if attempt > 1 else frozenset[Metric]()
            reflection = reflection_of(failure, [PATTERN], fallen, attempt)
            said = " ".join((*reflection.strategy_adjustments, reflection.learning))
            assert "1200" not in said.replace(",", "")
            tried += [one for one in reflection.strategy_adjustments if one not in tried]


STANDING = {
    ("Book a trip to Lisbon with budget 600", "cost <= 600"): True,
    ("Buy a laptop for 1.500 euros", "price <= 1500"): True,
    ("Buy a laptop for at most 1.5k", "price <= 1500"): True,
    ("Rent a flat for 2 thousand a month", "rent <= 2000"): True,
    ("Write a report in two pages", "pages <= 2"): True,
    ("Find a train under 2.5 hours", "duration <= 150 minutes"): True,
    ("Reach 90 % coverage", "coverage >= 90 %"): True,
    ("Buy an Italian dinner", "cuisine == italian"): True,
    ("Book hotel with parking", "has parking"): True,
    ("Book hotel in Paris", "quality >= 7"): False,
    ("Book hotel in Paris for 7 nights", "quality >= 7"): False,
    ("Cook dinner for 4 people at 8 pm", "taste >= 8"): False,
    ("Book hotel in Paris under 1500", "price <= 150"): False,
    ("Book hotel in Paris", "has parking"): False,
    ("Reservar una mesa en Lima", "errores <= 1"): False,
    ("", "price <= 5"): False,
}


def test_what_stands_in_a_task_is_known_by_its_value() -> None:
    wrong = []
    for (task, condition), expected in STANDING.items():
        seen = Case(failure_made(task=task or "Book hotel"))
        if is_task_specific(seen, condition) is not expected:
            wrong.append((task, condition))
    assert wrong == []


SECRETS = {
    "rejected because quality is bad; my password is hunter2": "hunter2",
    "rejected, bad quality, write to ana.perez@example.com": "ana.perez",
    "rejected, low quality, call +34 612 345 678": "345",
    "rejected, low quality, call 612345678": "612345678",
    "rejected, low quality, call (555) 123-4567": "123-4567",
    "rejected: bad quality. Refund to ES91 2100 0418 4502 0005 1332": "2100",
    "rejected: bad quality. Refund to es9121000418450200051332": "04184502",
    "rejected: bad quality, paid by 4111 1111 1111 1111": "4111",
    "rejected: bad quality, the PIN is 4821": "4821",
    "rejected: bad quality, API key = zebra-9": "zebra",
    "rechazado por mala calidad; mi contraseña es perro verde": "perro",
    "rechazado por mala calidad, el token es abracadabra": "abracadabra",
    "rechazado por mala calidad; mi clave: sésamo": "sésamo",
    "rechazado por mala calidad, DNI 12345678Z": "12345678",
}


def test_secrets_are_quoted_nowhere_in_a_reflection() -> None:
    told = []
    for feedback, secret in SECRETS.items():
        spanish = feedback.startswith("rechazado")
        language = {"language": "es" if spanish else "en"}
        field = "Calidad" if spanish else "Quality"
        rows: list[tuple[Any, dict[str, Any]]] = [
            ({"calidad" if spanish else "quality": 5, "user_feedback": feedback}, {}),
            ({"quality": 8, "calidad": 8, "user_feedback": feedback}, {}),
            ({"status": f"failed: {feedback}", "quality": 0, "calidad": 0}, {}),
            ({"options": [{"name": feedback, "quality": 9, "calidad": 9}], "quality": 5, "calidad": 5}, {}),
            ({"quality": 5, "calidad": 5}, {"task": f"Book hotel in Paris ({feedback})"}),
            ({"quality": 5, "calidad": 5}, {"steps": (*STEPS[:2], f"Select hotel, {feedback}", *STEPS[3:])}),
        ]
        for result, plan in rows:
            failure = failure_made(result, [f"{field} >= 7", "User confirms"], metadata=language, **plan)
            for attempt in (1, 2, 3):
                reflection = reflection_of(failure, [PATTERN], frozenset((Metric.NOVELTY,)), attempt)
                said = " ".join((reflection.analysis, reflection.learning, *reflection.strategy_adjustments))
                if secret in said:
                    told.append((secret, said))
            if any(secret in fact.value for fact in cause_of(failure).facts):
                told.append((secret, "a fact"))
    assert told == []


def test_what_is_no_secret_is_left_as_it_is() -> None:
    plain = (
        "rejected - too low quality",
        "password reset was slow",
        "the login page is slow",
        "the mobile phone costs 900 euros",
        "la clave es la calidad",
        "an account for 2500 people",
        "from 2026-12-05 2026-12-07",
        "1.250.000 euros",
        "card games for 12 people",
    )
    assert [text for text in plain if has_secrets(text) or redact(text) != text] == []


def test_what_fails_although_it_comes_first_is_no_by_product() -> None:
    for language, task in (("en", "Cook dinner for friends"), ("es", "Cocinar una cena para amigos")):
        field = {"en": "Taste", "es": "Sabor"}[language]
        failure = failure_made(
            {field.lower(): 4}, [f"{field} >= 8"], task=task, priority=field.lower(), metadata={"language": language}
        )
        cause = cause_of(failure)
        said = analysis_of(cause, failure)
        assert cause.kind is CauseKind.NOT_HELD
        assert not any(one in said for one in ("by-product", "de paso", "por sí solo", "by itself", "trabaja para"))


def test_a_verdict_is_not_the_name_of_something_to_be_looked_at() -> None:
    for criterion, feedback in (("User confirms", "rejected"), ("El usuario confirma", "rechazado")):
        language = "es" if feedback == "rechazado" else "en"
        failure = failure_made({"user_feedback": feedback}, [criterion], metadata={"language": language})
        cause = cause_of(failure)
        said = " ".join((analysis_of(cause, failure), learning_of(cause, failure), *adjustments_of(cause, failure, [])))
        assert criterion.casefold() not in said.casefold()


def test_a_conflict_needs_one_on_record() -> None:
    failure = failure_made({"word_count": 1400}, ["Word count <= 800"], task="Write a report", priority="quality")
    cause = cause_of(failure)
    assert cause.kind is not CauseKind.PRIORITY_AGAINST
    assert "conflicting" not in analysis_of(cause, failure)


def test_a_reason_that_the_user_names_comes_before_a_guess() -> None:
    feedback = "rejected, the plumber was rude and unreliable"
    result = {"duration": "3 h", "price": 80, "user_feedback": feedback}
    criteria = ["Duration <= 2 h", "Price <= 200", "User confirms"]
    failure = failure_made(result, criteria, task="Find a plumber", priority=None)
    cause = cause_of(failure)
    analysis = analysis_of(cause, failure)
    assert cause.kind is CauseKind.UNMEASURED_WISH
    assert feedback in analysis
    assert "can be measured held" not in analysis, "one did not"


def test_a_changed_step_keeps_its_words_where_they_fit() -> None:
    for language, step in (("en", "Choose the plumber"), ("es", "Elegir al fontanero")):
        failure = failure_made(
            {"quality": 5, "price": 300},
            ["Quality >= 7", "Price <= 200"],
            task={"en": "Fix the tap", "es": "Arreglar el grifo"}[language],
            priority=None,
            steps=("Compare plumbers", step, "Confirm with user"),
            metadata={"language": language},
        )
        cause = cause_of(failure)
        texts = [one for one in adjustments_of(cause, failure, []) if f"'{step}'" in one]
        assert cause.kind is CauseKind.TRADE_OFF
        assert texts
        assert all(one.casefold().count(step.casefold()) == 2 for one in texts)


def test_a_number_that_fell_short_is_less_and_what_is_learned_says_what_to_apply() -> None:
    failure = failure_made(
        {"calidad": 6, "precio": 80},
        ["Calidad >= 7", "Precio <= 200"],
        task="Reservar hotel en París",
        metadata={"language": "es"},
    )
    cause = cause_of(failure)
    assert " % menos)" in analysis_of(cause, failure)
    assert not learning_of(cause, failure).startswith("Se aplica")
    english = failure_made()
    assert "Apply it" not in learning_of(cause_of(english), english)
