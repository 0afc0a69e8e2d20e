"""Verdicts for staff: what waits for a look, what is told of it, and to whom."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import Role, Scope, User
from core.models import IdempotentRequest
from lesson_engine.models import LessonVersion, Session, Turn, VerdictReview
from lesson_engine.services.words import words_erase
from tests.api.sessions import LEARNING, Program, Walk, integrator_create, meta
from tests.api.test_paging import encoded
from tests.api.verdicts import AGREEMENT, GRADING, LINES, VERDICTS, Grader, judged
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.services.conftest import RIGHT, WRONG

Queries = Callable[[int], AbstractContextManager[Any]]
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""
HOSTILE = [
    "</script><script>alert(1)</script>",
    "'; DROP TABLE x; --",
    "\u202eright\u200b",
    "🌱" * 500,
    "{own} %s %(n)s",
]


@pytest.fixture
def grader(staff: User) -> Grader:
    """The staff's program; its token has been used this minute."""
    one = Grader(staff)
    one.get(VERDICTS)
    return one


@pytest.fixture
def school(integrator: User) -> Program:
    """An integrator's program."""
    return Program(integrator)


@pytest.fixture
def light(make_lesson: LessonMaker) -> LessonVersion:
    """The small lesson: an open question and a number."""
    return make_lesson()


def at_question(school: Program, learner: str = "7", lesson: str = "light", code: str = "") -> Walk:
    walk = school.start(lesson, learner=learner)
    walk.go_to_question(code)
    return walk


def ids(turns: list[Turn]) -> list[int]:
    return [turn.pk for turn in turns]


def test_a_verdict_is_told_with_the_words_and_what_was_expected(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    turn = judged(at_question(school), "They need it to sleep", doubtful=True)
    item = grader.get(VERDICTS).json["items"][0]
    assert item["id"] == turn.pk
    assert (item["session"], item["turn"]) == (str(turn.session_id), turn.version)
    assert item["lesson"] == {
        "slug": "light",
        "title": "Light",
        "language": "en",
        "version": 1,
        "sha256": light.sha256,
    }
    assert item["question"] == {
        "code": "ASK_001",
        "question": {
            "markdown": "What do plants need light for? (ASK_001)",
            "html": "<p>What do plants need light for? (ASK_001)</p>\n",
        },
        "objective": "Say what plants use light for",
        "kind": "open",
        "reference_answers": [RIGHT],
    }
    assert item["answer"] == "They need it to sleep"
    of_learner = at_question(school).program.get(f"sessions/{turn.session_id}/turns/").json["items"][turn.version]
    assert item["verdict"] == of_learner["verdict"]
    assert item["verdict"]["doubtful"] is True
    assert item["explanation"]["words"]
    assert isinstance(item["explanation"]["found"], list)
    assert item["review"] is None
    assert item["answered_at"] == of_learner["started_at"]


def test_nothing_tells_who_the_learner_is(grader: Grader, light: LessonVersion, make_lesson: LessonMaker) -> None:
    school = Program(integrator_create("colegio-azul"))
    turn = judged(at_question(school, learner="marisol-38"))
    grader.review(turn, "ACCEPT")
    for address in (f"{VERDICTS}?state=reviewed", f"{VERDICTS}{turn.pk}/"):
        text = grader.get(address).text
        assert "They need it" in text
        assert "marisol-38" not in text
        assert "colegio-azul" not in text


def test_numbers_and_lists_are_told_with_their_answers(
    grader: Grader, school: Program, make_lesson: LessonMaker
) -> None:
    make_lesson(
        number("ASK_001") | {"answer": {"kind": "numeric", "value": 6, "unit": "volt"}},
        ask("ASK_002", answer={"kind": "list", "items": [["light"], ["water", "rain"]]}),
        ask("ASK_003", answer={"kind": "procedure", "steps": [["open it"], ["close it"]]}),
    )
    walk = at_question(school)
    judged(walk, "seven volt")
    walk.go_to_question("ASK_002")
    judged(walk, "light, zanahorias")
    walk.go_to_question("ASK_003")
    judged(walk, "close it")
    told = {
        item["question"]["code"]: item for page in grader.pages() for item in page if item["answer"] != "I don't know"
    }
    assert {code: item["question"]["kind"] for code, item in told.items()} == {
        "ASK_001": "numeric",
        "ASK_002": "list",
        "ASK_003": "procedure",
    }
    references = {code: item["question"]["reference_answers"] for code, item in told.items()}
    assert references == {"ASK_001": ["6 volt"], "ASK_002": ["light; water"], "ASK_003": ["open it; close it"]}
    assert any(
        "zanahorias" in line for line in told["ASK_002"]["explanation"]["found"]
    )  # staff see the learner's words


def test_explanations_are_in_the_readers_language(
    grader: Grader, school: Program, light: LessonVersion, staff: User
) -> None:
    turn = judged(at_question(school))
    english, spanish = (
        Grader(staff, language=language).get(f"{VERDICTS}{turn.pk}/").json["explanation"]["words"]
        for language in ("en", "es")
    )
    assert english != spanish


def test_doubtful_ones_come_first_and_the_newest_of_each_half(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    doubts = [False, True, False, True]
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=doubt) for n, doubt in enumerate(doubts)]
    assert grader.listed() == ids([turns[3], turns[1], turns[2], turns[0]])
    assert grader.listed("state=waiting") == grader.listed()
    assert grader.listed("state=doubtful") == ids([turns[3], turns[1]])
    assert grader.listed("state=sure") == ids([turns[2], turns[0]])


def test_a_sample_is_of_the_sure_ones_and_in_no_order_of_theirs(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=n == 0) for n in range(10)]
    sample = grader.listed("state=sample")
    assert set(sample) == set(ids(turns[1:]))
    assert grader.listed("state=sample&limit=2") == sample
    grader.review(Turn.objects.get(pk=sample[3]), "ACCEPT", drawn=True)
    assert grader.listed("state=sample") == [*sample[:3], *sample[4:]]


def test_those_with_a_review_wait_no_more(grader: Grader, school: Program, light: LessonVersion) -> None:
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=n < 2) for n in range(4)]
    for turn in (turns[3], turns[0], turns[2]):
        grader.review(turn, "REJECT")
    assert grader.listed() == ids([turns[1]])
    assert grader.listed("state=reviewed") == ids([turns[2], turns[0], turns[3]])
    grader.review(turns[3], "ACCEPT")
    assert grader.listed("state=reviewed") == ids([turns[3], turns[2], turns[0]])
    item = grader.get(f"{VERDICTS}?state=reviewed").json["items"][0]
    assert (item["review"]["result"], item["review"]["current"], item["verdict"]["result"]) == (
        "ACCEPT",
        True,
        "REJECT",
    )


@pytest.mark.parametrize("state", ["waiting", "reviewed"])
def test_each_filter_holds(grader: Grader, school: Program, make_lesson: LessonMaker, state: str) -> None:
    make_lesson()
    make_lesson(meta=meta("water"))
    walk = at_question(school)
    wrong, right = judged(walk), judged(walk, RIGHT)
    walk.go_to_question("ASK_002")
    sum_ = judged(walk, "7")
    other = judged(at_question(school, lesson="water"), doubtful=True)
    older = judged(at_question(school, "8"), "Sleep")
    assert older.verdict is not None
    Turn.objects.filter(pk=older.pk).update(verdict={**older.verdict, "grader": "0"})
    every = [wrong, right, sum_, other, older]
    if state == "reviewed":
        for turn in every:
            assert grader.review(turn, "PARTIAL").status == 201

    def found(query: str) -> set[int]:
        return set(grader.listed(f"state={state}&{query}"))

    assert found("") == set(ids(every))
    assert found("lesson=water") == set(ids([other]))
    assert found("lesson=light") == set(ids([wrong, right, sum_, older]))
    assert found("lesson=nowhere") == set()
    assert found("ask=ASK_002") == set(ids([sum_]))
    assert found("ask=ASK_001&lesson=water") == set(ids([other]))
    assert found("grader=0") == set(ids([older]))
    assert found("result=ACCEPT") == set(ids([right]))
    assert found("result=REJECT&lesson=light&ask=ASK_001") == set(ids([wrong, older]))
    assert found("result=NOT_GRADABLE") == set()


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("lesson=Light", "/lesson"),
        ("lesson=", "/lesson"),
        ("ask=1st", "/ask"),
        ("ask=ASK_001%0A", "/ask"),
        ("grader=", "/grader"),
        ("grader=a%20b", "/grader"),
        ("grader=" + "x" * 41, "/grader"),
        ("result=accept", "/result"),
        ("state=all", "/state"),
        ("state=doubtful&state=sure", "/state"),
        ("limit=0", "/limit"),
        ("learner=7", "/learner"),
        ("grader=%00", "/grader"),
    ],
)
def test_what_a_query_cannot_say_is_refused_where_it_stands(grader: Grader, query: str, pointer: str) -> None:
    answer = grader.get(f"{VERDICTS}?{query}")
    assert (answer.status, answer.json["code"]) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


def test_pages_give_each_verdict_once_in_order(grader: Grader, school: Program, light: LessonVersion) -> None:
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=n % 2 == 0) for n in range(10)]
    for limit in (1, 2, 3, 4, 5, 9, 10, 11):
        pages = [[item["id"] for item in page] for page in grader.pages(f"limit={limit}")]
        assert [one for page in pages for one in page] == [*ids(turns[8::-2]), *ids(turns[9::-2])], limit
        assert {len(page) for page in pages[:-1]} <= {limit}
        assert len(pages) == -(-10 // limit)


@pytest.mark.parametrize(
    "limit", [pytest.param(1, marks=pytest.mark.hard), 2, *(pytest.param(n, marks=pytest.mark.hard) for n in (3, 5))]
)
def test_reviews_and_answers_that_come_in_meanwhile_move_no_page(
    grader: Grader, school: Program, light: LessonVersion, limit: int
) -> None:
    """Whoever reviews what each page shows, while learners go on, sees each of the verdicts once."""
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=n % 2 == 0) for n in range(8)]
    seen = []
    for at, page in enumerate(grader.pages(f"limit={limit}")):
        seen += [item["id"] for item in page]
        for item in page:
            assert grader.review(Turn.objects.get(pk=item["id"]), "PARTIAL").status == 201
        judged(at_question(school, f"late-{at}"), "They came later", doubtful=at % 2 == 0)
    assert seen[: len(turns)] != sorted(seen[: len(turns)], reverse=True)  # doubtful ones first
    assert len(seen) == len(set(seen))
    assert set(ids(turns)) <= set(seen)


def test_a_verdict_that_is_reviewed_again_moves_no_page_of_those_reviewed(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    turns = [judged(at_question(school, str(n)), f"Sleep {n}") for n in range(4)]
    for turn in turns:
        grader.review(turn, "REJECT")
    pages = grader.pages("state=reviewed&limit=2")
    first = [item["id"] for item in next(pages)]
    grader.review(turns[3], "ACCEPT")
    rest = [item["id"] for page in pages for item in page]
    assert (first, rest) == (ids([turns[3], turns[2]]), ids([turns[1], turns[0]]))


CURSORS = [
    "x",
    "ä",
    "====",
    *map(encoded, ["p=x1", "p=d", "p=s-1", "p=d1&r=1", "o=1", "p=", "p=d1&o=1", "p=d" + "9" * 19]),
]


@pytest.mark.parametrize("cursor", CURSORS)
def test_a_cursor_that_was_not_given_out_is_refused(grader: Grader, cursor: str) -> None:
    response = grader.client.get(VERDICTS, {"cursor": cursor})
    assert (response.status_code, response.json()["code"]) == (404, "cursor-unknown")


@pytest.mark.parametrize(
    ("state", "place"), [("doubtful", "s1"), ("sure", "d1"), ("sample", "d1"), ("sample", "x"), ("reviewed", "d1")]
)
def test_a_cursor_of_another_list_is_refused(grader: Grader, state: str, place: str) -> None:
    response = grader.client.get(VERDICTS, {"cursor": encoded(f"p={place}"), "state": state})
    assert (response.status_code, response.json()["code"]) == (404, "cursor-unknown")


def test_erased_words_wait_for_nobody_and_what_was_said_of_them_stays(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    walk = at_question(school)
    told, untold = judged(walk, "zanahorias", doubtful=True), judged(walk, "more zanahorias", doubtful=True)
    grader.review(told, "PARTIAL", note="zanahorias are no light")
    words_erase(user_id=Session.objects.get().user_id)
    assert grader.listed() == []
    item = grader.get(f"{VERDICTS}?state=reviewed").json["items"][0]
    assert (item["id"], item["answer"], item["review"]["result"]) == (told.pk, None, "PARTIAL")
    assert item["review"]["note"] == ""
    for address in (VERDICTS, f"{VERDICTS}?state=reviewed", f"{VERDICTS}{told.pk}/", f"{VERDICTS}{untold.pk}/"):
        assert "zanahorias" not in grader.get(address).text
    refused = grader.review(untold, "ACCEPT")
    assert (refused.status, refused.json["code"]) == (409, "action-not-possible")
    for kept in IdempotentRequest.objects.all():
        assert b"zanahorias" not in bytes(kept.body or b"")


def test_picked_choices_do_not_wait_but_can_be_read(grader: Grader, school: Program, make_lesson: LessonMaker) -> None:
    picks = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
    make_lesson(ask(answer={"kind": "choice", "choices": picks}))
    walk = at_question(school)
    walk.act("answers", choices=["b"])
    assert grader.listed() == []
    item = grader.get(f"{VERDICTS}{Turn.objects.get(kind='answer').pk}/").json
    assert (item["question"]["kind"], item["answer"], item["question"]["reference_answers"]) == (
        "choice",
        "Salt",
        ["Sugar"],
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_any_words_come_back_as_they_were_written(
    grader: Grader, school: Program, light: LessonVersion, text: str
) -> None:
    turn = judged(at_question(school), text)
    for item in (grader.get(f"{VERDICTS}{turn.pk}/").json, *next(grader.pages())):
        assert item["answer"] == text


def test_a_verdict_has_the_history_of_its_reviews(
    grader: Grader, school: Program, light: LessonVersion, staff: User
) -> None:
    turn = judged(at_question(school))
    assert grader.get(f"{VERDICTS}{turn.pk}/").json["reviews"] == []
    said = [grader.review(turn, result, note=result.lower()).json["review"] for result in ("ACCEPT", "PARTIAL")]
    verdict = grader.get(f"{VERDICTS}{turn.pk}/").json
    newest, oldest = verdict["reviews"]
    assert verdict["review"] == newest
    assert newest == {**said[1], "note": "partial", "current": True}
    assert oldest == {**said[0], "note": "accept", "current": False}
    assert (oldest["by"], oldest["graded"], oldest["result"]) == ("carla", "REJECT", "ACCEPT")


def test_a_verdict_is_sent_again_only_when_something_was_said_of_it(
    grader: Grader, school: Program, light: LessonVersion
) -> None:
    turn = judged(at_question(school))
    for address in (f"{VERDICTS}{turn.pk}/", AGREEMENT):
        first = grader.get(address)
        again = grader.get(address, if_none_match=first.headers["ETag"])
        assert (again.status, again.text) == (304, "")
        grader.review(turn, "ACCEPT" if address == AGREEMENT else "PARTIAL")
        assert grader.get(address, if_none_match=first.headers["ETag"]).status == 200


def test_what_is_no_verdict_is_not_there(grader: Grader, school: Program, light: LessonVersion) -> None:
    turn = judged(at_question(school))
    going_on = Turn.objects.filter(kind="continue").latest("pk")
    for wrong in (going_on.pk, turn.pk + 1000, 0, 2**63, 10**30, "9" * 5000, "x", -1):
        for answer in (
            grader.get(f"{VERDICTS}{wrong}/"),
            grader.post(f"{VERDICTS}{wrong}/reviews/", {"result": "ACCEPT"}),
        ):
            assert (answer.status, answer.json["code"]) == (404, "not-found")
    assert not VerdictReview.objects.exists()


def test_only_staff_may(light: LessonVersion, school: Program, staff: User, learner: User, integrator: User) -> None:
    turn = judged(at_question(school))
    for user in (learner, integrator):
        program = Program(user, scopes=LEARNING)
        for address in (VERDICTS, f"{VERDICTS}{turn.pk}/", AGREEMENT, LINES):
            assert (program.get(address).status, program.get(address).json["code"]) == (403, "scope-missing")
        assert program.post(f"{VERDICTS}{turn.pk}/reviews/", {"result": "ACCEPT"}).json["code"] == "scope-missing"
    reader, writer = (Grader(staff, scopes=(scope,)) for scope in GRADING)
    assert reader.review(turn, "ACCEPT").json["code"] == "scope-missing"
    assert [writer.get(path).status for path in (VERDICTS, f"{VERDICTS}{turn.pk}/", AGREEMENT, LINES)] == [403] * 4
    assert writer.review(turn, "ACCEPT").status == 201
    assert VerdictReview.objects.count() == 1


def test_staff_who_are_staff_no_more_may_not(grader: Grader, staff: User) -> None:
    User.objects.filter(pk=staff.pk).update(role=Role.LEARNER, is_staff=False, is_superuser=False)
    assert grader.get(VERDICTS).json["code"] == "scope-missing"


def test_a_browser_of_staff_needs_the_second_factor(
    light: LessonVersion, school: Program, staff: User, settings: LazySettings
) -> None:
    turn = judged(at_question(school))
    browser = Client()
    browser.force_login(staff, "django.contrib.auth.backends.ModelBackend")

    def review() -> Any:
        path, body = f"{VERDICTS}{turn.pk}/reviews/", {"result": "ACCEPT"}
        return browser.post(path, body, content_type="application/json")

    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    refused = [browser.get(path) for path in (VERDICTS, f"{VERDICTS}{turn.pk}/", AGREEMENT, LINES)]
    for response in (*refused, review()):
        assert (response.status_code, json.loads(response.content)["code"]) == (403, "second-factor-required")
    settings.STAFF_WITHOUT_SECOND_FACTOR = "a demonstration"
    assert browser.get(VERDICTS).status_code == 200
    assert review().status_code == 201


@pytest.mark.parametrize("count", [1, 5])
def test_queries_do_not_grow_with_verdicts(
    grader: Grader, school: Program, light: LessonVersion, django_assert_num_queries: Queries, count: int
) -> None:
    turns = [judged(at_question(school, str(n)), f"Sleep {n}", doubtful=n % 2 == 0) for n in range(3 * count)]
    for turn in turns[2 * count :]:
        for result in ("ACCEPT", "PARTIAL"):
            grader.review(turn, result)
    grader.get(VERDICTS)
    with django_assert_num_queries(WHO + 3):  # what learners compared, the doubtful ones and the others
        grader.get(VERDICTS)
    with django_assert_num_queries(WHO + 2):
        grader.get(f"{VERDICTS}?state=doubtful")
    with django_assert_num_queries(WHO + 2):  # which ones, and they
        grader.get(f"{VERDICTS}?state=sample")
    with django_assert_num_queries(WHO + 1):
        grader.get(f"{VERDICTS}?state=reviewed")
    with django_assert_num_queries(WHO + 2):  # the answer, and its reviews
        grader.get(f"{VERDICTS}{turns[-1].pk}/")
    with django_assert_num_queries(WHO + 2):  # by grader, and by question
        grader.get(AGREEMENT)


def test_a_scope_of_its_own_is_asked_for(staff: User) -> None:
    every = tuple(scope for scope in Scope if scope not in GRADING)
    assert Program(staff, scopes=every).get(VERDICTS).json["code"] == "scope-missing"


def test_wrong_answers_are_the_learners_own_affair(school: Program, learner: User, light: LessonVersion) -> None:
    """A learner's own token does not lead to verdicts, not even to theirs."""
    walk = Program(learner).start("light")
    walk.go_to_question()
    turn = judged(walk, WRONG)
    assert Program(learner).get(f"{VERDICTS}{turn.pk}/").status == 403
