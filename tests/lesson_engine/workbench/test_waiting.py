"""What waits for a look of staff, what had one, and how far grader and staff agree."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from accounts.models import User
from lesson_engine.contracts import Verdict, VerdictResult
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.models import LessonVersion, Session, Turn
from lesson_engine.outcomes.expected import reference_answers
from lesson_engine.player.outline import Outline
from lesson_engine.services.turns import LEASE
from lesson_engine.services.words import words_erase
from lesson_engine.workbench.queue import Place, queue_of
from lesson_engine.workbench.reviewed import (
    EVERYTHING,
    VerdictFilter,
    agreement,
    agreement_by_grader,
    labelled_rows,
    reviews_of,
    verdicts_reviewed,
    verdicts_waiting,
)
from tests.conftest import DEMO_LESSON, LessonMaker, ask
from tests.lesson_engine.services.conftest import turn_begun
from tests.lesson_engine.services.questions.test_withdrawing import withdraw
from tests.lesson_engine.workbench.conftest import RIGHT, WRONG, Start, answer, finished, go_on, review
from tests.lesson_engine.workbench.many import many_answers, many_reviews

Queries = Callable[[int], AbstractContextManager[Any]]


def waiting_page(wanted: VerdictFilter = EVERYTHING, *, after: str = "", limit: int = 50) -> tuple[Place, ...]:
    return queue_of("waiting", wanted, after=after, limit=limit)


def in_doubt(turn: Turn, doubtful: bool = True) -> Turn:
    """As if the grader had been unsure of it, or not."""
    Turn.objects.filter(pk=turn.pk).update(verdict={**(turn.verdict or {}), "doubtful": doubtful})
    return turn


def grader_of(turn: Turn) -> str:
    return Verdict.model_validate(turn.verdict).grader


def waiting(**wanted: Any) -> list[int]:
    return [turn.pk for turn in verdicts_waiting(VerdictFilter(**wanted))]


@pytest.fixture
def four(light: LessonVersion, start: Start) -> list[Turn]:
    """The answers of one session: two wrong, a right one, and a number; the first is doubtful."""
    session = start(light)
    for text in (WRONG, WRONG, RIGHT):
        answer(session, text)
    go_on(session)
    answer(session, "6")
    turns = list(Turn.objects.filter(session=session, kind="answer").order_by("version"))
    for turn in turns:
        in_doubt(turn, turn is turns[0])
    return turns


def test_what_nobody_looked_at_waits_the_newest_first(four: list[Turn], staff: User) -> None:
    first, second, third, fourth = (turn.pk for turn in four)
    assert waiting() == [fourth, third, second, first]
    review(four[0].session, "ACCEPT", staff, at=1)
    assert waiting() == [fourth, third, first]
    assert waiting(doubtful=True) == [first]
    assert waiting(doubtful=False) == [fourth, third]
    assert waiting(ask="ASK_002") == [fourth]
    assert waiting(result=VerdictResult.ACCEPT, lesson="light") == [fourth, third]
    assert waiting(lesson="nowhere") == waiting(grader="other") == []
    assert waiting(grader=grader_of(four[0])) == [fourth, third, first]


def test_a_page_begins_with_what_is_doubtful(four: list[Turn]) -> None:
    pages, after = [], ""
    for _ in range(4):
        page = waiting_page(after=after, limit=1)
        pages += [place.turn.pk for place in page]
        after = page[-1].after
    assert waiting_page(after=after) == ()
    assert pages == [four[0].pk, four[3].pk, four[2].pk, four[1].pk]
    assert [place.turn.pk for place in waiting_page(limit=50)] == pages
    assert [place.turn.pk for place in waiting_page(limit=2)] == pages[:2]
    sure = queue_of("sure", EVERYTHING, after="", limit=2)
    assert [place.turn.pk for place in sure] == pages[1:3]


@pytest.mark.parametrize("after", ["x1", "d", "dx", "d-1", "d1.5", "d²", "d" + "9" * 19, " d1"])
def test_a_place_that_no_page_gave_is_refused(db: None, after: str) -> None:
    with pytest.raises(ValueError, match="no cursor"):
        waiting_page(after=after)
    with pytest.raises(ValueError, match="no cursor"):
        queue_of("sure", EVERYTHING, after="d1", limit=50)


def test_pages_miss_nothing_when_some_are_looked_at_meanwhile(four: list[Turn], staff: User) -> None:
    page = waiting_page(limit=1)
    review(four[0].session, "ACCEPT", staff, at=0)
    rest = waiting_page(after=page[-1].after, limit=50)
    assert [place.turn.pk for place in rest] == [four[3].pk, four[2].pk, four[1].pk]


def test_a_page_takes_three_queries(four: list[Turn], django_assert_num_queries: Queries) -> None:
    with django_assert_num_queries(3):
        page = waiting_page()
        for turn in (place.turn for place in page):
            assert turn.words.text
            assert turn.session.lesson.slug == "light"
            assert turn.session.lesson_version.sha256


def test_there_is_nothing_to_say_of_picked_choices_blanks_and_erased_words(
    make_lesson: LessonMaker, start: Start, learner: User
) -> None:
    choices = [{"code": "a", "text": "One", "correct": True}, {"code": "b", "text": "Two"}]
    picked = make_lesson(ask(answer={"kind": "choice", "choices": choices}))
    session = start(picked, user=learner)
    answer(session, "Two")
    answer(session, "")
    assert waiting() == []


def test_erased_words_and_withdrawn_questions_do_not_wait(light: LessonVersion, start: Start, four: list[Turn]) -> None:
    session = start(light)
    answer(session, WRONG)
    assert len(waiting()) == 5
    withdraw(light)
    assert waiting() == [four[3].pk]
    words_erase(user_id=four[0].session.user_id)
    assert waiting() == []


def test_an_answer_that_is_being_judged_does_not_wait(asking: Session) -> None:
    turn_begun(asking, WRONG, lease=LEASE)
    assert waiting() == []


def test_what_was_looked_at_is_listed_with_the_last_word(four: list[Turn], staff: User) -> None:
    session = four[0].session
    review(session, "ACCEPT", staff, at=0)
    last = review(session, "PARTIAL", staff, at=0)
    review(session, "ACCEPT", staff, at=2)
    listed = verdicts_reviewed()
    assert [(one.turn_id, one.result) for one in listed] == [(four[2].pk, "ACCEPT"), (four[0].pk, "PARTIAL")]
    assert [one.turn_id for one in verdicts_reviewed(VerdictFilter(doubtful=True))] == [four[0].pk]
    assert reviews_of(four[0])[0] == last
    assert [one.result for one in reviews_of(four[0])] == ["PARTIAL", "ACCEPT"]


def test_agreement_is_told_apart_by_question_grader_and_doubt(four: list[Turn], staff: User) -> None:
    session = four[0].session
    review(session, "ACCEPT", staff, at=0)
    review(session, "REJECT", staff, at=1)
    review(session, "ACCEPT", staff, at=2)
    review(session, "REJECT", staff, ask_code="ASK_002")
    rows = {(row.lesson, row.ask, row.doubtful): row for row in agreement()}
    assert {key: (of.n, of.agreed, of.false_accepts, of.false_rejects) for key, of in rows.items()} == {
        ("light", "ASK_001", True): (1, 0, 0, 1),
        ("light", "ASK_001", False): (2, 2, 0, 0),
        ("light", "ASK_002", False): (1, 0, 1, 0),
    }
    review(session, "REJECT", staff, at=0)  # the last word alone counts
    (doubtful,) = agreement(VerdictFilter(doubtful=True))
    assert (doubtful.agreed, doubtful.grader) == (1, grader_of(four[0]))
    sure, unsure = agreement_by_grader()
    assert (sure.lesson, sure.ask, sure.doubtful, sure.n, unsure.n) == ("", "", False, 3, 1)
    assert agreement(VerdictFilter(lesson="nowhere")) == []


def test_labelled_rows_say_everything_but_who(four: list[Turn], light: LessonVersion, staff: User) -> None:
    session = four[0].session
    said = review(session, "ACCEPT", staff, at=0, note="By Carla, of Ana")
    review(session, "PARTIAL", staff, ask_code="ASK_002")
    first, second = labelled_rows()
    assert first == {
        "question": "What do plants need light for? (ASK_001)",
        "objective": "Say what plants use light for",
        "reference_answers": (RIGHT,),
        "student_answer": WRONG,
        "label": "accept",
        "lang": "en",
        "lesson": "light",
        "version": light.sha256,
        "ask_code": "ASK_001",
        "kind": "open",
        "grader": said.grader,
        "graded": "reject",
        "score": said.score,
        "doubtful": True,
        "drawn": False,
        "reviewed_at": said.at.isoformat(),
    }
    assert (second["label"], second["reference_answers"], second["kind"]) == ("partial", ("6",), "numeric")
    review(session, "REJECT", staff, at=0)
    assert [row["label"] for row in labelled_rows()] == ["partial", "reject"]
    words_erase(user_id=session.user_id)
    assert list(labelled_rows()) == []


def test_labelled_rows_come_in_parts(
    four: list[Turn], staff: User, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Queries
) -> None:
    session = four[0].session
    for at in range(3):
        review(session, "ACCEPT", staff, at=at)
    monkeypatch.setattr("lesson_engine.workbench.reviewed._CHUNK", 2)
    with django_assert_num_queries(3):
        assert len(list(labelled_rows())) == 3


def test_every_kind_of_question_has_reference_answers(start: Start, staff: User) -> None:
    outline = Outline(lesson_read(DEMO_LESSON.read_bytes()))
    for code in outline.asks:
        found = reference_answers(outline.ask(code), "es")
        assert found
        assert all(found)


def test_no_first_page_reads_all_turns(light: LessonVersion, start: Start, staff: User) -> None:
    many_answers(finished(start(light)), sessions=5_000)
    many_reviews(by=staff.pk, count=300)
    filters: list[dict[str, Any]] = [{}, {"lesson": "light"}, {"doubtful": False}, {"ask": "ASK_002"}]
    for wanted in filters:
        for doubtful, index in ((True, "turn_doubtful"), (False, "lesson_engine_turn_pkey")):
            narrowed = VerdictFilter(**{**wanted, "doubtful": doubtful})
            plan = verdicts_waiting(narrowed)[:51].explain()
            assert "Seq Scan on lesson_engine_turn" not in plan, plan
            assert index in plan, plan
        page = queue_of("sure" if "doubtful" in wanted else "waiting", VerdictFilter(**wanted), after="", limit=50)
        assert len(page) == 50
