"""Any valid contract round-trips through JSON; anything else is refused with a place, or valid."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from routing.contracts import GovernorDecision, QueryPlan, SynthesizerOutput, validate_query_plan
from routing.contracts.values import lines_of
from routing.errors import QueryPlanInvalid
from tests.routing.strategies import decisions, outputs, plan_values, plans


@settings(max_examples=60)
@given(plans())
def test_any_plan_round_trips_through_json_without_loss_and_is_valid(plan: QueryPlan) -> None:
    written = plan.model_dump_json()
    again = QueryPlan.model_validate_json(written)
    assert again == plan
    assert again.model_dump_json() == written
    assert again.timestamp.utcoffset() == plan.timestamp.utcoffset()
    assert QueryPlan.model_validate(plan.model_dump(mode="json")) == plan
    assert validate_query_plan(plan)
    assert validate_query_plan(written)
    assert validate_query_plan(plan.model_dump())
    assert 1 <= len(plan.domains_selected) <= (2 if plan.mode == "fast" else 3)
    assert len(lines_of(plan.rationale)) <= 10


@settings(max_examples=30)
@given(st.data())
def test_any_decision_and_output_that_fit_round_trip_through_json_and_still_fit(data: st.DataObject) -> None:
    plan = data.draw(plans())
    decision = data.draw(decisions(plan))
    output = data.draw(outputs(plan, decision))
    assert GovernorDecision.model_validate_json(decision.model_dump_json()) == decision
    again = SynthesizerOutput.model_validate_json(output.model_dump_json())
    assert again == output
    decision.require_fits(plan)
    again.require_fits(plan, decision)


def _places(plan: Any) -> list[str]:
    """Where it is refused; of a valid one nothing."""
    try:
        assert validate_query_plan(plan)
    except QueryPlanInvalid as refused:
        return [place for place, _what in refused.places] or ["none is named"]
    return []


_anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=150)
@given(st.dictionaries(st.sampled_from([*plan_values()]) | st.text(), _anything, max_size=4), st.booleans())
def test_any_mapping_is_a_plan_or_is_refused_with_a_place(changes: dict[str, Any], whole: bool) -> None:
    values = {**(plan_values() if whole else {}), **changes}
    places = _places(values)
    assert all(place == "" or place.startswith("/") for place in places)
    if not places:
        plan = QueryPlan.model_validate(values)
        assert QueryPlan.model_validate_json(plan.model_dump_json()) == plan


@settings(max_examples=60)
@given(st.text() | st.binary())
def test_any_text_is_refused_with_a_place(text: str | bytes) -> None:
    assert _places(text) not in ([], ["none is named"])  # a whole plan is not hit by chance
