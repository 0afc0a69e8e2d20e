"""Evaluations for programs: what came of a plan, who sees it, and what is refused."""

import json
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from accounts.models import Scope, User
from accounts.services import learner_erase
from core.api.idempotency import request_claim
from core.models import IdempotentRequest, LeasedWork
from evaluation.checking.check import criterion_check
from evaluation.contracts import CriterionResult
from evaluation.models import Evaluation, PendingReflection
from gateway.models import Hold, OperationTiming
from planning.contracts import SuccessCriterion
from planning.models import CachedPlan, Plan
from tests.api.sessions import Json, Program, integrator_create
from tests.planning.api_plans import (
    HOTEL,
    PLANNING,
    PLANS,
    WHO,
    browser,
    evaluated,
    hurry,
    listed,
    planned,
    planner,
    refusal,
)
from tests.provider import Provider, hangs, says

Queries = Callable[[int], AbstractContextManager[Any]]
GOOD: Json = {"hotel_selected": {"quality": 8, "price": 150}, "user_feedback": "confirmed"}
BAD: Json = {"hotel_selected": {"quality": 5, "price": 80}, "user_feedback": "rejected - too simple"}


@pytest.fixture
def mine(learner: User) -> Program:
    return planner(learner)


@pytest.fixture
def plan(mine: Program) -> Json:
    """A plan with three criteria."""
    return planned(mine, criteria=HOTEL)


def evaluations(plan: Json) -> str:
    return f"{PLANS}{plan['id']}/evaluations/"


# What is told


def test_a_success_is_told_with_what_was_read_and_where(mine: Program, plan: Json) -> None:
    made = mine.post(evaluations(plan), {"execution_result": GOOD})
    assert made.status == 201
    assert made.headers["Location"] == f"http://testserver/api/v1/evaluations/{made.json['id']}/"
    told = mine.get(made.headers["Location"]).json
    assert told == made.json == mine.get(evaluations(plan)).json["items"][0]
    assert told["plan_id"] == plan["id"]
    assert (told["success"], told["errors"], told["warnings"], told["reflection_pending"]) == (True, [], [], False)
    assert (told["relevancy_score"], told["completeness_score"], told["cost_microcents"]) == (1, 1, 0)
    assert [(one["criterion"], one["met"], one["actual"], one["path"]) for one in told["criteria_met"][:2]] == [
        ("quality >= 7", True, 8, "hotel_selected.quality"),
        ("price <= 200", True, 150, "hotel_selected.price"),
    ]
    assert told["criteria_met"][2]["path"] == "user_feedback"
    assert mine.get(f"{PLANS}{plan['id']}/").json["outcome"] == "success"


def test_a_failure_is_told_and_waits_to_be_reflected_on(mine: Program, plan: Json) -> None:
    told = evaluated(mine, plan, BAD)
    assert [(one["met"], one["error"]) for one in told["criteria_met"]] == [
        (False, "Quality below threshold (5 < 7)"),
        (True, None),
        (False, "User rejected"),
    ]
    assert (told["success"], told["errors"]) == (False, ["Quality below threshold (5 < 7)", "User rejected"])
    assert told["relevancy_score"] < 0.5
    assert told["reflection_pending"] is True
    pending = PendingReflection.objects.get(evaluation=told["id"])
    PendingReflection.objects.filter(pk=pending.pk).update(state=LeasedWork.State.DONE, lease_until=None)
    assert mine.get(f"evaluations/{told['id']}/").json["reflection_pending"] is False


def test_what_the_result_does_not_say_is_unknown(mine: Program) -> None:
    wants = planned(mine, criteria=["Hotel has pool", "Hotel quality >= 7", "It feels like home"])
    told = evaluated(mine, wants, {"hotel": {"quality": 8}})
    assert [(one["met"], one["reason"]) for one in told["criteria_met"]] == [
        (None, "data_missing"),
        (True, None),
        (None, "not_understood"),
    ]
    assert (told["success"], told["completeness_score"]) == (True, pytest.approx(1 / 3))
    assert told["warnings"][0] == "Cannot verify criterion: pool (missing data)"


def test_nothing_that_could_be_checked_is_neither_success_nor_failure(mine: Program, plan: Json) -> None:
    told = evaluated(mine, plan, {})
    assert (told["success"], told["errors"], told["reflection_pending"]) == (False, [], False)
    assert (told["completeness_score"], mine.get(f"{PLANS}{plan['id']}/").json["outcome"]) == (0, "unknown")


def test_a_plan_that_failed_serves_no_other_task(mine: Program) -> None:
    first = planned(mine)
    evaluated(mine, first, {"quality": 2, "user_feedback": "rejected"})
    assert mine.get(f"{PLANS}{first['id']}/").json["outcome"] == "failure"
    assert CachedPlan.objects.get().quarantined_at is not None
    assert planned(mine)["source"] == "template"


def test_each_result_is_an_evaluation_and_the_last_one_is_the_plans_outcome(mine: Program, plan: Json) -> None:
    made = [evaluated(mine, plan, result)["id"] for result in (BAD, GOOD, BAD, {}, GOOD)]
    assert listed(mine, evaluations(plan)) == made[::-1]
    told = mine.get(f"{PLANS}{plan['id']}/").json
    assert told["outcome"] == "success"
    assert told["evaluated_at"] == mine.get(f"evaluations/{made[-1]}/").json["created_at"]


# Who sees which


def test_what_is_not_ones_own_does_not_exist(mine: Program, plan: Json, stranger: User) -> None:
    told = evaluated(mine, plan, GOOD)
    for other in (planner(stranger), planner(integrator_create())):
        for there, nowhere in (
            (other.get(evaluations(plan)), other.get(f"{PLANS}{uuid.uuid4()}/evaluations/")),
            (other.get(f"evaluations/{told['id']}/"), other.get(f"evaluations/{uuid.uuid4()}/")),
            (
                other.post(evaluations(plan), {"execution_result": BAD}),
                other.post(f"{PLANS}{uuid.uuid4()}/evaluations/", {"execution_result": BAD}),
            ),
        ):
            assert refusal(there) == refusal(nowhere) == (404, "not-found")
            assert there.json["detail"] == nowhere.json["detail"]
    assert Evaluation.objects.count() == 1


def test_a_program_evaluates_for_the_learners_whom_it_manages(db: None) -> None:
    school, other = planner(integrator_create("school")), planner(integrator_create("other"))
    plan = planned(school, criteria=HOTEL, learner="7")
    told = evaluated(school, plan, GOOD)
    assert listed(school, evaluations(plan)) == [told["id"]]
    assert other.get(f"evaluations/{told['id']}/").status == 404
    pupil = Plan.objects.get().user
    assert pupil is not None
    learner_erase(user=pupil)
    assert school.get(f"evaluations/{told['id']}/").status == 404
    assert not Evaluation.objects.exists()


def test_staff_see_all_in_a_browser_after_their_second_factor(
    mine: Program, plan: Json, staff: User, settings: LazySettings
) -> None:
    told, office, page = evaluated(mine, plan, GOOD), planner(staff), browser(staff)
    paths = (f"evaluations/{told['id']}/", evaluations(plan))
    assert [office.get(path).status for path in paths] == [200, 200]
    assert [page.get(f"/api/v1/{path}").status_code for path in paths] == [200, 200]
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    assert [page.get(f"/api/v1/{path}").status_code for path in paths] == [404, 404]
    assert [office.get(path).status for path in paths] == [200, 200]


@pytest.mark.parametrize("scope", PLANNING)
def test_reading_and_writing_are_scopes_of_their_own(plan: Json, learner: User, scope: Scope) -> None:
    program = Program(learner, scopes=(scope,))
    reads, writes = program.get(evaluations(plan)), program.post(evaluations(plan), {"execution_result": GOOD})
    assert (reads.status, writes.status) == ((200, 403) if scope == Scope.PLANS_READ else (403, 201))


# Sent twice


def test_sent_twice_it_is_one_evaluation_also_when_the_first_answer_was_lost(mine: Program, plan: Json) -> None:
    body = {"execution_result": BAD}
    first, again = (mine.post(evaluations(plan), body, idempotency_key="a") for _ in range(2))
    assert (first.status, again.status, again.json) == (201, 201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    other = mine.post(evaluations(plan), {"execution_result": GOOD}, idempotency_key="a")
    assert refusal(other) == (422, "idempotency-key-reused")
    request = IdempotentRequest.objects.get()
    known = {"owner": request.owner, "key": "a", "fingerprint": request.fingerprint}
    request.delete()
    request_claim(**known)  # as a process does that dies before it answers
    assert refusal(mine.post(evaluations(plan), body, idempotency_key="a")) == (409, "request-still-running")
    IdempotentRequest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert mine.post(evaluations(plan), body, idempotency_key="a").json == first.json
    assert (Evaluation.objects.count(), PendingReflection.objects.count()) == (1, 1)
    IdempotentRequest.objects.all().delete()  # after a day
    assert mine.post(evaluations(plan), {"execution_result": GOOD}, idempotency_key="a").json["success"] is True


# What is refused


def deep(levels: int) -> Json:
    """Objects in objects."""
    value: Json = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/execution_result"),
        ({"execution_result": None}, "/execution_result"),
        ({"execution_result": [1]}, "/execution_result"),
        ({"execution_result": "confirmed"}, "/execution_result"),
        ({"execution_result": {"a\0": 1}}, "/execution_result/a\0"),
        ({"execution_result": {"a": ["\0"]}}, "/execution_result/a/0"),
        ({"execution_result": {}, "success": True}, "/success"),
    ],
)
def test_a_body_that_does_not_fit_is_refused_where_it_stands(
    mine: Program, plan: Json, body: Json, pointer: str
) -> None:
    answer = mine.post(evaluations(plan), body)
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


def test_what_is_too_large_or_too_deep_is_refused_and_nothing_is_stored(mine: Program, plan: Json) -> None:
    large = {"text": "x" * 256 * 1024}
    for result, said in ((large, "at most 262,144"), (deep(32), "30 levels")):
        answer = mine.post(evaluations(plan), {"execution_result": result})
        assert refusal(answer) == (422, "result-refused")
        assert said in answer.places()["/execution_result"]
    assert mine.post(evaluations(plan), {"execution_result": {"text": "x" * 1_000_000}}).status == 413
    bottomless = '{"execution_result": ' + '{"a":' * 5_000 + "1" + "}" * 5_001
    assert mine.post(evaluations(plan), bottomless).status == 400
    assert not Evaluation.objects.exists()
    assert mine.post(evaluations(plan), {"execution_result": deep(31)}).status == 201
    assert mine.post(evaluations(plan), {"execution_result": {"text": "x" * 262_000}}).status == 201


@pytest.mark.parametrize(
    "result",
    [
        '{"quality": 1e308}',
        '{"quality": -1e400}',
        '{"quality": 1' + "0" * 4_000 + "}",
        '{"quality": 1' + "0" * 5_000 + "}",
        '{"quality": 9223372036854775808, "price": -0.0}',
        '{"quality": "8/10", "quality ": "<script>alert(1)</script>", "": null, " ": [[], {}, [[]]]}',
        '{"quality": [5, 9], "Quality": 7, "QUALITY": "seven"}',
        '{"user_feedback": {"confirmed": [true, false, null]}, "constructor": {"__proto__": 1}}',
        '{"quality": "\\ud83d\\ude00 \\u202e \\uffff", "price": "%s {0} ${x}"}',
        '{"quality": 8, "quality": 5}',
        json.dumps({f"quality_{number}": number for number in range(2_000)}),
        json.dumps({"hotel": [{"quality": number % 10, "price": number} for number in range(1_000)]}),
    ],
    ids=lambda text: text[:30],
)
def test_whatever_json_is_sent_it_is_evaluated_or_refused(mine: Program, plan: Json, result: str) -> None:
    answer = mine.post(evaluations(plan), f'{{"execution_result": {result}}}')
    assert answer.status in (201, 400, 422), answer.text
    if answer.status == 201:
        assert mine.get(f"evaluations/{answer.json['id']}/").json == answer.json
        assert len(answer.json["criteria_met"]) == 3


def test_more_work_than_there_is_time_for_is_broken_off(mine: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def check(criterion: SuccessCriterion, result: Any) -> CriterionResult:
        checked.append(criterion.text)
        return criterion_check(criterion, result)

    plan = planned(mine, criteria=[f"value of thing{number} >= {number}" for number in range(50)])
    large = {f"value of thing{number}": number for number in range(5_000)}
    hurry(monkeypatch, "evaluate_result", 100)
    monkeypatch.setattr("evaluation.layer.criterion_check", check)
    answer = mine.post(evaluations(plan), {"execution_result": large})
    assert refusal(answer) == (504, "operation-timed-out")
    assert len(checked) < 50
    assert not Evaluation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_judge_is_asked_where_a_model_is_configured_and_its_votes_are_told(learner: User, provider: Provider) -> None:
    provider.always(says("I would rather not."))
    mine = planner(learner)
    plan = planned(mine, criteria=["Hotel quality >= 7", "The place feels like home"])
    provider.always(says("Yes."))
    told = evaluated(mine, plan, {"quality": 8, "lounge": "fireplace"})
    judged = told["criteria_met"][1]
    assert (judged["met"], judged["checked_by"], judged["votes"]) == (
        *(True, "judge"),
        {"met": 3, "not_met": 0, "unknown": 0},
    )
    holds = Hold.objects.filter(operation="evaluate_result")
    assert told["cost_microcents"] == sum(hold.cost or 0 for hold in holds) > 0


@pytest.mark.django_db(transaction=True)
def test_an_evaluation_that_takes_too_long_leaves_nothing_and_may_be_asked_for_again(
    learner: User, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, body = planner(learner), {"execution_result": {"quality": 8}}
    plan = planned(mine, criteria=["Hotel quality >= 7", "The place feels like home"])
    with monkeypatch.context() as patch:
        hurry(patch, "evaluate_result")
        provider.always(hangs())
        late = mine.post(evaluations(plan), body, idempotency_key="a")
    assert refusal(late) == (504, "operation-timed-out")
    assert late.json["detail"] == "evaluate_result exceeded 150ms"
    assert not Evaluation.objects.exists()
    provider.always(says("Yes."))
    provider.release()
    assert mine.post(evaluations(plan), body, idempotency_key="a").status == 201


# Few statements


def test_queries_do_not_grow_with_evaluations(
    mine: Program, plan: Json, staff: User, django_assert_num_queries: Queries
) -> None:
    made = [evaluated(mine, plan, result) for result in (BAD, GOOD, {})]
    for program in (mine, planner(staff)):
        with django_assert_num_queries(WHO + 3):  # the plan, if it may be seen; its evaluations; their criteria
            assert len(program.get(evaluations(plan)).json["items"]) == 3
        with django_assert_num_queries(WHO + 2):
            program.get(f"evaluations/{made[0]['id']}/")


def test_how_long_it_took_is_counted_for_whom_the_plan_is(staff: User, learner: User, plan: Json) -> None:
    evaluated(planner(staff), plan, GOOD)
    whose = set(OperationTiming.objects.values_list("operation", "user_id"))
    assert {operation for operation, _user in whose} >= {"create_plan", "evaluate_result", "check_criteria"}
    assert {user for _operation, user in whose} == {learner.pk}


def test_queries_of_making_one(mine: Program, plan: Json, django_assert_num_queries: Queries) -> None:
    evaluated(mine, plan, GOOD)  # what a process reads once
    # 3. the plan; 4. its steps; 5. its criteria; then how much was evaluated this minute, and whom the plan is for; 6.
    # to 8. how long checking took; 9. to 11. how long the relevance; 12. SAVEPOINT; 13. and 14. whom it is for, held;
    # 15. the plan, held; 16. the evaluation; 17. its checks; 18. to 23. the plan's outcome, and what of it is cached;
    # 24. what is to be reflected on; 25. the chain's head, locked; 26. the event and the head; 27. RELEASE; 28. to 30.
    # how long it took; 31. and 32. the evaluation as it is shown
    with django_assert_num_queries(WHO + 33):
        evaluated(mine, plan, BAD)
    # A success asks nothing of the cache and leaves nothing to be reflected on, but it is remembered: whether it
    # is; SAVEPOINT; its owner, held; their room; whether it is by now; the episode; RELEASE
    with django_assert_num_queries(WHO + 33 - 5 + 7):
        evaluated(mine, plan, GOOD)
