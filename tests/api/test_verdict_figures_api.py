"""How far grader and staff agree, and reviewed verdicts as labelled rows, through the API."""

import json
from typing import Any

import pytest

from accounts.models import User
from lesson_engine.models import LessonVersion, Session, Turn, VerdictReview
from lesson_engine.services.words import words_erase
from lesson_engine.workbench import reviewed
from telemetry.contracts import EXPORTS_CHAIN
from telemetry.models import Event
from tests.api.sessions import Program, Walk, meta
from tests.api.test_problems import problem_of
from tests.api.verdicts import AGREEMENT, LINES, Grader, judged
from tests.conftest import LessonMaker
from tests.lesson_engine.services.conftest import RIGHT, WRONG


@pytest.fixture
def grader(staff: User) -> Grader:
    """The staff's program."""
    return Grader(staff)


@pytest.fixture
def school(integrator: User) -> Program:
    """An integrator's program."""
    return Program(integrator)


@pytest.fixture
def light(make_lesson: LessonMaker) -> LessonVersion:
    """The small lesson: an open question and a number."""
    return make_lesson()


def at_question(school: Program, learner: str = "7", lesson: str = "light") -> Walk:
    walk = school.start(lesson, learner=learner)
    walk.go_to_question()
    return walk


def lines_of(response: Any) -> list[dict[str, Any]]:
    assert response.status_code == 200
    return [json.loads(line) for line in b"".join(response.streaming_content).splitlines()]


def test_without_reviews_there_is_nothing_to_agree_on(grader: Grader) -> None:
    assert grader.get(AGREEMENT).json == {"graders": [], "questions": []}


def test_agreement_is_told_by_question_and_grader_doubtful_ones_apart(
    grader: Grader, school: Program, make_lesson: LessonMaker
) -> None:
    make_lesson()
    make_lesson(meta=meta("water"))
    for at, (text, doubtful, said) in enumerate(
        [(RIGHT, False, "ACCEPT"), (RIGHT, False, "REJECT"), (WRONG, False, "REJECT"), (WRONG, True, "ACCEPT")]
    ):
        assert grader.review(judged(at_question(school, str(at)), text, doubtful=doubtful), said).status == 201
    other = judged(at_question(school, lesson="water"), WRONG)
    for said in ("ACCEPT", "PARTIAL"):  # the second one counts
        grader.review(other, said)
    version = other.verdict["grader"] if other.verdict else ""
    report = grader.get(AGREEMENT).json
    rows = {(row["lesson"], row["ask"], row["doubtful"]): row for row in report["questions"]}
    assert list(rows) == [("light", "ASK_001", False), ("light", "ASK_001", True), ("water", "ASK_001", False)]
    sure = rows["light", "ASK_001", False]
    assert (sure["grader"], sure["n"], sure["agreed"]) == (version, 3, 2)
    assert (sure["false_accepts"], sure["false_rejects"]) == (1, 0)
    assert sure["share"] == pytest.approx(2 / 3)
    assert (sure["low"], sure["high"]) == (pytest.approx(0.2077, abs=1e-4), pytest.approx(0.9385, abs=1e-4))
    assert sure["kappa"] == pytest.approx(0.4)
    doubtful_row = rows["light", "ASK_001", True]
    assert (doubtful_row["n"], doubtful_row["agreed"], doubtful_row["false_rejects"]) == (1, 0, 1)
    assert (rows["water", "ASK_001", False]["n"], rows["water", "ASK_001", False]["agreed"]) == (1, 0)
    assert [(row["grader"], row["doubtful"], row["n"]) for row in report["graders"]] == [
        (version, False, 4),
        (version, True, 1),
    ]


def test_kappa_is_null_where_both_said_the_same_of_everything(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    grader.review(judged(at_question(school)), "REJECT")
    [row] = grader.get(AGREEMENT).json["questions"]
    assert (row["kappa"], row["share"], row["n"]) == (None, 1, 1)


def test_filters_hold_for_agreement_and_in_exports(grader: Grader, school: Program, make_lesson: LessonMaker) -> None:
    make_lesson()
    make_lesson(meta=meta("water"))
    older = judged(at_question(school))
    assert older.verdict is not None
    Turn.objects.filter(pk=older.pk).update(verdict={**older.verdict, "grader": "0"})
    grader.review(older, "PARTIAL")
    grader.review(judged(at_question(school, lesson="water")), "PARTIAL", drawn=True)
    newer = VerdictReview.objects.latest("pk").grader
    for query, expected in (
        ("", [("light", "0"), ("water", newer)]),
        ("lesson=water", [("water", newer)]),
        ("grader=0", [("light", "0")]),
        ("ask=ASK_001&grader=0", [("light", "0")]),
        ("ask=ASK_002", []),
        ("lesson=nowhere", []),
        ("drawn=true", [("water", newer)]),
        ("drawn=false", [("light", "0")]),
    ):
        report = grader.get(f"{AGREEMENT}?{query}").json
        assert [(row["lesson"], row["grader"]) for row in report["questions"]] == expected
        rows = lines_of(grader.client.get(f"{LINES}?{query}"))
        assert [(row["lesson"], row["grader"]) for row in rows] == expected


@pytest.mark.parametrize("query", ["lesson=Light", "ask=", "grader=a%20b", "state=reviewed", "limit=5", "drawn=1"])
def test_what_a_query_cannot_say_is_refused_and_exports_nothing(grader: Grader, query: str) -> None:
    pointer = "/" + query.partition("=")[0]
    for address in (AGREEMENT, LINES):
        errors = problem_of(grader.client.get(f"{address}?{query}"), 422, "invalid-request")["errors"]
        assert [place["pointer"] for place in errors] == [pointer]
    assert not Event.objects.filter(chain_id=EXPORTS_CHAIN).exists()


def test_a_labelled_row_has_what_a_grader_is_trained_on_and_nobody_in_it(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    turn = judged(at_question(school, "marisol-38"), "They need it\u2028to sleep", doubtful=True)
    grader.review(turn, "PARTIAL", note="half of it")
    review = VerdictReview.objects.get()
    response: Any = grader.client.get(LINES)
    assert response.headers["Content-Type"] == "application/x-ndjson"
    assert response.headers["Content-Disposition"] == 'attachment; filename="labelled.jsonl"'
    text = b"".join(response.streaming_content).decode("ascii")
    assert json.loads(text) == {
        "question": "What do plants need light for? (ASK_001)",
        "objective": "Say what plants use light for",
        "reference_answers": [RIGHT],
        "student_answer": "They need it\u2028to sleep",
        "label": "partial",
        "lang": "en",
        "lesson": "light",
        "version": light.sha256,
        "ask_code": "ASK_001",
        "kind": "open",
        "grader": review.grader,
        "graded": "reject",
        "score": review.score,
        "doubtful": True,
        "drawn": False,
        "reviewed_at": review.at.isoformat(),
    }
    for name in ("marisol-38", "imas", "carla", "half of it"):
        assert name not in text


def test_the_review_that_counts_is_exported_and_erased_words_are_not(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    kept, erased = judged(at_question(school, "7"), "Sleep"), judged(at_question(school, "8"), "Zanahorias")
    for turn in (kept, erased):
        for said in ("ACCEPT", "PARTIAL"):
            grader.review(turn, said)
    words_erase(user_id=Session.objects.get(pk=erased.session_id).user_id)
    assert [(row["student_answer"], row["label"]) for row in lines_of(grader.client.get(LINES))] == [
        ("Sleep", "partial")
    ]


def test_each_export_is_on_record(grader: Grader, staff: User, school: Program, light: LessonVersion) -> None:
    grader.review(judged(at_question(school)), "ACCEPT")
    lines_of(grader.client.get(LINES))
    lines_of(grader.client.get(LINES, {"lesson": "light", "ask": "ASK_001"}))
    recorded = Event.objects.filter(chain_id=EXPORTS_CHAIN).order_by("seq")
    assert [event.event for event in recorded] == ["telemetry.exported"] * 2
    assert [event.data for event in recorded] == [
        {"by": staff.pk, "form": "labelled", "filters": {}},
        {"by": staff.pk, "form": "labelled", "filters": {"lesson": "light", "ask": "ASK_001"}},
    ]


def test_an_export_is_only_got_and_in_its_own_form(grader: Grader) -> None:
    for method in ("head", "post", "options"):
        assert getattr(grader.client, method)(LINES).status_code == 405
    problem_of(grader.client.get(LINES, headers={"Accept": "application/json"}), 406, "not-acceptable")
    assert not Event.objects.filter(chain_id=EXPORTS_CHAIN).exists()
    assert lines_of(grader.client.get(LINES, headers={"Accept": "application/x-ndjson"})) == []


def test_an_export_of_several_blocks_is_whole(
    grader: Grader, school: Program, light: LessonVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(11):
        grader.review(judged(at_question(school, str(number)), f"Sleep {number}"), "PARTIAL")
    monkeypatch.setattr(reviewed, "_CHUNK", 3)
    monkeypatch.setattr("lesson_engine.workbench.reviewed._ROWS_OF_A_BLOCK", 4)
    response: Any = grader.client.get(LINES)
    blocks = list(response.streaming_content)
    assert [len(block.splitlines()) for block in blocks] == [4, 4, 3]
    rows = [json.loads(line) for line in b"".join(blocks).splitlines()]
    assert [row["student_answer"] for row in rows] == [f"Sleep {number}" for number in range(11)]
