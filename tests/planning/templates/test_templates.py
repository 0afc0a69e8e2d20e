import re

import pytest
from django.utils import translation

from language.detect import language_of
from planning.contracts import CriterionSource, Plan
from planning.templates import config_of, criteria_of, desired_result_of, steps_of, task_types
from planning.templates.files import Template, template_of, templates
from planning.understanding import task_read

# What any type must be able to say: everything filled, nothing filled, and what is awkward to fill in.
TASKS = {
    "en": (
        "Book a quiet hotel in New York from May 3 to May 7 for 2 adults under $200 with pool for my sister at 8pm",
        "Do it",
        "Learn to juggle",
        "Where should we go?",
        "O'Brien's \"flat\" [in the Alps] {now} | 100 % (€5)",
        "the " + "very " * 300 + "long task",
    ),
    "es": (
        "Reservar un hotel tranquilo en la Habana del 3 al 7 de mayo para 2 adultos por menos de 200 € con piscina",
        "Hazlo tú",
        "Aprender a hacer malabares",
        "¿Adónde vamos este verano?",
        "El piso de mi abuela [en los Alpes] {ya} | 100 % (5 €)",
        "la " + "muy " * 300 + "larga tarea",
    ),
}


def _texts(plan: Plan) -> list[str]:
    steps = [text for step in plan.steps for text in (step.description, step.expected_output)]
    return [*steps, *plan.desired_result.user_has, *plan.desired_result.system_shows]


def _plan(task: str, task_type: str) -> Plan:
    reading = task_read(task, task_type)
    return Plan(
        task=reading.task,
        steps=steps_of(reading),
        desired_result=desired_result_of(reading),
        success_criteria=criteria_of(reading, ["avoid noise", "vegetariana"]),
        config=config_of(reading),
    )


def _faults(task: str, task_type: str, language: str) -> list[str]:
    plan = _plan(task, task_type)
    faults = []
    if [step.order for step in plan.steps] != list(range(1, len(plan.steps) + 1)):
        faults.append("orders")
    if any(one >= step.order or one < 1 for step in plan.steps for one in step.dependencies):
        faults.append("dependencies")
    if not all(step.expected_output and step.description for step in plan.steps):
        faults.append("a step without words")
    if not any(one.measurable for one in plan.success_criteria):
        faults.append("nothing to measure")
    if len({one.text for one in plan.success_criteria}) != len(plan.success_criteria):
        faults.append("a criterion twice")
    if "{" not in task:  # these signs are the template's then
        faults += [f"not filled: {text}" for text in _texts(plan) if re.search(r"[{}\[\]]|\s{2}|\s[,.)]|\( | $", text)]
    faults += [f"begins small: {text}" for text in _texts(plan) if text[0] != text[0].upper()]
    usual = [one.text for one in plan.success_criteria if one.source is CriterionSource.TEMPLATE]
    if language_of(" ".join([*_texts(plan), *usual])) != language:
        faults.append("language")
    return [f"{task_type}, {task[:40]!r}: {fault}" for fault in faults]


def test_every_type_makes_a_whole_plan_of_any_task_in_both_languages() -> None:
    faults = [
        fault
        for task_type in task_types()
        for language, tasks in TASKS.items()
        for task in tasks
        for fault in _faults(task, task_type, language)
    ]
    assert faults == []


def test_every_criterion_of_the_templates_is_understood() -> None:
    told = {
        (name, language, one.text): one.measurable
        for name in task_types()
        for language, task in (("en", "Do it"), ("es", "Hazlo tú"))
        for one in criteria_of(task_read(task, name), [])
    }
    assert [key for key, measurable in told.items() if not measurable] == []


def test_scenario_1_desired_result_of_a_hotel_booking() -> None:
    reading = task_read("Book hotel in Paris")
    wanted = desired_result_of(reading)
    assert "User has: Confirmed hotel reservation" in wanted.user_has
    assert "System shows: Booking confirmation" in wanted.system_shows
    assert any("Paris" in text for text in wanted.user_has)
    assert config_of(reading).priority == "price"
    assert any(one.measurable for one in criteria_of(reading, []))


def test_scenario_3_the_five_steps_of_a_flight_booking() -> None:
    steps = steps_of(task_read("Book flight to Paris on Dec 15"))
    assert [(step.description, step.order) for step in steps] == [
        ("Search flights to Paris on Dec 15", 1),
        ("Filter by user preferences", 2),
        ("Select best option", 3),
        ("Book selected flight", 4),
        ("Confirm with user", 5),
    ]
    assert all(step.expected_output for step in steps)
    assert [step.dependencies for step in steps] == [[], [1], [2], [3], [4]]


def test_scenario_4_criteria_from_a_preference() -> None:
    criteria = criteria_of(task_read("Recommend ski resort"), ["avoid advanced slopes (injury)"])
    sources = {one.text: one.source for one in criteria}
    assert sources["Resort has beginner/intermediate slopes"] is CriterionSource.PREFERENCE
    assert sources["No advanced-only resorts recommended"] is CriterionSource.PREFERENCE
    assert sources["User confirms recommendation"] is CriterionSource.TEMPLATE
    assert all(one.measurable and one.verifiable for one in criteria)


def test_steps_that_wait_for_nothing_are_no_chain() -> None:
    steps = steps_of(task_read("Plan a 5-day trip to Japan in April under $3000"))
    assert [step.order for step in steps if step.dependencies == [2]] == [3, 4, 5]
    assert steps[5].dependencies == [3, 4, 5]


SENTENCES = {
    "Vuelo de madrid a roma mañana para 2 adultos": "Buscar vuelos de Madrid a Roma mañana para 2 adultos",
    "book flight to paris dec 15": "Search flights to Paris on dec 15",
    "Please could you book me a flight from Lisbon to Porto?": "Search flights from Lisbon to Porto",
    "Reservar vuelo a Londres 15 de diciembre": "Buscar vuelos a Londres el 15 de diciembre",
    "Find romantic restaurant in Paris": "Search romantic restaurants in Paris",
    "Busca un restaurante barato cerca de la catedral": "Buscar restaurantes baratos cerca de la catedral",
    "Book the 9am bus to Boston": "Search buses to Boston at 9am",
    "Book hotel in Paris from May 3 to May 7": "Search hotels in Paris from May 3 to May 7",
    "Agenda una reunión con el director el lunes": "Enviar las invitaciones al director",
    "Find a two bedroom apartment in Boston": "Search two bedroom apartments in Boston",
    "Recomienda una estación de esquí": "Reunir estaciones de esquí",
    "Find a gift for my sister under $50": "Collect gift ideas for my sister under $50",
    "Pay the $80 electricity bill by Friday": "Pay $80 by Friday",
    "Quiero que reserves hotel en Roma para 2 noches": "Reservar el hotel elegido para 2 noches",
    "Translate this letter from Spanish to English": "Translate this letter into English",
    "Reserve a family room in Salzburg, July 10-14": "Search hotels in Salzburg on July 10-14",
    "Reserva mesa el jueves a las 21:30": "Reservar la mesa el jueves a las 21:30",
    "Reserve a table at Nobu for four at 9pm": "Reserve the table for four people at 9pm",
    "Buy a laptop with at least 16 GB": "List what the laptop must have, at least 16 GB",
    "Knit a scarf": "Gather the information and means needed to knit a scarf",
    "Adopta un gato": "Reunir la información y los medios para adoptar un gato",
}


def test_steps_say_what_the_task_says() -> None:
    told = {task: [step.description for step in steps_of(task_read(task))] for task in SENTENCES}
    assert {task: told[task] for task, wanted in SENTENCES.items() if wanted not in told[task]} == {}


OF_TASKS: dict[str, set[str]] = {
    "Book hotel in Paris for 2 nights under $200": {"City == Paris", "Nights == 2", "Price <= $200"},
    "Book hotel in Rome from May 3 to May 7": {"Check-in date == May 3", "Check-out date == May 7"},
    "Book a hotel with a pool and free wifi, without breakfast, for 2 adults and 1 child": {
        "Hotel has pool",
        "Hotel has free wifi",
        "No breakfast",
        "Guests == 3",
    },
    "Reservar hotel por menos de 150 € la noche": {"Precio por noche <= 150 €"},
    "Buy a laptop between $500 and $800": {"Price between $500 and $800"},
    "Ahorrar 3000 euros": {"Ahorro >= 3000 €"},
    "Pay the $80 phone bill": {"Amount paid == $80"},
    "Book a flight to Oslo on 2026-12-15 without layovers": {"Departure date == 2026-12-15", "No layovers"},
    "Bake cookies without butter for 6 people": {"No butter", "Servings == 6"},
    "Find a restaurant in Lima for 12 people": {"Capacity >= 12"},
}


def test_figures_of_the_task_become_criteria() -> None:
    told = {
        task: {one.text for one in criteria_of(task_read(task), []) if one.source is CriterionSource.TASK}
        for task in OF_TASKS
    }
    assert {task: told[task] for task, wanted in OF_TASKS.items() if not wanted <= told[task]} == {}


OF_PREFERENCES: dict[tuple[str, str], list[str]] = {
    ("Book hotel in Rome", "needs wheelchair access"): ["Hotel has wheelchair access"],
    ("Book hotel in Rome", "User prefers quality over price"): [],
    ("Book hotel in Rome", "budget up to 150 EUR"): ["Price <= €150"],
    ("Book hotel under $90", "budget up to 150 EUR"): [],
    ("Book hotel without pool", "must have pool"): [],
    ("Book hotel in Rome", "prefers window seats"): [],
    ("Find restaurant in Lima", "allergic to shellfish and nuts"): ["No shellfish", "No nuts"],
    ("Book flight to Lima", "allergic to nuts"): [],
    ("Find restaurant in Lima", "vegetarian"): ["Restaurant has vegetarian options"],
    ("Find a recipe for lasagna", "vegetarian"): ["No meat", "No fish"],
    ("Find restaurant in Lima", "avoid noisy places"): ["No noisy restaurants"],
    ("Book flight to Oslo", "prefers direct flights"): ["Flight is direct"],
    ("Book flight to Oslo", "hates layovers (bad knee)"): ["No layovers"],
    ("Buscar restaurante en Lima", "alérgica a los frutos secos y al marisco"): ["Sin frutos secos", "Sin marisco"],
    ("Buscar restaurante en Lima", "celíaca"): ["El restaurante tiene opciones sin gluten"],
    ("Reservar vuelo a Lima", "alérgica al marisco"): [],
    ("Reservar hotel en Roma", "usa silla de ruedas"): ["El hotel tiene acceso para silla de ruedas"],
    ("Recomendar estación de esquí", "evitar pistas avanzadas"): [
        "El complejo tiene pistas fáciles/intermedias",
        "Sin complejos exclusivos de pistas avanzadas",
    ],
    ("Write an email to my boss", "avoid jargon"): ["No jargon"],
    ("Create a workout plan", "knee injury, no running"): ["No running"],
}


def test_preferences_make_criteria_where_they_have_to_do_with_the_task() -> None:
    told = {
        (task, said): [
            one.text for one in criteria_of(task_read(task), [said]) if one.source is CriterionSource.PREFERENCE
        ]
        for task, said in OF_PREFERENCES
    }
    assert told == OF_PREFERENCES


def test_preferences_do_not_contradict_each_other_and_hostile_ones_do_no_harm() -> None:
    reading = task_read("Book hotel in Rome")
    texts = [one.text for one in criteria_of(reading, ["needs a pool", "avoid pools", "no pool"])]
    assert [text for text in texts if "pool" in text.lower()] == ["Hotel has pool"]
    hostile = [
        "",
        " ",
        "(",
        "avoid",
        "no " * 500,
        "avoid " + "x" * 5000,
        "[{place}]",
        "🏊",
        "must have {x}",
        "a, " * 900,
    ]
    assert len(criteria_of(reading, hostile * 40)) < 30


def test_a_plan_is_in_the_language_of_its_task_whatever_is_active() -> None:
    with translation.override("es"):
        assert steps_of(task_read("Book flight to Rome"))[1].description == "Filter by user preferences"


def test_a_type_without_a_template_is_planned_as_a_general_one() -> None:
    assert template_of("my_own_type") is templates()["general"]
    steps = steps_of(task_read("Count the penguins", "my_own_type"))
    assert "count the penguins" in steps[0].description


def test_a_template_that_cannot_work_is_refused() -> None:
    sound = templates()["general"].model_dump(by_alias=True)
    late = {**sound["steps"][0], "after": [2]}
    unknown = [{"en": "Goal in {nowhere}", "es": "Objetivo"}]
    stuck = [{"en": "Goal in {place}", "es": "Objetivo en {place}"}]
    for change, said in (
        ({"steps": [late, *sound["steps"][1:]]}, "not before it"),
        ({"user_has": unknown}, "unknown slots nowhere"),
        ({"user_has": stuck}, "cannot do without place"),
    ):
        with pytest.raises(ValueError, match=said):
            Template.model_validate({**sound, **change})
