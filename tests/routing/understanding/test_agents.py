"""Agents gather what is on record of one user. Source: spec/4, 3.4."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from evaluation.layer import EvaluationLayer
from gateway.models import Hold
from memory.services import episode_store, preference_set
from planning.layer import PlanningLayer
from routing.agents import AGENTS, AgentContext, agent_gather
from routing.contracts.values import DOMAIN_KEYS
from routing.models import QueryPlan
from tests.routing.plan_rows import decision_row, plan_row

Queries = Callable[[int], AbstractContextManager[object]]
HOTEL = ["Hotel quality >= 7", "Price within budget ($200)"]


def counts_of(found: AgentContext) -> dict[tuple[str, str], int]:
    """How often what was found."""
    return {(fact.kind, fact.text): fact.count for fact in found.facts}


def names(*rows: QueryPlan) -> list[str]:
    return [f"query_plan:{row.pk}" for row in rows]


def sources_of(found: AgentContext, kind: str) -> list[str]:
    return [source for fact in found.facts if fact.kind == kind for source in fact.sources]


def read(label: str, *keywords: str, domain: str = "market") -> dict[str, Any]:
    return {"label": label, "found": [{"domain": domain, "keyword": one} for one in keywords]}


@pytest.mark.django_db
def test_section_3_4_the_market_analyst_tells_what_is_asked_of_the_market(
    learner: User, stranger: User, django_assert_num_queries: Queries
) -> None:
    now = timezone.now()
    recent = plan_row(learner, "market", "tax", when=now - timedelta(days=1), reading=read("prices", "rent"))
    older = plan_row(learner, "market", when=now - timedelta(days=90), reading=read("prices", "rent", "yield"))
    plan_row(learner, "growth", when=now - timedelta(days=2), reading=read("new_lines"))  # not of the domains
    wrong = plan_row(learner, "market", when=now - timedelta(days=3), reading=read("buying"))
    plan_row(learner, "brand", corrects=wrong)
    plan_row(stranger, "market", reading=read("another's"))
    plan_row(learner, "market", erased=True, reading=read("erased"))
    with django_assert_num_queries(1):
        found = agent_gather("market_analyst", user_id=learner.pk, domains=["market", "tax"], message="Rents?")
    assert counts_of(found) == {
        ("asked", ""): 2,
        ("asked_lately", ""): 1,
        ("theme", "prices"): 2,
        ("keyword", "rent"): 2,
        ("keyword", "yield"): 1,
        ("together_with", "tax"): 1,
    }
    assert sources_of(found, "asked") == names(recent, older)
    assert sorted(found.sources) == sorted(names(recent, older))


@pytest.mark.django_db
def test_section_3_4_the_compliance_auditor_tells_what_is_unsettled(
    learner: User, stranger: User, django_assert_num_queries: Queries
) -> None:
    decided = plan_row(learner, "tax", flags=["needs-clarification"], confidence="low")
    decision = decision_row(decided)
    waiting = plan_row(learner, "transition", "tax", flags=["needs-clarification"], status="partial")
    wrong = plan_row(learner, "tax")
    plan_row(learner, "growth", corrects=wrong)
    decision_row(plan_row(stranger, "tax"))
    with django_assert_num_queries(2):
        found = agent_gather("compliance_auditor", user_id=learner.pk, domains=["tax", "transition"], message="VAT?")
    assert counts_of(found) == {
        ("asks_a_human", ""): 1,
        ("high_risk", "labor"): 1,
        ("flag", "needs-clarification"): 2,
        ("unclear", ""): 1,
        ("undecided", ""): 1,
        ("corrected", "tax → growth"): 1,
        ("audit_status", "partial"): 1,
    }
    assert sources_of(found, "high_risk") == [f"decision:{decision.pk}"]
    assert sources_of(found, "undecided") == names(waiting)
    assert sources_of(found, "corrected") == names(wrong)


@pytest.mark.django_db
def test_section_3_4_the_lead_enricher_tells_how_the_users_tasks_ended(
    learner: User, stranger: User, django_assert_num_queries: Queries
) -> None:
    for user, quality in ((learner, 5), (learner, 8), (stranger, 2)):
        plan = PlanningLayer().create_plan("Book hotel in Paris", user.pk, criteria=HOTEL)
        EvaluationLayer().evaluate_result(plan, {"quality": quality, "price": 150})
    preference_set(user=learner, text="A quiet room")
    preference_set(user=stranger, text="A pool")
    with django_assert_num_queries(3):
        found = agent_gather("lead_enricher", user_id=learner.pk, domains=["market"], message="Book a hotel in Rome")
    assert counts_of(found) == {
        ("task_outcome", "success"): 1,
        ("task_outcome", "failure"): 1,
        ("unmet", "quality >= 7"): 1,
        ("preference", "A quiet room"): 1,
    }
    general = agent_gather("lead_enricher", user_id=learner.pk, domains=["system"], message="\x00\ud800 ¿?")
    assert counts_of(general) == counts_of(found)


@pytest.mark.django_db
def test_section_3_4_the_experience_reader_tells_of_similar_tasks(
    learner: User, stranger: User, django_assert_num_queries: Queries
) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Paris", stranger.pk, criteria=HOTEL)
    others = EvaluationLayer().evaluate_result(plan, {"quality": 5, "price": 150})
    plan = PlanningLayer().create_plan("Book hotel in Paris", learner.pk, criteria=HOTEL)
    own = EvaluationLayer().evaluate_result(plan, {"quality": 8, "price": 450})
    episode_store(learner, "A hotel in Paris was too dear", "hotel_booking", "failure", {"evaluation": str(own.id)})
    episode_store(learner, "Hotel in Paris booked", "hotel_booking", "success", {"evaluation": str(others.id)})
    episode_store(learner, "Hotel in Paris, once more", "hotel_booking", "unknown", {"evaluation": ["no id"]})
    episode_store(stranger, "Hotel in Paris had mice", "hotel_booking", "failure")
    with django_assert_num_queries(3):
        found = agent_gather("experience_reader", user_id=learner.pk, domains=["lab"], message="Book hotel in Paris")
    kinds = {fact.kind: fact.text for fact in found.facts}
    assert kinds == {
        "ended_failure": "A hotel in Paris was too dear",
        "ended_success": "Hotel in Paris booked",
        "ended_unknown": "Hotel in Paris, once more",
        "unmet": "price <= 200",
    }
    assert sources_of(found, "unmet") == [f"evaluation:{own.id}"]


@pytest.mark.django_db
def test_section_3_4_the_precedent_finder_tells_what_was_decided_in_the_same_domains(
    learner: User, stranger: User, django_assert_num_queries: Queries
) -> None:
    now = timezone.now()
    both = plan_row(learner, "tax", "transition", when=now - timedelta(days=40), rationale="Both of them.")
    decision = decision_row(both)
    one = plan_row(learner, "tax", when=now - timedelta(days=2), rationale="Taxes alone.")
    plan_row(learner, "brand", rationale="Something else.")
    plan_row(stranger, "tax", "transition", rationale="Another's.")
    for days in range(3, 9):
        plan_row(learner, "tax", "system", "growth", when=now - timedelta(days=days), rationale="Far from it.")
    with django_assert_num_queries(1):
        found = agent_gather("precedent_finder", user_id=learner.pk, domains=["tax", "transition"], message="Leave?")
    said = [(fact.kind, fact.text, fact.count) for fact in found.facts]
    assert said == [
        ("precedent", "Both of them.", 2),
        ("decided", "postpone", 1),
        ("precedent", "Taxes alone.", 1),
        *[("precedent", "Far from it.", 1)] * 3,
    ]
    assert sources_of(found, "decided") == [*names(both), f"decision:{decision.pk}"]
    earlier = agent_gather(
        "precedent_finder", user_id=learner.pk, domains=["tax", "transition"], message="", before=one.created_at
    )
    assert names(one)[0] not in earlier.sources


@pytest.mark.django_db
def test_section_3_4_agents_find_nothing_of_nobody_cost_nothing_and_stay_in_their_domains(
    learner: User, stranger: User
) -> None:
    plan_row(stranger, *DOMAIN_KEYS[:3])
    episode_store(stranger, "Wishes about prices", "", "success")
    for agent in AGENTS.values():
        for message in ("", "\x00", "\ud800", "precios " * 5_000, "🙂"):
            for user_id in (learner.pk, 0):
                nothing = agent_gather(agent.id, user_id=user_id, domains=DOMAIN_KEYS, message=message)
                assert nothing == AgentContext(agent=agent.id)
        elsewhere = set(DOMAIN_KEYS) - set(agent.domains) if agent.domains else {"nonsense"}
        assert agent_gather(agent.id, user_id=stranger.pk, domains=elsewhere, message="prices").facts == ()
        assert str(agent.title)
        assert str(agent.about)
    assert not Hold.objects.exists()
    with pytest.raises(ValueError, match="the agents are market_analyst, compliance_auditor, lead_enricher"):
        agent_gather("oracle", user_id=learner.pk, domains=["tax"], message="")
