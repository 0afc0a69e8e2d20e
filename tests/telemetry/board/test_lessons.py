"""What is shown of lessons, against sessions that were really walked and against plain counting."""

from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from accounts.models import User
from lesson_engine.dashboard.register import MEASURES, PANELS, TILES
from lesson_engine.dashboard.steps import quartiles_of
from lesson_engine.models import LessonVersion, Mode
from telemetry import panels
from telemetry.board.pages import board_of
from telemetry.models import Event
from telemetry.panels import Filters, Linked, duration
from telemetry.selectors import measure_read
from telemetry.services import rollups_advance
from tests.conftest import RIGHT, WRONG, LessonMaker, ask, number
from tests.lesson_engine.admin.conftest import Walk
from tests.telemetry.board.conftest import DAY, EVER, Record, counted

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[False, True], ids=["live", "rolled up"])
def walked(request: pytest.FixtureRequest, learner: User, stranger: User, make_lesson: LessonMaker) -> LessonVersion:
    """One who answers at once, and one who runs out of attempts and goes on; both finish."""
    version = make_lesson(ask(), number())
    Walk(learner, version).go_on().answer(RIGHT).go_on().answer("6").go_on()
    lost = Walk(stranger, version).mode(Mode.ADAPTIVE).go_on()
    lost.for_turns(40, text=WRONG)
    if request.param:
        rollups_advance()
    return version


def today() -> Filters:
    now = Event.objects.latest("pk").timestamp.date()
    return Filters(since=now, until=now)


def of(event: str) -> list[dict[str, Any]]:
    return list(Event.objects.filter(event=event).values_list("data", flat=True))


def found(name: str) -> dict[str, int]:
    return {cell.label: cell.count for cell in measure_read(name, "label", filters=today())}


def test_counts_are_those_of_the_record(walked: LessonVersion) -> None:
    answers = of("evaluation.result")
    assert found("sessions") == {"session.started": 2, "session.finished": len(of("session.finished"))}
    assert found("verdicts") == Counter(
        f"{one['rule']}|{'NOT_SURE' if one['doubtful'] else one['result']}" for one in answers
    )
    assert found("deviations") == Counter(one["deviation"] for one in answers)
    assert sum(found("doubtful").values()) == sum(bool(one["doubtful"]) for one in answers)
    assert found("operations") == Counter(one["op"] for one in of("adaptation.planned"))
    firsts = Counter(one["result"] for one in answers if one["first"])
    assert found("first_answers") == firsts
    assert firsts["ACCEPT"] == 2
    ended = [one for one in of("advancement.reject") if one["closed"] and one["outcome"] == "shown"]
    assert found("dead_ends") == Counter(one["askCode"] for one in ended)
    assert ended


def test_every_step_that_was_left_is_counted_with_its_time(walked: LessonVersion) -> None:
    left = [one for one in of("step.shown") + of("session.finished") if one.get("leftSeconds") is not None]
    assert left
    assert sum(found("steps").values()) == sum(found("step_types").values()) == len(left)
    assert {label.split("|")[0] for label in found("step_types")} == {one["leftType"] for one in left}
    assert {label.split("|")[0] for label in found("steps")} == {one["leftStep"] for one in left}


def test_the_board_says_what_happened(walked: LessonVersion) -> None:
    board = board_of(today())
    numbers = {tile.code: shown.value for tile, shown in board.tiles}
    assert numbers["sessions"] == "2"
    assert (
        numbers["first"] == "67 %"
    )  # of three: a number that reads "bananas" cannot be judged, so it is no first answer
    assert numbers["dead-ends"] == str(sum(found("dead_ends").values()))
    shown = {one.panel.code: one for one in board.panels}
    assert set(shown) >= {panel.code for panel in PANELS}
    assert all(shown[panel.code].view for panel in PANELS if panel.code not in ("watch", "own-words"))


def test_a_dead_end_leads_to_the_sessions_where_it_happened(walked: LessonVersion) -> None:
    [panel] = [one for one in board_of(today()).panels if one.panel.code == "dead-ends"]
    assert panel.view
    links = [cell for row in panel.view.table.rows for cell in row if isinstance(cell, Linked)]
    assert {link.url for link in links} == {"/admin/lesson_engine/session/?lesson=light&dead_ends=yes"}
    ended = [one for one in of("advancement.reject") if one["closed"] and one["outcome"] == "shown"]
    assert [row[0] for row in panel.view.table.rows] == sorted({one["askCode"] for one in ended})


def test_one_course_is_shown_step_by_step_in_the_lessons_order(walked: LessonVersion) -> None:
    of_light = {one.panel.code: one for one in board_of(today().model_copy(update={"courses": ("light",)})).panels}[
        "steps"
    ]
    of_all = {one.panel.code: one for one in board_of(today()).panels}["steps"]
    assert of_light.view
    assert of_all.view
    assert [row[0] for row in of_light.view.table.rows] == ["1.1 Reading", "1.2 Question", "1.3 Question"]
    assert {row[0] for row in of_all.view.table.rows} == {"Reading", "Question"}


def test_of_nothing_there_is_nothing_to_show() -> None:
    board = board_of(EVER)
    assert [one.view for one in board.panels] == [None] * len(board.panels)
    assert {tile.code: shown.value for tile, shown in board.tiles} == {
        "sessions": "0",
        "completion": "0",
        "first": "–",
        "doubtful": "0",
        "dead-ends": "0",
        "cost": "0.00",
    }


def test_each_question_has_one_first_answer(record: Record) -> None:
    spared = {"result": "PARTIAL", "zone": "not_sure"}
    record(
        "evaluation.result",
        {"result": "REJECT", "attempts": 1, "first": True},  # wrong, then in doubt
        {**spared, "attempts": 1, "first": False},
        {**spared, "attempts": 0, "first": True},  # in doubt, then right
        {"result": "ACCEPT", "attempts": 1, "first": False},
        {"result": "ACCEPT", "attempts": 1},  # from before
        {"result": "REJECT", "attempts": 2},
        {"result": "REJECT"},
    )
    assert counted("first_answers", "label") == {"REJECT": 1, "PARTIAL": 1, "ACCEPT": 1}


def test_money_is_summed_up(record: Record) -> None:
    record(
        "budget.usage",
        {"tier": "cheap", "costMicrocents": 2_500_000},
        {"tier": "thinker", "costMicrocents": 250_400_000},
    )
    [cost] = [shown.value for tile, shown in board_of(EVER).tiles if tile.code == "cost"]
    assert cost == "2.53"


def test_everything_is_registered_once() -> None:
    assert set(MEASURES) <= set(panels.measures())
    assert set(PANELS) <= set(panels.panels())
    assert set(TILES) <= set(panels.tiles())
    with pytest.raises(ValueError, match="another measure 'sessions'"):
        panels.measure_register(MEASURES[0].model_copy(update={"label": "'x'"}))
    panels.measure_register(MEASURES[0])


@pytest.mark.parametrize("seconds", [0, 0.4, 1, 1.2, 2, 3, 4, 59, 60, 1000, 131_072, 10**9])
def test_a_time_falls_into_the_bucket_that_its_median_is_read_from(record: Record, seconds: float) -> None:
    left = {"leftStep": "moments[0].steps[0]", "leftType": "ASK", "leftSeconds": seconds}
    record("step.shown", left)
    [label] = counted("step_types", "label")
    assert counted("steps", "label") == {f"moments[0].steps[0]|{label}": 1}
    low, median, high = quartiles_of({int(label.rpartition("|")[2]): 1})
    assert low <= median <= high
    assert median <= max(1, seconds * sqrt(2))
    assert median >= min(seconds, 2**17) / sqrt(2) or seconds < 1


@given(st.lists(st.floats(1, 100_000), min_size=1, max_size=60))
def test_quartiles_are_right_to_the_width_of_a_bucket(times: list[float]) -> None:
    buckets: Counter[int] = Counter()
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT least(34, 1 + floor(2 * ln(t) / ln(2::float8)))::int FROM unnest(%s::float8[]) AS t", [times]
        )
        buckets.update(row[0] for row in cursor.fetchall())
    ordered = sorted(times)
    for share, estimate in zip((0.25, 0.5, 0.75), quartiles_of(buckets), strict=True):
        at_most = ordered[min(len(ordered) - 1, int(share * len(ordered)))]
        at_least = ordered[max(0, int(share * len(ordered)) - 1)]
        assert at_least / sqrt(2) / 1.001 <= estimate <= at_most * sqrt(2) * 1.001


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.3, "0.3 s"),
        (1, "1 s"),
        (9.04, "9 s"),
        (59, "59 s"),
        (60, "1 min"),
        (90, "1.5 min"),
        (5400, "1.5 h"),
        (86400, "24 h"),
    ],
)
def test_times_are_short(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_random_walks_leave_no_figure_that_cannot_be_shown(learner: User, photosynthesis: LessonVersion) -> None:
    random, walk = Random(5), Walk(learner, photosynthesis)
    for _ in range(60):
        if walk.session.status != "active":
            break
        if walk.state.phase == "asking":
            walk.answer(random.choice(["no sé", "clorofila", "6", "dame la respuesta", "<script>", ""]))
        else:
            walk.go_on()
    for courses in ((), (photosynthesis.lesson.slug,)):
        for mode in ("", "adaptive"):
            board_of(today().model_copy(update={"courses": courses, "mode": mode, "since": DAY}))
