"""A person of the staff says what an answer is worth: the review, the session's result, and the trail."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.db import ProgrammingError, transaction

from accounts.models import Role, User
from config.database_roles import OWNER
from lesson_engine.contracts import Reply, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionReport, Session, Turn, VerdictReview
from lesson_engine.outcomes.results import outcomes_of, results_of
from lesson_engine.services import turns
from lesson_engine.services.reviewing import MAX_NOTE, Reviewed, verdict_review
from lesson_engine.services.words import words_erase
from telemetry.chains.verification import chains_verify
from tests.hands import as_role, assert_never, executing
from tests.lesson_engine.services.questions.test_withdrawing import withdraw
from tests.lesson_engine.workbench.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    answers,
    events,
    finished,
    fresh,
    go_on,
    key,
    report,
    review,
    state,
    work,
)


@pytest.fixture
def other(db: None) -> User:
    """Somebody else of the staff."""
    return User.objects.create_user("dora", role=Role.STAFF)


def whole() -> bool:
    return {check.fault for check in chains_verify()} == {None}


def test_an_overruled_answer_closes_the_question_the_learner_stands_at(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff, note="It says the same.")
    verdict = Verdict.model_validate(answers(asking)[0].verdict)
    assert (said.graded, said.result, said.by, said.current) == ("REJECT", "ACCEPT", staff, True)
    assert (said.grader, said.score, said.doubtful) == (verdict.grader, verdict.score, verdict.doubtful)
    assert (said.ask_code, said.lesson_version_id, said.note) == (
        "ASK_001",
        asking.lesson_version_id,
        "It says the same.",
    )
    now = state(asking)
    assert (now.phase, now.record("ASK_001").outcome, now.record("ASK_001").attempts) == ("closed", "mastered", 1)
    go_on(asking)
    answer(asking, "6")
    go_on(asking)
    assert fresh(asking).status == Session.Status.FINISHED
    results = results_of(outline_of(asking.lesson_version_id), state(asking))
    assert (results.mastered, results.reviewed, results.skills[0].at_once) == (2, 1, 2)
    assert whole()


def test_the_review_that_changes_a_result_is_a_turn_of_the_session(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    before = fresh(asking)
    said = review(asking, "ACCEPT", staff)
    turn = said.rescoring
    assert turn is not None
    assert (turn.kind, turn.version, turn.ask_code, turn.state) == ("review", before.version, "ASK_001", "done")
    assert fresh(asking).version == before.version + 1
    none = dict.fromkeys(("mastered", "shown", "skipped", "reported", "missed", "percent", "byOwnWord"), 0)
    numbers = {"questions": 2, **none}
    judged = {"answer": before.version - 1, "askCode": "ASK_001", "grader": said.grader}
    worth = {"graded": "REJECT", "before": "REJECT", "result": "ACCEPT", "by": staff.pk}
    assert events(asking)[-2:] == [
        ("verdict.reviewed", {"turn": turn.version, **judged, **worth}),
        (
            "result.rescored",
            {"askCode": "ASK_001", "before": numbers, "after": {**numbers, "mastered": 1, "percent": 50}},
        ),
    ]
    assert whole()


@pytest.mark.parametrize("result", ["REJECT", "PARTIAL"])
def test_what_changes_no_result_is_no_turn_and_still_leaves_its_trail(
    asking: Session, staff: User, result: str
) -> None:
    answer(asking, WRONG)
    before = fresh(asking)
    said = review(asking, result, staff)
    now = fresh(asking)
    assert (now.version, now.state, said.rescoring) == (before.version, before.state, None)
    (trail,) = events(asking, "verdict.reviewed")
    assert (trail[1]["result"], "turn" in trail[1], trail[1]["answer"]) == (result, False, before.version - 1)
    assert not events(asking, "result.rescored")
    assert whole()


def test_a_finished_session_stays_finished_with_another_result(light: LessonVersion, start: Start, staff: User) -> None:
    done = finished(start(light), WRONG)
    assert (done.dead_ends, done.status) == (1, "finished")
    review(done, "ACCEPT", staff, at=1)
    now = fresh(done)
    assert (now.status, now.finished_at, now.active_at) == ("finished", done.finished_at, done.active_at)
    assert (now.version, now.dead_ends) == (done.version + 1, 0)
    assert state(done).record("ASK_001").attempts == 2
    outcomes = outcomes_of(outline_of(light.pk), state(done))
    assert (outcomes.mastered, outcomes.shown, outcomes.percent) == (2, 0, 100)
    assert whole()


def test_an_accepted_answer_that_was_not_right_is_missed(light: LessonVersion, start: Start, staff: User) -> None:
    done = finished(start(light))
    review(done, "PARTIAL", staff)
    outcomes = outcomes_of(outline_of(light.pk), state(done))
    assert (outcomes.mastered, outcomes.missed, outcomes.percent) == (1, 1, 50)
    (_, again) = results_of(outline_of(light.pk), state(done)).review, state(done).record("ASK_001")
    assert (again.outcome, again.reviewed, again.attempts) == ("missed", True, 1)


def test_a_session_that_was_set_aside_is_scored_and_stays_so(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    Session.objects.filter(pk=asking.pk).update(status=Session.Status.SET_ASIDE)
    review(asking, "ACCEPT", staff)
    assert (fresh(asking).status, state(asking).record("ASK_001").outcome) == ("set_aside", "mastered")


def test_back_to_what_the_grader_said_is_back_to_the_result(
    light: LessonVersion, start: Start, staff: User, other: User
) -> None:
    done = finished(start(light), WRONG)
    review(done, "ACCEPT", staff)
    review(done, "REJECT", other)
    now = fresh(done)
    assert (now.state["asks"], now.dead_ends, now.version) == (done.state["asks"], 1, done.version + 2)
    said = VerdictReview.objects.order_by("pk")
    assert [(one.result, one.by, one.current) for one in said] == [("ACCEPT", staff, False), ("REJECT", other, True)]
    trail = [(data["before"], data["result"]) for _, data in events(done, "verdict.reviewed")]
    assert trail == [("REJECT", "ACCEPT"), ("ACCEPT", "REJECT")]
    assert whole()


def test_the_same_again_by_anyone_adds_nothing(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    first = review(asking, "ACCEPT", staff)
    version, chain = fresh(asking).version, len(events(asking))
    assert review(asking, "ACCEPT", other, note="I think so too.") == first
    assert review(asking, "ACCEPT", staff) == first
    assert (VerdictReview.objects.count(), fresh(asking).version, len(events(asking))) == (1, version, chain)


def test_who_decided_with_another_review_in_view_is_told(asking: Session, staff: User, other: User) -> None:
    answer(asking, WRONG)
    turn = answers(asking)[0]
    first = verdict_review(turn=turn, result=VerdictResult.PARTIAL, by=staff, seen=0).review
    with pytest.raises(ReviewedMeanwhile) as refused:
        verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=other, seen=0)
    assert refused.value.places == (("/seen", f"the review that counts is {first.pk}"),)
    assert verdict_review(turn=turn, result=VerdictResult.PARTIAL, by=other, seen=0) == Reviewed(first, is_new=False)
    assert verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=other, seen=first.pk).review.current


def test_blanks_that_were_answers_count_as_attempts(asking: Session, staff: User) -> None:
    answer(asking, "")
    answer(asking, WRONG)
    review(asking, "REJECT", staff)
    assert (state(asking).record("ASK_001").attempts, state(asking).phase) == (2, "asking")
    answer(asking, WRONG)
    assert state(asking).record("ASK_001").outcome == "shown"


def test_a_hint_that_the_planner_gave_counts_from_then_on(light: LessonVersion, start: Start, staff: User) -> None:
    session = start(light)
    turns.session_set_mode(session=session, mode="adaptive", key=key())  # type: ignore[arg-type]
    answer(session, WRONG)
    turns.session_hint(session=fresh(session), version=fresh(session).version, key=key())
    before = state(session).record("ASK_001")
    answer(session, RIGHT)
    review(session, "ACCEPT", staff)
    assert state(session).record("ASK_001").hints == 0
    review(session, "REJECT", staff)
    assert (
        state(session).record("ASK_001").hints
        == before.hints
        == 1 + (answers(session)[0].command or {"op": ""})["op"].count("hint")
    )


def test_a_question_that_was_withdrawn_counts_nowhere_still(asking: Session, light: LessonVersion, staff: User) -> None:
    answer(asking, WRONG)
    withdraw(light)
    work()
    review(asking, "ACCEPT", staff)
    assert state(asking).record("ASK_001").outcome == "voided"
    assert outcomes_of(outline_of(light.pk), state(asking)).questions == 1


def test_a_reported_question_whose_answer_was_right_is_answered(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    report(asking, "my_answer_right")
    review(asking, "ACCEPT", staff)
    assert state(asking).record("ASK_001").outcome == "mastered"
    assert QuestionReport.objects.get().state == "open"
    review(asking, "REJECT", staff)
    assert state(asking).record("ASK_001").outcome == "reported"


@pytest.mark.parametrize("result", list(VerdictResult))
def test_every_kind_of_answer_can_be_reviewed(asking: Session, staff: User, result: VerdictResult) -> None:
    answer(asking, RIGHT)
    go_on(asking)
    answer(asking, "7")
    assert review(asking, result.value, staff, ask_code="ASK_002").result == result


def test_only_judged_answers_can(asking: Session, staff: User) -> None:
    hinted = turns.session_hint(session=asking, version=asking.version, key=key())
    turn = Turn.objects.get(session=hinted, kind="hint")
    with pytest.raises(ActionNotPossible, match="Only an answer that was judged"):
        verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=staff)
    assert not VerdictReview.objects.exists()


def test_words_that_were_erased_cannot_be_judged_any_more(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    words_erase(user_id=asking.user_id)
    with pytest.raises(ActionNotPossible, match="were erased"):
        review(asking, "ACCEPT", staff)
    assert not VerdictReview.objects.exists()
    assert state(asking).record("ASK_001").outcome == "open"


def test_erasing_a_learner_keeps_what_was_said_and_drops_why(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    review(asking, "ACCEPT", staff, note=f"“{WRONG}” is a way to say it.")
    words_erase(user_id=asking.user_id)
    said = VerdictReview.objects.get()
    assert (said.result, said.note, said.current) == ("ACCEPT", "", True)
    assert state(asking).record("ASK_001").outcome == "mastered"


def test_the_note_is_cut_and_stored_as_far_as_it_can_be(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff, note="  a\x00\ud800" + "x" * 3000)
    assert said.note.startswith("a?x")
    assert len(VerdictReview.objects.get().note) == MAX_NOTE
    assert "note" not in events(asking, "verdict.reviewed")[0][1]


def test_an_answer_sent_from_a_page_from_before_is_judged(asking: Session, staff: User) -> None:
    answer(asking, "")
    shown = fresh(asking)
    review(asking, "REJECT", staff)
    assert fresh(asking).version == shown.version + 1
    for _ in range(2):
        turns.session_answer(session=fresh(asking), version=shown.version, key="click", reply=Reply(text=RIGHT))
    assert state(asking).record("ASK_001").outcome == "mastered"
    assert answers(asking).count() == 2


def test_an_answer_to_what_a_review_has_closed_is_refused(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    shown = fresh(asking)
    review(asking, "ACCEPT", staff)
    with pytest.raises(ActionNotPossible):
        turns.session_answer(session=fresh(asking), version=shown.version, key=key(), reply=Reply(text=RIGHT))
    turns.session_set_mode(session=fresh(asking), mode="adaptive", key=key())  # type: ignore[arg-type]
    go_on(asking)
    assert state(asking).record("ASK_002").outcome == "open"


def test_reviews_cannot_be_changed_or_deleted(asking: Session, staff: User) -> None:
    answer(asking, WRONG)
    said = review(asking, "ACCEPT", staff, note="Why not?")
    for change in ({"result": "REJECT"}, {"note": "Something else"}, {"by_id": asking.user_id}, {"rescoring": None}):
        why = "Cannot update" if "note" in change else "permission denied"
        with pytest.raises(ProgrammingError, match=why), transaction.atomic():
            VerdictReview.objects.filter(pk=said.pk).update(**change)
        with pytest.raises(ProgrammingError, match="Cannot update"), transaction.atomic(), as_role(OWNER):
            VerdictReview.objects.filter(pk=said.pk).update(**change)
    assert_never(executing(f"DELETE FROM lesson_engine_verdictreview WHERE id = {said.pk}"))


def test_the_same_again_tells_so_and_who_came_first_in_few_queries(
    asking: Session, staff: User, other: User, django_assert_num_queries: Callable[[int], AbstractContextManager[Any]]
) -> None:
    answer(asking, WRONG)
    turn = answers(asking)[0]
    first = verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=staff)
    with django_assert_num_queries(2):  # the answer, and what was said of it
        again = verdict_review(turn=turn, result=VerdictResult.ACCEPT, by=other)
        assert again.review.by.username == staff.username
    assert (first.is_new, again) == (True, Reviewed(first.review, is_new=False))
