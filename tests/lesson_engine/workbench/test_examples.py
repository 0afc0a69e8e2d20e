"""What staff say of an answer is an example of its question at once, for as long as it counts and is not erased."""

import io
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction

from accounts.models import User
from gateway.services import texts_embed_locally
from lesson_engine.authoring.preview import preview_answer, preview_begin
from lesson_engine.contracts import Reply, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import AnswerExample, LearnerText, LessonVersion, Session, VerdictReview
from lesson_engine.selectors.examples import MOST, ask_digest, examples_of
from lesson_engine.services.lessons import lesson_publish
from lesson_engine.services.words import words_erase
from tests.conftest import LessonMaker, ask, lesson_data, number
from tests.hands import assert_never, executing, tampering
from tests.lesson_engine.services.threads import at_once
from tests.lesson_engine.workbench.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    answers,
    go_on,
    review,
)

Queries = Callable[[int], AbstractContextManager[Any]]
Vector = Any


def near(text: str = WRONG) -> Callable[[], Vector]:
    return lambda: texts_embed_locally([text])[0]


def examples(version: LessonVersion, code: str = "ASK_001", **given: Any) -> list[str]:
    """The words of the examples that count for a question, in the order of the decisions."""
    found = examples_of(version.pk, outline_of(version.pk).ask(code), **{"near": near(), **given})
    return [example.text for example in found]


def verdict(session: Session, text: str, ask_code: str = "ASK_001") -> Verdict:
    """On an answer that is given now."""
    answer(session, text)
    turn = answers(session, ask_code).last()
    assert turn is not None
    return Verdict.model_validate(turn.verdict)


@pytest.mark.parametrize("result", ["ACCEPT", "PARTIAL", "REJECT"])
def test_a_review_makes_its_answer_an_example(asking: Session, staff: User, result: str) -> None:
    answer(asking, WRONG)
    said = review(asking, result, staff)
    example = AnswerExample.objects.get()
    question = outline_of(asking.lesson_version_id).ask("ASK_001")
    assert (example.review, example.result, example.text) == (said, result, WRONG)
    assert (example.lesson_id, example.lesson_version_id) == (asking.lesson_id, asking.lesson_version_id)
    assert (example.ask_code, example.ask_digest) == ("ASK_001", ask_digest(question))
    assert (example.created_at, example.removed_at) == (said.at, None)
    assert np.allclose(example.vector, near()(), atol=1e-3)


def test_the_next_learner_who_says_the_same_is_judged_as_staff_said(
    light: LessonVersion, start: Start, staff: User
) -> None:
    first, second = start(light), start(light)
    assert verdict(first, WRONG).result is VerdictResult.REJECT
    review(first, "ACCEPT", staff)
    found = verdict(second, f"{WRONG.upper()}!")
    example = AnswerExample.objects.get()
    assert (found.result, found.rule, found.provenance) == (VerdictResult.ACCEPT, "open.example", "example")
    assert found.details["examples"] == [example.pk]
    assert len(found.details["examples_digest"]) == 16


def test_what_staff_say_later_takes_the_place_of_what_they_said(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    first = review(asking, "ACCEPT", staff)
    second = review(asking, "REJECT", staff)
    rows = AnswerExample.objects.order_by("pk")
    assert [(row.review, row.removed_at) for row in rows] == [(first, second.at), (second, None)]
    (counting,) = examples_of(
        asking.lesson_version_id, outline_of(asking.lesson_version_id).ask("ASK_001"), near=near()
    )
    assert (counting.id, counting.result) == (rows[1].pk, VerdictResult.REJECT)


def test_the_same_again_adds_none(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    review(asking, "ACCEPT", staff)
    assert AnswerExample.objects.count() == 1


def test_that_something_is_no_answer_teaches_nothing(asking: Session, staff: User, light: LessonVersion) -> None:
    answer(asking, WRONG)
    review(asking, "REJECT", staff)
    review(asking, "NOT_GRADABLE", staff)
    assert examples(light) == []
    assert AnswerExample.objects.get().removed_at is not None


def test_only_answers_in_ones_own_words_are_examples(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light, at="ASK_002")
    answer(session, "7")
    review(session, "ACCEPT", staff, ask_code="ASK_002")
    assert not AnswerExample.objects.exists()


def test_a_blank_answer_is_no_example(asking: Session, staff: User) -> None:
    answer(asking, "  ")
    review(asking, "REJECT", staff)
    assert not AnswerExample.objects.exists()


def test_definitions_learn_too(make_lesson: LessonMaker, start: Start, staff: User) -> None:
    definition = {"kind": "definition", "term": "light", "accepted": ["What plants make sugar with."]}
    version = make_lesson(ask(answer=definition))
    session = start(version)
    answer(session, WRONG)
    review(session, "ACCEPT", staff)
    found = verdict(start(version), WRONG)
    assert (found.result, found.rule) == (VerdictResult.ACCEPT, "definition.example")


def test_later_versions_keep_the_examples_of_what_they_ask_alike(
    make_lesson: LessonMaker, start: Start, staff: User
) -> None:
    session = start(make_lesson())
    answer(session, WRONG)
    review(session, "ACCEPT", staff)
    wrong_idea = {"code": "sleep", "examples": ["They sleep"], "feedback": "No."}
    alike = make_lesson(ask(hints=["Another hint."], feedback={"reject": "No."}), number())
    assert examples(alike) == [WRONG]
    asked = make_lesson(ask(question="Why light?"), number())
    expected = make_lesson(ask(answer={"kind": "open", "accepted": ["To make sugar."]}), number())
    wrong = make_lesson(ask(misconceptions=[wrong_idea]), number())
    assert [examples(version) for version in (asked, expected, wrong)] == [[], [], []]
    lesson_publish(version=alike, by=staff)
    assert verdict(start(alike), WRONG).provenance == "example"


def test_another_lesson_shares_none(light: LessonVersion, make_lesson: LessonMaker, start: Start, staff: User) -> None:
    session = start(light)
    answer(session, WRONG)
    review(session, "ACCEPT", staff)
    other = make_lesson(meta={**lesson_data()["meta"], "slug": "dark"})
    assert (examples(light), examples(other)) == ([WRONG], [])


def test_the_nearest_come_and_no_more_than_are_wanted_the_last_decision_last(
    light: LessonVersion, start: Start, staff: User
) -> None:
    texts = ["They need it to rest at night", "Because sugar tastes good", *(f"Number {n}" for n in range(MOST))]
    for text in texts:
        session = start(light)
        answer(session, text)
        review(session, "PARTIAL", staff)
    found = examples(light)
    assert len(found) == MOST
    vectors = texts_embed_locally([WRONG, *texts])
    likeness = {text: float(vectors[0] @ vector) for text, vector in zip(texts, vectors[1:], strict=True)}
    left = set(texts) - set(found)
    assert max(likeness[text] for text in left) <= min(likeness[text] for text in found) + 1e-3
    assert found == [text for text in texts if text in found]
    assert examples(light, limit=1) == [texts[0]]


def test_the_same_words_take_one_place_and_the_newest_counts(light: LessonVersion, start: Start, staff: User) -> None:
    for text, result in ((WRONG, "ACCEPT"), ("They rest", "REJECT"), (WRONG, "PARTIAL")):
        session = start(light)
        answer(session, text)
        review(session, result, staff)
    found = examples_of(light.pk, outline_of(light.pk).ask("ASK_001"), near=near())
    assert [(example.text, example.result) for example in found] == [("They rest", "REJECT"), (WRONG, "PARTIAL")]


def test_queries_and_the_embedder_are_used_only_where_there_are_examples(
    asking: Session, light: LessonVersion, staff: User, django_assert_num_queries: Queries
) -> None:
    def never() -> Vector:
        raise AssertionError("there is nothing to compare with")

    with django_assert_num_queries(0):
        assert examples(light, "ASK_002", near=never) == []
    with django_assert_num_queries(1):
        assert examples(light, near=never) == []
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    with django_assert_num_queries(2):
        assert examples(light) == [WRONG]


def test_previews_look_at_none(asking: Session, light: LessonVersion, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    outline = outline_of(light.pk)
    preview = preview_begin(outline, version_id=light.pk, author_id=staff.pk)
    preview = preview.model_copy(update={"state": preview.state.model_copy(update={"cursor": 1, "phase": "asking"})})
    notice = preview_answer(outline, preview, Reply(text=WRONG)).state.notice
    assert notice is not None
    assert notice.verdict is not None
    assert notice.verdict.provenance != "example"
    assert "examples" not in notice.verdict.details


def test_erasing_a_learner_takes_their_examples(light: LessonVersion, start: Start, staff: User) -> None:
    session, other = start(light), start(light)
    for one, text in ((session, WRONG), (other, "They rest")):
        answer(one, text)
        review(one, "ACCEPT", staff)
    words_erase(user_id=session.user_id)
    erased, kept = AnswerExample.objects.order_by("pk")
    assert (erased.text, erased.vector, erased.result) == (None, None, "ACCEPT")
    assert (kept.text, kept.vector is not None) == ("They rest", True)
    assert examples(light) == ["They rest"]
    assert verdict(start(light), WRONG).provenance != "example"


def test_nobody_erases_half_of_an_example_or_puts_other_words_in_it(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff)
    rows = AnswerExample.objects.all()
    for change in ({"text": "Something else"}, {"text": None}, {"vector": None}, {"result": "REJECT"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.update(**change)
    assert_never(executing("DELETE FROM lesson_engine_answerexample"))
    words_erase(user_id=asking.user_id)
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(text=WRONG, vector=near()())


@pytest.mark.django_db(transaction=True)
def test_reviewing_and_erasing_at_once_leave_no_words(light: LessonVersion, start: Start, staff: User) -> None:
    sessions = [start(light) for _ in range(4)]
    for session in sessions:
        answer(session, WRONG)

    def say(session: Session) -> None:
        try:
            for result in ("ACCEPT", "PARTIAL"):
                review(session, result, staff)
        except ActionNotPossible:  # the words went first
            assert LearnerText.objects.get(turn__session=session).erased_at is not None

    works: list[Callable[[], object]] = []
    for session in sessions:
        works += [partial(say, session), partial(words_erase, user_id=session.user_id)]
    at_once(works)
    assert not AnswerExample.objects.exclude(text=None, vector=None).exists()


@pytest.mark.django_db(transaction=True)
def test_of_many_reviews_at_once_one_example_counts(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    at_once([partial(review, asking, result, staff) for result in ("ACCEPT", "PARTIAL", "REJECT") * 2])
    counting = AnswerExample.objects.get(removed_at=None)
    current = VerdictReview.objects.get(current=True)
    assert (counting.review, counting.result) == (current, current.result)


def test_an_answer_that_was_right_anyway_is_an_example_too(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light)
    answer(session, RIGHT)
    go_on(session)
    review(session, "ACCEPT", staff)
    assert examples(light) == [RIGHT]


def make_examples() -> str:
    out = io.StringIO()
    call_command("make_examples", stdout=out)
    return out.getvalue()


def test_reviews_from_before_become_examples_by_a_command(light: LessonVersion, start: Start, staff: User) -> None:
    sessions = [start(light) for _ in range(4)]
    for session, result in zip(sessions, ("ACCEPT", "REJECT", "NOT_GRADABLE", "ACCEPT"), strict=True):
        answer(session, WRONG)
        review(session, result, staff)
    number_ = start(light, at="ASK_002")
    answer(number_, "7")
    review(number_, "ACCEPT", staff, ask_code="ASK_002")
    with tampering():
        AnswerExample.objects.all().delete()
    words_erase(user_id=sessions[3].user_id)
    assert make_examples() == "made 2 examples\n"
    assert make_examples() == "made 0 examples\n"
    rows = AnswerExample.objects.order_by("pk")
    assert [(row.result, row.text, row.review.turn.session_id) for row in rows] == [
        ("ACCEPT", WRONG, sessions[0].pk),
        ("REJECT", WRONG, sessions[1].pk),
    ]


@pytest.mark.django_db(transaction=True)
def test_the_command_may_run_twice_at_once_and_beside_an_erasure(
    light: LessonVersion, start: Start, staff: User
) -> None:
    sessions = [start(light) for _ in range(4)]
    for session in sessions:
        answer(session, WRONG)
        review(session, "ACCEPT", staff)
    with tampering():
        AnswerExample.objects.all().delete()
    works: list[Callable[[], object]] = [make_examples, make_examples]
    works.append(partial(words_erase, user_id=sessions[3].user_id))
    at_once(works)
    kept = AnswerExample.objects.exclude(text=None)
    assert {row.review.turn.session_id for row in kept} == {session.pk for session in sessions[:3]}


@pytest.mark.parametrize("later", [WRONG, WRONG.upper()])
def test_an_older_review_that_becomes_an_example_later_overrules_no_newer_one(
    light: LessonVersion, start: Start, staff: User, later: str
) -> None:
    first, second = start(light), start(light)
    answer(first, WRONG)
    answer(second, later)
    review(first, "ACCEPT", staff)
    with tampering():
        AnswerExample.objects.all().delete()
    newest = review(second, "PARTIAL", staff)
    assert make_examples() == "made 1 examples\n"
    assert AnswerExample.objects.latest("pk").review != newest
    said = verdict(start(light), WRONG)
    assert (said.rule, said.result) == ("open.example", VerdictResult.PARTIAL)
