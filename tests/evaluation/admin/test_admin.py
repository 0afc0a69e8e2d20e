"""A plan on its page: steps, criteria, what came of them and what shaped it; the lists of plans and of failures."""

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import User
from evaluation.admin import EVALUATIONS_SHOWN
from evaluation.admin.plan_graph import HEIGHT, WIDTH, Box, plan_graph
from evaluation.layer import EvaluationLayer
from evaluation.models import CriterionCheck, PendingReflection
from memory.contracts import Adjustment, AdjustmentOperation
from memory.services import adjustments_set, episode_store, preference_set
from planning.contracts import Plan as PlanValue
from planning.contracts import Step
from planning.layer import PlanningLayer
from planning.models import Plan
from tests.each import each
from tests.gateway.admin_pages import HOSTILE, assert_closed, assert_escaped, text_of
from tests.hands import tampering
from tests.lesson_engine.learn.pages import Node, Page

WANTED = ["Hotel quality >= 7", "Hotel has pool", "It feels like home", "Price within budget ($200)"]
BAD = {"hotel_selected": {"quality": 5, "price": 80}, "user_feedback": "rejected"}
GOOD = {"hotel_selected": {"quality": 8, "price": 150, "pool": True}, "user_feedback": "confirmed"}
LISTS = ("planning_plan", "evaluation_pendingreflection")


def plan_url(plan: PlanValue | Plan) -> str:
    return reverse("admin:planning_plan_change", args=[plan.id])


def change_url(pending: PendingReflection) -> str:
    return reverse("admin:evaluation_pendingreflection_change", args=[pending.pk])


def listed(desk: Client, name: str = "planning_plan", **query: str) -> list[Any]:
    response = desk.get(reverse(f"admin:{name}_changelist"), query)
    assert response.status_code == 200, query
    return list(response.context["cl"].result_list)


def tasks(desk: Client, **query: str) -> list[str]:
    return [plan.task for plan in listed(desk, **query)]


def page_of(desk: Client, plan: PlanValue) -> Page:
    page = Page(desk.get(plan_url(plan)))
    assert page.status == 200
    return page


def cells(row: Node) -> list[str]:
    return [cell.text() for cell in row.nodes if cell.tag in ("th", "td")]


# A plan


def test_each_criterion_stands_beside_what_came_of_it_each_time(desk: Client, learner: User) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Paris", learner, criteria=WANTED)
    for result in (BAD, GOOD):
        EvaluationLayer().evaluate_result(plan, result)
    page = page_of(desk, plan)
    table = page.tree.one("table", class_="plan-criteria")
    quality, pool, home, price = [cells(row) for row in table.find("tbody")[0].find("tr")]
    assert quality[0] == "Hotel quality >= 7 comes from: given understood as: quality >= 7"
    assert quality[1].startswith("met 8 hotel_selected.quality"), "the latest first"
    assert quality[2].startswith("not met 5 hotel_selected.quality")
    assert "Quality below threshold (5 < 7)" in quality[2]
    assert pool[1].startswith("met")
    assert pool[2].startswith("unknown data_missing")
    assert home[0] == "It feels like home comes from: given not understood; only a judge can say"
    assert [cell.split()[:2] for cell in home[1:]] == [["unknown", "not_understood"]] * 2
    assert price[2].startswith("met 80 hotel_selected.price")
    sums = [cells(row) for row in table.one("tbody", class_="plan-sum").find("tr")]
    assert sums[0] == ["Success", "yes", "no to be reflected on"]
    assert [row[0] for row in sums[1:]] == ["Relevance", "Share of criteria that could be checked"]
    assert sums[2][1:] == ["0.75", "0.50"]
    results = page.tree.find("details", class_="plan-result")
    assert ['"quality": 8' in results[0].text(), '"quality": 5' in results[1].text()] == [True, True]


def test_votes_of_judges_are_told(desk: Client, learner: User) -> None:
    said = iter(["yes", "unknown", "yes"])

    class Judge:
        def complete(self, prompt: str) -> str:
            return next(said)

    plan = PlanningLayer().create_plan("Book hotel in Paris", learner, criteria=WANTED)
    EvaluationLayer(llm=Judge()).evaluate_result(plan, GOOD)
    home = page_of(desk, plan).tree.one("table", class_="plan-criteria").find("tbody")[0].find("tr")[2]
    assert "judges: 2 for, 0 against, 1 cannot say" in home.text()


def test_before_any_result_the_page_says_so(desk: Client, learner: User) -> None:
    page = page_of(desk, PlanningLayer().create_plan("Book hotel in Paris", learner))
    assert "No result was evaluated yet." in page.words
    assert "not evaluated" in page.words
    assert not page.tree.find("tbody", class_="plan-sum")


def test_of_many_evaluations_the_latest_are_shown(desk: Client, learner: User) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Paris", learner, criteria=WANTED)
    for quality in range(EVALUATIONS_SHOWN):
        EvaluationLayer().evaluate_result(plan, {"quality": quality})
    assert "there are earlier ones" not in page_of(desk, plan).words
    EvaluationLayer().evaluate_result(plan, {"quality": 99})
    page = page_of(desk, plan)
    assert "The latest ten evaluations; there are earlier ones." in page.words
    row = cells(page.tree.one("table", class_="plan-criteria").find("tbody")[0].find("tr")[0])
    assert len(row) == 1 + EVALUATIONS_SHOWN
    assert row[1].startswith("met 99")


def test_what_shaped_a_plan_is_told(desk: Client, learner: User) -> None:
    episode_store(learner, "User rejected cheap hotel (quality < 7)", "hotel_booking", "failure")
    episode_store(learner, "User prefers quality over price", "hotel_booking", "success")
    preference_set(user=learner, text="needs wheelchair access")
    change = Adjustment(operation=AdjustmentOperation.CHANGE, setting="priority", value="quality", previous="price")
    adjustments_set(user=learner, reflection_id="r1", task_type="hotel_booking", adjustments=[change])
    first = PlanningLayer().create_plan("Book hotel in Paris", learner)
    page = page_of(desk, first)
    told = {name.text(): value.text() for name, value in _pairs(page.tree.one("dl", class_="plan-origin"))}
    assert told == {
        "Priority": "quality",
        "Constraints": "quality >= 7",
        "Learned from episodes": "quality > price",
        "Preferences": "needs wheelchair access",
        "Adjustments": "r1: priority=quality",
    }
    criteria = page.tree.one("table", class_="plan-criteria").text()
    assert all(f"comes from: {source}" in criteria for source in ("task type", "task", "experience"))
    again = page_of(desk, PlanningLayer().create_plan("Book hotel in Paris for 2 nights", learner))
    [cached] = [said for name, said in _pairs(again.tree.one("dl", class_="plan-origin")) if "cache" in name.text()]
    assert cached.one("a").attrs["href"] == plan_url(first)
    assert "2 nights" in cached.text()


def _pairs(terms: Node) -> list[tuple[Node, Node]]:
    return list(zip(terms.find("dt"), terms.find("dd"), strict=True))


def test_steps_are_drawn_and_told(desk: Client, learner: User) -> None:
    plan = PlanningLayer().create_plan("Book flight to Paris on Dec 15", learner)
    page = page_of(desk, plan)
    drawing = page.tree.one("div", class_="plan-graph").one("svg")
    assert drawing.attrs["aria-hidden"] == "true", "the table says the same"
    assert len(drawing.find("g")) == len(plan.steps) == 5
    rows = [cells(row) for row in page.tree.one("table", class_="plan-steps").one("tbody").find("tr")]
    assert rows[0][:2] == ["1", "Search flights to Paris on Dec 15"]
    assert [row[3] for row in rows][:2] == ["–", "1"]


def test_hostile_text_is_text(desk: Client, learner: User) -> None:
    task = f"Book hotel in Paris {HOSTILE}"
    criteria = [f"quality {HOSTILE} >= 7", "quality >= 7", f'Status == "{HOSTILE}"', "User confirms"]
    preference_set(user=learner, text=f"no {HOSTILE}")
    plan = PlanningLayer().create_plan(task, learner, criteria=criteria)
    EvaluationLayer().evaluate_result(
        plan, {HOSTILE: HOSTILE, "status": HOSTILE, "quality": {"value": HOSTILE}, "user_feedback": f"no, {HOSTILE}"}
    )
    assert_escaped(desk.get(plan_url(plan)))
    for name in LISTS:
        shown = desk.get(reverse(f"admin:{name}_changelist")).content.decode()
        assert "<script>alert" not in shown
        assert "&lt;script&gt;alert" in shown


def test_long_values_are_cut(desk: Client, learner: User) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Paris", learner, criteria=["status == confirmed", "quality >= 7"])
    EvaluationLayer().evaluate_result(plan, {"status": "x" * 100_000, "quality": list(range(4_000))})
    assert CriterionCheck.objects.exists()
    page = page_of(desk, plan)
    assert len(page.html) < 60_000
    assert page.tree.one("details", class_="plan-result").text().endswith("…")


# The drawing


def steps_of(*dependencies: list[int]) -> list[Step]:
    return [
        Step(order=number, description=f"Step {number}", dependencies=after)
        for number, after in enumerate(dependencies, 1)
    ]


def overlapping(boxes: tuple[Box, ...]) -> bool:
    return any(
        abs(one.x - other.x) < WIDTH and abs(one.y - other.y) < HEIGHT
        for place, one in enumerate(boxes)
        for other in boxes[:place]
    )


def test_a_row_has_what_can_be_done_side_by_side() -> None:
    graph = plan_graph(steps_of([], [1], [1], [1], [2, 3, 4]))
    assert [box.row for box in graph.boxes] == [0, 1, 1, 1, 2]
    assert len(graph.paths) == 6
    assert not overlapping(graph.boxes)
    assert graph.boxes[0].middle == graph.boxes[2].middle == graph.boxes[4].middle, "rows are centred"


def test_lines_that_others_imply_are_left_out_and_long_ones_go_around() -> None:
    assert len(plan_graph(steps_of([], [1], [1, 2], [1, 2, 3])).paths) == 3
    around = plan_graph(steps_of([], [1], [2], [], [3, 4]))
    assert [(box.step.order, box.row) for box in around.boxes] == [(1, 0), (4, 0), (2, 1), (3, 2), (5, 3)]
    [long] = [path for path in around.paths if " H " in path]
    right = max(box.x + WIDTH for box in around.boxes)
    assert max(int(number) for number in re.findall(r"\d+", long)) <= max(around.width, around.height)
    assert right < around.width, "the lane is beside all boxes"


@each(
    "steps",
    [
        [],
        steps_of([]),
        steps_of(*[[]] * 50),
        steps_of(*[list(range(1, number)) for number in range(1, 51)]),
        steps_of([7], [1, 1], [2, 99]),
        [Step(order=1, description="x" * 500), Step(order=2, description="宿泊施設を予約する" * 20, dependencies=[1])],
    ],
)
def test_whatever_the_steps_are_they_can_be_drawn(steps: list[Step]) -> None:
    graph = plan_graph(steps)
    assert len(graph.boxes) == len(steps)
    assert not overlapping(graph.boxes)
    assert all(box.x + WIDTH <= graph.width and box.y + HEIGHT <= graph.height for box in graph.boxes)
    assert all(len(box.lines) <= 2 and len(line) <= 32 for box in graph.boxes for line in box.lines)


# The lists


@pytest.fixture
def many(learner: User, stranger: User) -> dict[str, PlanValue]:
    """Plans of two people and of somebody unknown here, of both sources, with every outcome."""
    layer, evaluator = PlanningLayer(), EvaluationLayer()
    plans = {
        "good": layer.create_plan("Book hotel in Paris", learner, criteria=WANTED),
        "bad": layer.create_plan("Book flight to Rome on Dec 15", learner, criteria=["quality >= 7"]),
        "open": layer.create_plan("Book hotel in Lima", stranger),
    }
    plans["cached"] = layer.create_plan("Book hotel in Lima for 2 nights", stranger)
    plans["unclear"] = layer.create_plan("Book hotel in Oslo", "user_123")
    evaluator.evaluate_result(plans["good"], GOOD)
    evaluator.evaluate_result(plans["bad"], {"quality": 2})
    evaluator.evaluate_result(plans["unclear"], {})
    episode_store(stranger, "User prefers quality over price", "flight_booking", "success")
    plans["learned"] = layer.create_plan("Book flight to Lima on Dec 15", stranger)
    change = Adjustment(operation=AdjustmentOperation.SET, setting="priority", value="quality")
    adjustments_set(user=learner, reflection_id="r1", task_type="hotel_booking", adjustments=[change])
    plans["adjusted"] = layer.create_plan("Book hotel in Quito", learner)
    return plans


def test_plans_are_found_by_type_source_outcome_what_shaped_them_and_for_whom(
    desk: Client,
    many: dict[str, PlanValue],
) -> None:
    def names(**query: str) -> set[str]:
        found = {plan.pk for plan in listed(desk, **query)}
        return {name for name, plan in many.items() if plan.id in found}

    assert [plan.pk for plan in listed(desk)] == [plan.id for plan in reversed(many.values())]
    assert names(task_type="flight_booking") == {"bad", "learned"}
    assert names(source__exact="cache") == {"cached"}
    assert names(outcome="success") == {"good"}
    assert names(outcome="failure") == {"bad"}
    assert names(outcome="unknown") == names(q="user_123") == names(q="oslo") == {"unclear"}
    assert names(outcome="none") == {"open", "cached", "learned", "adjusted"}
    assert names(shaped="experience") == {"learned"}
    assert names(shaped="adjustments") == {"adjusted"}
    assert names(shaped="experience", outcome="none", task_type="flight_booking") == {"learned"}
    assert names(q="ANA") == {"good", "bad", "adjusted"}
    assert names(q=str(many["open"].id)) == {"open"}
    assert names(q="hotel in l") == {"open", "cached"}
    assert names(q=str(uuid.uuid4())) == names(q="%") == names(q="\0") - set(many) == set()
    assert names(outcome="x", shaped="x") == set(many)


def test_failures_wait_to_be_reflected_on_and_lead_to_their_plans(
    desk: Client,
    many: dict[str, PlanValue],
) -> None:
    [pending] = listed(desk, "evaluation_pendingreflection", state="running")
    assert listed(desk, "evaluation_pendingreflection", state="done") == []
    list_, page = reverse("admin:evaluation_pendingreflection_changelist"), change_url(pending)
    for url, leads_to in ((list_, page), (page, plan_url(many["bad"]))):
        shown = desk.get(url)
        assert leads_to in shown.content.decode()
        assert "Book flight to Rome on Dec 15" in text_of(shown)
        assert "to be reflected on" in text_of(shown)


def test_they_are_for_staff_alone(many: dict[str, PlanValue], client: Client, learner: User) -> None:
    urls = [reverse(f"admin:{name}_changelist") for name in LISTS]
    assert_closed(client, learner, [*urls, plan_url(many["good"])])


def test_lists_and_pages_ask_few_questions_however_many_rows(
    desk: Client,
    many: dict[str, PlanValue],
    django_assert_num_queries: Any,
) -> None:
    EvaluationLayer().evaluate_result(many["good"], BAD)
    for name in LISTS:
        with django_assert_num_queries(4) as asked:  # the browser's session, its user, the count, the rows
            listed(desk, name)
        rows = asked.captured_queries[-1]["sql"]
        assert not any(long in rows for long in ("desired_result", "execution_result", '"metadata"')), rows
    # 3. the plan and whom it is for; 4. its steps; 5. its criteria; 6. its evaluations; 7. their checks
    with django_assert_num_queries(7):
        page_of(desk, many["good"])
    pending = PendingReflection.objects.all()[0]
    with django_assert_num_queries(3):
        desk.get(change_url(pending))


_PLANS = """
INSERT INTO planning_plan (id, user_id, owner, task, task_type, language, source, desired_result, config, constraints,
    metadata, cost, created_at, outcome, evaluated_at)
SELECT gen_random_uuid(), %(user)s, %(user)s::text, 'Task number ' || n, 'general', 'en', 'template', '{}', '{}', '[]',
    '{"applied_adjustments": [], "influenced_by_experience": false}', 0, now() - n * interval '1 second', '', NULL
FROM generate_series(1, %(count)s) AS n
"""


@pytest.mark.hard
def test_a_list_of_ten_thousand_is_searched_as_one_of_a_few(desk: Client, learner: User) -> None:
    with tampering(), connection.cursor() as cursor:  # plans without steps
        cursor.execute(_PLANS, {"user": learner.pk, "count": 12_000})
        cursor.execute("ANALYZE planning_plan")
    assert len(listed(desk)) == 50
    assert len(listed(desk, p="150")) == 50
    assert tasks(desk, q="number 11999") == []  # not among the latest 10,000
    assert tasks(desk, q="number 9999") == ["Task number 9999"]
    for query in ({"shaped": "experience"}, {"shaped": "adjustments"}, {"outcome": "failure"}, {"task_type": "lesson"}):
        assert listed(desk, **query) == []
    page = text_of(desk.get(reverse("admin:planning_plan_changelist")))
    assert "at most 10000 are listed, filter for others" in page
