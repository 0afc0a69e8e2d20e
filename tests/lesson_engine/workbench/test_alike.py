"""Which waiting answers are so like one that one decision can do for all."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from accounts.models import User
from gateway.services import texts_embed_locally
from lesson_engine.adaptation.deviation_model import EMBED_CHARS
from lesson_engine.models import LessonVersion, Turn
from lesson_engine.services.lessons import lesson_publish
from lesson_engine.services.words import words_erase
from lesson_engine.workbench import alike
from lesson_engine.workbench.alike import answers_alike
from lesson_engine.workbench.queue import turn_shown
from tests.conftest import LessonMaker, lesson_data
from tests.lesson_engine.workbench.conftest import RIGHT, WRONG, Start, answer, answers, go_on, review

Queries = Callable[[int], AbstractContextManager[Any]]
Give = Callable[..., Turn]
NEAR = ("They need it for sleeping", "they need it in order to sleep well")
FAR = ("To make sugar", "because zebras run", "They do not need it to sleep", "They need 8 of it to sleep")


@pytest.fixture
def give(start: Start) -> Give:
    """An answer of somebody new."""

    def given(version: LessonVersion, text: str, ask_code: str = "ASK_001") -> Turn:
        session = start(version, at=ask_code)
        answer(session, text)
        return answers(session, ask_code)[0]

    return given


def like(turn: Turn) -> list[Turn]:
    shown = turn_shown(turn.pk)
    assert shown is not None
    return answers_alike(shown)


def graded(turn: Turn, result: str, *, doubtful: bool = False) -> Turn:
    """As if the grader had said so and been sure."""
    verdict = {**(turn.verdict or {}), "result": result, "doubtful": doubtful}
    Turn.objects.filter(pk=turn.pk).update(result=result, verdict=verdict)
    return turn


def test_what_says_nearly_the_same_the_most_alike_first(light: LessonVersion, give: Give) -> None:
    near = [graded(give(light, text), "REJECT") for text in reversed(NEAR)]
    same = give(light, WRONG.upper())
    for text in FAR:
        graded(give(light, text), "REJECT")
    assert like(give(light, WRONG)) == [same, near[1], near[0]]


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        ("The Sun goes round the Earth", "The Earth goes round the Sun", "The sun goes around the earth"),
        ("More resistance means less current", "More resistance means more current", "More resistance is less current"),
        ("Foxes eat the hens", "Hens eat the foxes", "The fox eats the hens"),
        ("The temperature rises", "The temperature falls", "The temperature will rise"),
    ],
)
def test_one_decision_never_does_for_a_relation_and_the_same_turned(
    light: LessonVersion, give: Give, text: str, other: str, same: str
) -> None:
    turn, alike, _ = [graded(give(light, said), "REJECT") for said in (text, same, other)]
    assert like(turn) == [alike]


def test_what_the_grader_judged_otherwise_is_not_alike(light: LessonVersion, give: Give) -> None:
    other = graded(give(light, WRONG), "PARTIAL")
    assert like(give(light, WRONG)) == []
    assert like(graded(give(light, WRONG), "PARTIAL")) == [other]


def test_other_questions_and_other_versions_are_apart(
    light: LessonVersion, make_lesson: LessonMaker, start: Start, give: Give, staff: User
) -> None:
    first = give(light, WRONG)
    give(light, "7", "ASK_002")
    session = start(light)
    answer(session, RIGHT)
    go_on(session)
    answer(session, WRONG)
    later = make_lesson(meta={**lesson_data()["meta"], "summary": "Another summary."})
    lesson_publish(version=later, by=staff)
    give(later, WRONG)
    assert like(first) == []


def test_what_does_not_wait_is_not_there(light: LessonVersion, give: Give, staff: User) -> None:
    reviewed, erased, waiting = (give(light, WRONG) for _ in range(3))
    review(reviewed.session, "REJECT", staff)
    words_erase(user_id=erased.session.user_id)
    assert like(give(light, WRONG)) == [waiting]


def test_numbers_are_alike_only_where_they_are_the_same(light: LessonVersion, give: Give) -> None:
    same, *_ = [give(light, text, "ASK_002") for text in ("7 molecules", "8 molecules", "9 molecules")]
    assert like(give(light, "7 Molecules", "ASK_002")) == [same]


def test_a_learner_s_own_two_answers_may_be_alike(light: LessonVersion, start: Start) -> None:
    session = start(light)
    for _ in range(2):
        answer(session, WRONG)
    first, second = answers(session)
    assert like(first) == [second]


def test_no_more_are_looked_at_and_shown_than_can_be_read(
    light: LessonVersion, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [give(light, WRONG) for _ in range(5)]
    monkeypatch.setattr(alike, "MOST", 2)
    assert like(turns[0]) == [turns[4], turns[3]]
    monkeypatch.setattr(alike, "LOOKED_AT", 1)
    assert like(turns[0]) == [turns[4]]
    monkeypatch.setattr(alike, "LOOKED_THROUGH", 0)
    assert like(turns[0]) == []


def test_one_query_finds_them(light: LessonVersion, give: Give, django_assert_num_queries: Queries) -> None:
    for text in (WRONG, *NEAR):
        give(light, text)
    turn = turn_shown(give(light, WRONG).pk)
    assert turn is not None
    answers_alike(turn)
    with django_assert_num_queries(1):
        assert answers_alike(turn)


def test_what_the_grader_was_as_sure_of(light: LessonVersion, give: Give) -> None:
    sure, doubtful = graded(give(light, WRONG), "REJECT"), graded(give(light, WRONG), "REJECT", doubtful=True)
    assert like(graded(give(light, WRONG), "REJECT")) == [sure]
    assert like(graded(give(light, WRONG), "REJECT", doubtful=True)) == [doubtful]


def test_others_are_looked_for_around_the_answer_however_old_it_is(
    light: LessonVersion, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = [give(light, WRONG) for _ in range(5)]
    monkeypatch.setattr(alike, "LOOKED_THROUGH", turns[1].pk - turns[0].pk)
    assert like(turns[0]) == [turns[1]]
    assert like(turns[2]) == [turns[3], turns[1]]


def test_only_what_words_do_not_tell_is_embedded_and_no_more_of_it_than_is_read(
    light: LessonVersion, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded: list[list[str]] = []

    def embed(texts: list[str]) -> Any:
        embedded.append(texts)
        return texts_embed_locally(texts)

    monkeypatch.setattr(alike, "texts_embed_locally", embed)
    long = f"{NEAR[0]} " + "and to rest " * 100
    for text in (WRONG.upper(), FAR[2], FAR[3]):
        graded(give(light, text), "REJECT")
    turn = graded(give(light, WRONG), "REJECT")
    assert len(like(turn)) == 1
    assert embedded == []
    graded(give(light, long), "REJECT")
    like(turn)
    assert embedded == [[WRONG, long[:EMBED_CHARS]]]
