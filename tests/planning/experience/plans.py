"""Plans and memories for the tests of what experience changes."""

from typing import Any

from memory.contracts import Memory
from planning.contracts import CriterionSource, DesiredResult, Plan, PlanConfig, Step, SuccessCriterion
from planning.understanding.contracts import TaskFacts, TaskReading

_STEPS = {
    "en": (
        "Search hotels in Paris",
        "Filter by user preferences",
        "Select best option",
        "Book selected hotel",
        "Confirm with user",
    ),
    "es": (
        "Buscar hoteles en París",
        "Filtrar según las preferencias del usuario",
        "Elegir la mejor opción",
        "Reservar el hotel elegido",
        "Confirmar con el usuario",
    ),
}


def hotel_plan(language: str = "en", **changes: Any) -> Plan:
    """The five steps of RF-007 for a hotel, which a price decides, with a criterion of its task type."""
    steps = [
        Step(order=place, description=text, dependencies=[place - 1] if place > 1 else [])
        for place, text in enumerate(_STEPS[language], 1)
    ]
    return Plan(
        task=hotel_reading(language).task,
        desired_result=DesiredResult(user_has=["User has: Confirmed hotel reservation"]),
        steps=steps,
        success_criteria=[SuccessCriterion(text="price <= 500", source=CriterionSource.TEMPLATE)],
        config=PlanConfig(priority="price" if language == "en" else "precio"),
    ).replaced(**changes)


def hotel_reading(language: str = "en") -> TaskReading:
    """The task "Book hotel in Paris", read."""
    return TaskReading(
        task="Book hotel in Paris" if language == "en" else "Reservar hotel en París",
        language=language,
        task_type="hotel_booking",
        facts=TaskFacts(),
        phrases={"objects": "hotels" if language == "en" else "hoteles"},
    )


def essay_plan() -> Plan:
    """A plan that chooses among nothing."""
    steps = [Step(order=1, description="Outline the essay"), Step(order=2, description="Write it", dependencies=[1])]
    return Plan(task="Write an essay", steps=steps, success_criteria=[SuccessCriterion(text="words >= 800")])


def essay_reading() -> TaskReading:
    """The task "Write an essay", read."""
    return TaskReading(task="Write an essay", language="en", task_type="general", facts=TaskFacts())


def remembered(*memories: str | dict[str, Any] | Memory) -> list[Memory]:
    """Memories from their contents, or from rows of a data file, numbered from 0."""
    return [
        one if isinstance(one, Memory) else Memory(id=str(place), **({"content": one} if isinstance(one, str) else one))
        for place, one in enumerate(memories)
    ]


def said(plan: Plan) -> list[str]:
    """What the steps say, in order."""
    return [step.description for step in plan.steps]
