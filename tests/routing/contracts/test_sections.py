"""QueryPlan v1 by the sections of spec/4, with the document's own examples."""

from datetime import UTC, datetime
from typing import Any

import pytest

from routing.contracts import GovernorDecision, LabPolicy, QueryPlan, validate_query_plan
from routing.contracts.values import DOMAIN_KEYS, RATIONALE_LINES, lines_of
from routing.errors import ContractsDisagree, QueryPlanInvalid
from tests.routing.strategies import (
    APPROVED,
    CONDITIONAL,
    DENIED,
    FLAGS,
    RATIONALE,
    decision_values,
    plan_made,
    plan_values,
)

FIELDS = [*plan_values()]


def refused(*places: str, **changes: Any) -> None:
    """The plan with these changes is refused at these places, by every door; its JSON too where it can be written."""
    values = plan_values(**changes)
    with pytest.raises(QueryPlanInvalid) as error:
        validate_query_plan(values)
    assert [place for place, _what in error.value.places] == list(places)
    assert all(what for _place, what in error.value.places)
    with pytest.raises(ValueError, match="validation error"):
        QueryPlan(**values)
    with pytest.raises(ValueError, match="validation error"):
        QueryPlan.model_construct(**values)
    if ... not in changes.values():
        with pytest.raises(ValueError, match="validation error"):
            plan_made().model_copy(update=changes)


def accepted(**changes: Any) -> None:
    """The plan with these changes is valid by every door."""
    assert validate_query_plan(plan_values(**changes))
    assert plan_made().model_copy(update=changes) == plan_made(**changes)


def test_section_2_has_exactly_the_documented_fields_in_their_order() -> None:
    assert list(QueryPlan.model_fields) == FIELDS
    assert list(LabPolicy.model_fields) == ["allow_lab", "status", "rationale"]


def test_section_3_1_mode_is_fast_or_deep_and_never_changes() -> None:
    assert [plan_made(mode=mode).mode for mode in ("fast", "deep")] == ["fast", "deep"]
    for mode in ("Fast", "slow", "", None, 1, True, ["fast"], " fast"):
        refused("/mode", mode=mode)
    with pytest.raises(ValueError, match="frozen"):
        plan_made().mode = "fast"  # type: ignore[misc]


def test_section_3_2_domain_hint_is_auto_or_a_domain_and_is_a_preference() -> None:
    for hint in ("auto", *DOMAIN_KEYS):
        assert plan_made(domain_hint=hint).domain_hint == hint
    accepted(domain_hint="auto", domains_selected=["market"], flags=[])
    accepted(domain_hint="tax", domains_selected=["tax", "transition"], flags=[])
    accepted(domain_hint="tax", domains_selected=["brand"], flags=["domain-hint-overridden"])
    for wrong in ("AUTO", "taxes", "", None, ["tax"]):
        refused("/domain_hint", domain_hint=wrong)


def test_section_3_3_one_to_three_different_domains_of_the_seven() -> None:
    for key in DOMAIN_KEYS[:-1]:
        assert plan_made(domains_selected=[key]).domains_selected == [key]
    accepted(mode="fast", domains_selected=["market"])
    accepted(mode="fast", domains_selected=["market", "brand"])
    accepted(mode="deep", domains_selected=["tax", "transition", "system"])
    refused("/domains_selected", domains_selected=[])
    refused("/domains_selected", domains_selected=["tax", "transition", "system", "growth"])
    refused("/domains_selected", domains_selected=["tax", "tax"])
    refused("/domains_selected/1", domains_selected=["tax", "Tax"])
    refused("/domains_selected/0", domains_selected=[None])
    for none in (None, "tax", {"tax": 1}, 3):
        refused("/domains_selected", domains_selected=none)


def test_section_3_3_fast_has_at_most_two_domains() -> None:
    refused("", mode="fast", domains_selected=["tax", "transition", "system"])


def test_section_3_3_lab_is_selected_only_where_it_is_approved() -> None:
    for policy in (DENIED, CONDITIONAL):
        refused("", domains_selected=["lab"], lab_policy=policy)
        refused("", domains_selected=["market", "lab"], lab_policy=policy, domain_hint="lab")
    accepted(domains_selected=["lab"], lab_policy=APPROVED, flags=["lab-access-approved"])


def test_section_3_3_the_order_of_domains_is_kept_and_means_nothing() -> None:
    assert plan_made(domains_selected=["system", "tax"]).domains_selected == ["system", "tax"]


def test_section_3_4_agents_are_a_list_of_at_most_three() -> None:
    assert plan_made(agents_selected=[]).agents_selected == []
    two = ["market_analyst", "compliance_auditor"]
    assert plan_made(agents_selected=two).agents_selected == two
    refused("/agents_selected", agents_selected=["a", "b", "c", "d"])
    refused("/agents_selected", agents_selected=["a", "a"])
    refused("/agents_selected", agents_selected=None)
    refused("/agents_selected/0", agents_selected=[" "])
    refused("/agents_selected/0", agents_selected=[7])


@pytest.mark.parametrize(("section", "field"), [("3.5", "needs_evidence"), ("3.6", "needs_skills")])
def test_section_3_5_and_section_3_6_needs_are_true_or_false_and_nothing_like_it(section: str, field: str) -> None:
    assert [plan_made(**{field: value})[field] for value in (True, False)] == [True, False], section
    likenesses: list[Any] = [1, 0, "true", "false", "yes", None, 1.0, []]
    for value in likenesses:
        refused(f"/{field}", **{field: value})
        with pytest.raises(ValueError, match="true or false"):
            QueryPlan.model_validate(plan_values(**{field: value}), strict=False)


def test_section_3_7_allow_lab_goes_with_the_status_also_conditionally() -> None:
    for policy in (DENIED, CONDITIONAL, APPROVED):
        assert LabPolicy(**policy).model_dump() == policy  # type: ignore[arg-type]
        refused("/lab_policy", lab_policy={**policy, "allow_lab": not policy["allow_lab"]})
    refused("/lab_policy/status", lab_policy={**DENIED, "status": "maybe"})
    refused("/lab_policy/allow_lab", lab_policy={**DENIED, "allow_lab": 0})
    refused("/lab_policy/rationale", lab_policy={**DENIED, "rationale": "one\ntwo\nthree"})
    refused("/lab_policy/rationale", lab_policy={**DENIED, "rationale": "\u200b"})


def test_section_3_7_the_three_documented_policies_with_their_flags() -> None:
    accepted(lab_policy={**DENIED, "rationale": "Phase 1: Experimental access blocked"}, flags=[])
    asked = {**DENIED, "rationale": "User requested lab, but not authorized in Phase 1"}
    accepted(lab_policy=asked, flags=["lab-access-requested", "lab-access-denied"])
    accepted(lab_policy=APPROVED, flags=["lab-access-approved"])
    refused("", lab_policy=DENIED, flags=["lab-access-approved"])
    refused("", lab_policy=CONDITIONAL, flags=["lab-access-approved"])
    refused("", lab_policy=APPROVED, flags=["lab-access-denied"])


def test_section_3_8_rationale_has_at_most_ten_lines_however_they_end() -> None:
    documented = (
        'Detectada intención de cambio laboral (keywords: "excedencia", "renuncia").\n'
        'Seleccionado dominio "transition" para análisis de carrera.\n'
        'También incluido "market" para validar tracción inmobiliaria actual.'
    )
    assert plan_made(rationale=documented).rationale == documented
    for end in ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\n\n"):
        most = RATIONALE_LINES if end != "\n\n" else RATIONALE_LINES // 2
        assert len(lines_of(plan_made(rationale=end.join("a" * most)).rationale)) <= RATIONALE_LINES, repr(end)
        refused("/rationale", rationale=end.join("a" * (most + 1)))


def test_section_3_9_confidence_is_one_of_three() -> None:
    for confidence in ("low", "medium", "high"):
        assert plan_made(confidence=confidence).confidence == confidence
    for wrong in ("HIGH", "certain", "", None, 0.9):
        refused("/confidence", confidence=wrong)


def test_section_3_10_every_documented_flag_and_new_ones_in_their_form_once_each() -> None:
    for flag in FLAGS:
        policy = APPROVED if flag == "lab-access-approved" else DENIED
        assert plan_made(flags=[flag], lab_policy=policy).flags == [flag]
    accepted(flags=["a-flag-of-tomorrow-2"])
    refused("/flags", flags=["mode-forced-deep", "mode-forced-deep"])
    refused("/flags", flags=None)
    forms = ["Needs-Clarification", "needs clarification", "", "-a", "a-", "a--b", "a\n", "ａ", "a" * 65]
    for wrong in (*forms, None):
        refused("/flags/0", flags=[wrong])


def test_section_4_invariant_1_domains_are_never_empty() -> None:
    refused("/domains_selected", domains_selected=[])
    refused("/domains_selected", domains_selected=...)


def test_section_4_invariant_2_never_more_than_three_domains() -> None:
    refused("/domains_selected", domains_selected=list(DOMAIN_KEYS))


def always_given(*fields: str) -> None:
    for field in fields:
        refused(f"/{field}", **{field: ...})
        refused(f"/{field}", **{field: None})


def test_section_4_invariant_3_mode_is_always_present_never_null() -> None:
    always_given("mode")


def test_section_4_invariant_4_confidence_is_always_present() -> None:
    always_given("confidence")


def test_section_4_invariant_5_lab_policy_is_always_present_and_whole() -> None:
    always_given("lab_policy")
    for name in DENIED:
        refused(f"/lab_policy/{name}", lab_policy={key: value for key, value in DENIED.items() if key != name})
        refused(f"/lab_policy/{name}", lab_policy={**DENIED, name: None})
    refused("/lab_policy/note", lab_policy={**DENIED, "note": 1})


def test_section_4_invariant_6_a_rationale_of_blanks_is_none() -> None:
    always_given("rationale")
    for blank in ("", " \n\t", "\u200b", "\ufeff", "\u2800", "\u3164", "\xad\u2060\u200e", "\ufe0f", "\u0301", "\x00"):
        refused("/rationale", rationale=blank)
    assert plan_made(rationale="?").rationale == "?"


def test_section_4_invariant_7_agents_are_a_list_whatever_they_were_given_as() -> None:
    always_given("agents_selected")
    assert isinstance(plan_made(agents_selected=("a", "b")).agents_selected, list)


def test_section_4_invariant_8_both_needs_are_always_present() -> None:
    always_given("needs_evidence", "needs_skills")


def test_section_4_invariant_9_timestamp_is_iso_8601_with_its_zone() -> None:
    always_given("timestamp")
    for text in ("2026-02-12T18:14:00Z", "2026-02-12T19:14:00+01:00", "2026-02-12 18:14:00.000000+00:00"):
        assert plan_made(timestamp=text).timestamp == datetime(2026, 2, 12, 18, 14, tzinfo=UTC)
    wrong = (
        *("2026-02-12T18:14:00", "2026-02-12", "18:14:00Z", "1770920040", "", "now", "2026-02-30T00:00:00Z"),
        *("2026-02-12T18:14:60Z", "2026-02-12T24:00:00Z", "20260212T181400Z", "٢٠٢٦-02-12T18:14:00Z", "2026-W07-4"),
        *(
            "0001-01-01T00:00:00+14:00",
            "9999-12-31T23:59:59-14:00",
            "0000-01-01T00:00:00Z",
            "2026-02-12T18:14:00+24:00",
        ),
        *(1770920040, 1770920040.5, b"1770920040", b"2026-02-12T18:14:00Z", True, float("nan")),
        *(datetime(2026, 2, 12), datetime(2026, 2, 12).date()),  # noqa: DTZ001
    )
    for timestamp in wrong:
        refused("/timestamp", timestamp=timestamp)
    for edge in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        assert QueryPlan.model_validate_json(plan_made(timestamp=edge).model_dump_json()).timestamp.year in (1, 9999)


def test_section_4_invariant_10_a_plan_is_never_partial_and_has_nothing_else() -> None:
    always_given(*FIELDS)
    with pytest.raises(QueryPlanInvalid) as error:
        validate_query_plan({})
    assert [place for place, _what in error.value.places] == [f"/{field}" for field in FIELDS]
    refused("/note", note="more")
    refused("/a~1~0b", **{"a/~b": 1})
    with pytest.raises(ValueError, match="not known: note"):
        QueryPlan.model_validate(plan_values(note="more"), extra="allow")
    with pytest.raises(ValueError, match="not known: note"):
        QueryPlan.model_validate(plan_values(lab_policy={**DENIED, "note": "more"}), extra="allow")


def test_section_6_serializes_to_json_in_the_documented_form_and_comes_back_identical() -> None:
    plan = plan_made(domains_selected=["market"])
    written = plan.model_dump(mode="json")
    assert list(written) == FIELDS
    assert (written["domains_selected"], written["timestamp"]) == (["market"], "2026-02-12T18:14:00Z")
    assert QueryPlan.model_validate_json(plan.model_dump_json()) == plan
    assert QueryPlan.model_validate_json(plan.model_dump_json(), strict=True) == plan
    assert QueryPlan.model_validate(written) == plan


def test_section_6_a_decision_is_linked_to_its_plan_by_the_same_domains() -> None:
    plan = plan_made()
    GovernorDecision.model_validate(decision_values()).require_fits(plan)
    for domains in (["transition"], ["market", "transition"], ["transition", "market", "tax"]):
        with pytest.raises(ContractsDisagree, match="domains_used"):
            GovernorDecision.model_validate(decision_values(domains_used=domains)).require_fits(plan)


def test_section_10_the_complete_example_is_valid_and_kept_as_written() -> None:
    plan = QueryPlan(
        mode="deep",
        domain_hint="auto",
        domains_selected=["transition", "market"],
        agents_selected=[],
        needs_evidence=False,
        needs_skills=False,
        lab_policy=LabPolicy(allow_lab=False, status="denied", rationale="Phase 1: No experimental features"),
        rationale=RATIONALE,
        confidence="high",
        flags=[],
        timestamp=datetime.now(UTC),
    )
    assert validate_query_plan(plan) is True
    assert validate_query_plan(plan.model_dump()) is True
    assert validate_query_plan(plan.model_dump_json()) is True
    assert (plan.rationale, plan["rationale"]) == (RATIONALE, RATIONALE)
