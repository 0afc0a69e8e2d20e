"""What learnings change in a plan, and that it stays whole whatever they are. Source: RF-007, scenario 2."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.contracts import ActiveAdjustment, Adjustment, AdjustmentOperation, Memory
from planning.contracts import CriterionSource, Plan, PlanConfig, Step, SuccessCriterion
from planning.experience import (
    Learnings,
    adjustment_parse,
    adjustments_apply,
    adjustments_in,
    learnings_apply,
    learnings_of,
)
from planning.services import plan_faults
from tests.planning.experience.plans import essay_plan, essay_reading, hotel_plan, hotel_reading, remembered, said

_LEARNED = Learnings(preferences=["quality > price"], constraints=["quality >= 7"], episodes=["a", "b"])


def test_scenario_2_plan_with_past_experience() -> None:
    """RF-007, scenario 2, from the memories to the plan."""
    learnings = learnings_of(remembered("User rejected cheap hotel (quality < 7)", "User prefers quality over price"))
    plan = learnings_apply(hotel_plan(), learnings, hotel_reading())
    assert said(plan) == [
        "Search hotels in Paris",
        "Filter by user preferences",
        "Filter hotels: quality >= 7",
        "Sort by quality, not price",
        "Select best option",
        "Book selected hotel",
        "Confirm with user",
    ]
    assert [step.dependencies for step in plan.steps] == [[], [1], [2], [3], [4], [5], [6]]
    assert plan.metadata.influenced_by_experience is True
    assert plan.metadata.past_learnings == ["quality > price"]
    assert plan.metadata.learned_constraints == ["quality >= 7"]
    assert plan.metadata.episodes == ["0", "1"]
    assert plan.constraints == ["quality >= 7"]
    assert plan.config.priority == "quality"
    learned = [one for one in plan.success_criteria if one.source == CriterionSource.EXPERIENCE]
    assert [one.normal for one in learned] == ["quality >= 7"]
    assert plan_faults(plan) == []


def test_spanish_plans_get_spanish_steps_whatever_the_memories_are_written_in() -> None:
    for memories in (
        ["El usuario rechazó el hotel barato (calidad < 7)", "Prefiere la calidad al precio"],
        ["User rejected cheap hotel (quality < 7)", "User prefers quality over price"],
    ):
        plan = learnings_apply(hotel_plan("es"), learnings_of(remembered(*memories)), hotel_reading("es"))
        assert said(plan)[2:4] == ["Filtrar hoteles: calidad >= 7", "Ordenar por calidad, no por precio"]
        assert plan_faults(plan) == []


def test_applied_twice_learnings_change_nothing_more() -> None:
    learnings = _LEARNED.model_copy(
        update={
            "preferences": ["quality > price", "morning flights", "avoid hostels", "rating >= 8", "a > b"],
            "constraints": ["quality >= 7", "no hostels", "price <= 300"],
        }
    )
    for plan, reading in ((hotel_plan(), hotel_reading()), (essay_plan(), essay_reading())):
        once = learnings_apply(plan, learnings, reading)
        assert learnings_apply(once, learnings, reading) == once
        assert plan_faults(once) == []


def test_nothing_learned_leaves_the_plan_as_it_was() -> None:
    plan = hotel_plan()
    assert learnings_apply(plan, Learnings(dropped=["price > quality"]), hotel_reading()) == plan
    assert plan.metadata.influenced_by_experience is False


def test_a_criterion_that_is_at_least_as_strict_is_not_said_again() -> None:
    criteria = [SuccessCriterion(text="Hotel quality >= 8"), SuccessCriterion(text="price <= 200")]
    plan = learnings_apply(hotel_plan(success_criteria=criteria), _LEARNED, hotel_reading())
    assert plan.success_criteria == criteria
    assert plan.constraints == ["quality >= 7"]


def test_an_absence_that_a_criterion_speaks_of_already_gets_no_second_one() -> None:
    """RF-007, scenario 4: the criteria of the task's type speak of the slopes."""
    criteria = [SuccessCriterion(text="Resort has beginner/intermediate slopes", source=CriterionSource.PREFERENCE)]
    learnings = learnings_of(remembered("avoid advanced slopes (injury)", "User is allergic to peanuts"))
    plan = learnings_apply(hotel_plan(success_criteria=criteria), learnings, hotel_reading())
    assert sorted(plan.constraints) == ["no advanced slopes", "no peanuts"]
    assert [one.normal for one in plan.success_criteria[1:]] == ["no peanuts"]


def test_what_contradicts_the_task_is_not_applied() -> None:
    criteria = [SuccessCriterion(text="price <= 200", source=CriterionSource.TASK)]
    learnings = Learnings(constraints=["price >= 300", "quality >= 7"], episodes=["a"])
    plan = learnings_apply(hotel_plan(success_criteria=criteria), learnings, hotel_reading())
    assert plan.constraints == ["quality >= 7"]
    assert plan.metadata.learned_constraints == ["quality >= 7"]


def test_an_old_order_gives_way_in_the_step_that_sorts() -> None:
    steps = [Step(order=1, description="Search hotels"), Step(order=2, description="Sort by price", dependencies=[1])]
    steps.append(Step(order=3, description="Select best option", dependencies=[2]))
    plan = learnings_apply(hotel_plan(steps=steps), _LEARNED, hotel_reading())
    assert said(plan) == [
        "Search hotels",
        "Filter hotels: quality >= 7",
        "Sort by quality, not price",
        "Select best option",
    ]


def test_a_plan_that_chooses_nothing_is_told_what_to_make_sure_of() -> None:
    learnings = Learnings(preferences=["accuracy > speed"], constraints=["words <= 1200"], episodes=["a"])
    plan = learnings_apply(essay_plan(), learnings, essay_reading())
    assert said(plan) == [
        "Outline the essay",
        "Write it",
        "Make sure of: words <= 1200",
        "Prefer accuracy to speed",
    ]
    assert plan_faults(plan) == []


def test_steps_that_ran_side_by_side_stay_so_and_selection_waits_for_the_filter() -> None:
    steps = [
        Step(order=1, description="Search hotels"),
        Step(order=2, description="Search hostels"),
        Step(order=3, description="Select best option", dependencies=[1, 2]),
    ]
    plan = learnings_apply(hotel_plan(steps=steps), Learnings(constraints=["quality >= 7"]), hotel_reading())
    assert [step.dependencies for step in plan.steps] == [[], [], [1, 2], [3]]


# Whatever comes


_TEXTS = st.one_of(
    st.text(max_size=60),
    st.sampled_from(
        [
            "User rejected cheap hotel (quality < 7)",
            "User prefers quality over price",
            "Prefiere el precio a la calidad",
            "avoid hostels",
            "Never book hostels (price > 300 €)",
            "rejected because too far from centre, too expensive (350 €) and noisy",
            "quality > price > location",
            "Change priority from 'price' to 'quality'",
            "Add constraint: quality >= 7",
            "Remove constraint: price <= 500",
            "Remove step: Select best option",
            "Remove 1",
            "Remove step 1",
            "Increase minimum quality by 1",
            "Set max_price to 250",
            "Reduce max price by 10%",
            "Quitar el paso: Confirmar con el usuario",
            "Remove criterion: price <= 500",
            "Replace 'Book selected hotel' with 'Book it now'",
            "Filter results where rating >= 8",
        ]
    ),
)
_VALUES = st.one_of(_TEXTS, st.integers(-5, 5), st.floats(allow_nan=True), st.booleans(), st.none())
_ADJUSTMENTS = st.builds(
    Adjustment,
    operation=st.sampled_from(list(AdjustmentOperation)),
    setting=st.sampled_from(["priority", "constraint", "steps", "criterion", "max_price", "min_quality", "hints", "x"]),
    value=_VALUES,
    previous=st.one_of(st.none(), _TEXTS),
    relative=st.booleans(),
)


@st.composite
def _plans(draw: st.DrawFn) -> Plan:
    """Whole plans with any dependencies."""
    verbs = ("Search", "Filter by", "Sort by price", "Select", "Book", "Confirm", "Write", "Make sure of: quality >= 3")
    texts = draw(st.lists(st.sampled_from(verbs), min_size=1, max_size=50))
    steps = [
        Step(
            order=place,
            description=f"{text} {draw(st.sampled_from(['', 'hotels', 'price <= 500']))}".strip(),
            dependencies=sorted(draw(st.sets(st.integers(1, place - 1), max_size=3))) if place > 1 else [],
        )
        for place, text in enumerate(texts, 1)
    ]
    criteria = [
        SuccessCriterion(text="price <= 500", source=draw(st.sampled_from(list(CriterionSource)))),
        SuccessCriterion(text="User confirms", source=draw(st.sampled_from(list(CriterionSource)))),
    ]
    return hotel_plan(
        steps=steps,
        success_criteria=criteria,
        constraints=draw(st.sampled_from([[], ["price <= 500"], ["quality >= 7", "quality <= 9"]])),
        config=PlanConfig(
            priority=draw(st.sampled_from([None, "price"])), settings={"hints": 2, "max_price": "500 EUR"}
        ),
    )


@settings(max_examples=150, deadline=None)
@given(
    plan=_plans(),
    contents=st.lists(_TEXTS, max_size=5),
    preferences=st.lists(_TEXTS, max_size=3),
    adjustments=st.lists(_ADJUSTMENTS, max_size=6),
    language=st.sampled_from(["en", "es"]),
)
def test_whatever_is_remembered_the_plan_stays_whole(
    plan: Plan, contents: list[str], preferences: list[str], adjustments: list[Adjustment], language: str
) -> None:
    reading = hotel_reading(language)
    memories = [Memory(id=str(place), content=content) for place, content in enumerate(contents)]
    learnings = learnings_of(memories)
    given_criteria = [one for one in plan.success_criteria if one.source == CriterionSource.GIVEN]
    for learned in (learnings, Learnings(preferences=preferences, constraints=preferences)):
        plan = learnings_apply(plan, learned, reading)
        assert plan_faults(plan) == []
        assert learnings_apply(plan, learned, reading) == plan
    active = [
        ActiveAdjustment(id=str(place), reflection_id="r", adjustment=adjustment)
        for place, adjustment in enumerate(adjustments)
    ]
    active += adjustments_in(memories)
    plan = adjustments_apply(plan, active, reading)
    assert plan_faults(plan) == []
    assert [one for one in plan.success_criteria if one.source == CriterionSource.GIVEN] == given_criteria


@pytest.mark.parametrize("text", ["x" * 10_000, "Change " * 70, "Change to from to from", "Set " + "a " * 200 + "to 3"])
def test_hostile_adjustments_are_none(text: str) -> None:
    parsed: Any = adjustment_parse(text)
    assert parsed is None
