"""The learner's own word counts until staff look at the answer; then it is as they say. On records, and on sessions."""

import pytest

from accounts.models import User
from lesson_engine.contracts import TopicDeviation, VerdictResult
from lesson_engine.errors import ActionNotPossible
from lesson_engine.explanations.notices import NoticeView, notice_view
from lesson_engine.explanations.session import earlier_try
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session, Turn
from lesson_engine.outcomes.results import dead_ends_of, outcomes_of
from lesson_engine.player import machine
from lesson_engine.player.state import AskRecord, OwnWord
from lesson_engine.selectors import session_turns_page
from lesson_engine.services.reviewing import review_undo, verdict_review
from lesson_engine.timeline.replay import replay
from tests.each import each
from tests.lesson_engine.comparing.conftest import ODD, compare, say, unsure_answer
from tests.lesson_engine.player.walks import Move, unsure
from tests.lesson_engine.unsure import make_judged
from tests.lesson_engine.workbench.conftest import answer, answers, events, fresh, go_on, review, state
from tests.lesson_engine.workbench.test_overruling import record, walker
from tests.lesson_engine.workbench.walks import Look

ACCEPT, PARTIAL, REJECT, BLANK = (VerdictResult(name) for name in ("ACCEPT", "PARTIAL", "REJECT", "NOT_GRADABLE"))
STRAY = Move("answer", deviation=TopicDeviation.OFF_TOPIC, kept=True)


def told(session: Session) -> NoticeView:
    view = notice_view(outline_of(session.lesson_version_id), state(session))
    assert view is not None
    return view


def replayed(session: Session) -> bool:
    """Whether playing the turns again leads to the session's state."""
    page = session_turns_page(fresh(session), 1)
    *_, last = replay(outline_of(session.lesson_version_id), page.turns, page.voided, page.reviews)
    return last.after == state(session)


@each("result", [REJECT, PARTIAL, BLANK])
def test_a_yes_that_staff_do_not_share_is_missed(result: VerdictResult) -> None:
    walk = walker("UNSURE", "compare", "yes")
    walk.look(Look(0, result))
    assert (record(walk).outcome, record(walk).reviewed, record(walk).by_own_word) == ("missed", True, False)
    walk.look(Look(0, ACCEPT))
    assert (record(walk).outcome, record(walk).reviewed, record(walk).by_own_word) == ("mastered", False, False)


@pytest.mark.parametrize("word", ["partly", "no"])
def test_a_no_that_staff_do_not_share_is_mastered(word: OwnWord) -> None:
    walk = walker("UNSURE", "UNSURE", word)
    walk.look(Look(1, ACCEPT))
    assert record(walk) == AskRecord(
        attempts=1, outcome="mastered", asked_again=True, own_word=word, reviewed=True, ended="shown"
    )
    walk.look(Look(1, REJECT))
    assert record(walk).outcome == "shown"


def test_the_answer_before_the_compared_one_may_have_been_right() -> None:
    walk = walker("UNSURE", "hint", "UNSURE", "yes")
    walk.look(Look(0, ACCEPT))
    now = record(walk)
    assert (now.outcome, now.attempts, now.hints, now.by_own_word) == ("mastered", 1, 0, False)


def test_what_was_spared_stays_spared_whatever_staff_say() -> None:
    walk = walker(STRAY, "UNSURE", "REJECT")
    for place in (0, 1):
        for result in (REJECT, PARTIAL, BLANK):
            walk.look(Look(place, result))
            assert record(walk).attempts == 1


def test_staff_settle_what_would_be_compared() -> None:
    walk = walker("UNSURE")
    walk.look(Look(0, PARTIAL))
    assert (walk.state.phase, record(walk)) == ("asking", AskRecord(asked_again=True))
    notice = walk.state.notice
    assert notice is not None
    assert (notice.reviewed, notice.spared, notice.verdict) == (True, True, None)
    before = walk.state
    walk.try_(Move("compare"))
    assert walk.state is before
    walk.play("REJECT")
    assert record(walk).attempts == 1


@each(("result", "outcome"), [(ACCEPT, "mastered"), (PARTIAL, "shown"), (REJECT, "shown"), (BLANK, "shown")])
def test_staff_settle_what_is_being_compared(result: VerdictResult, outcome: str) -> None:
    walk = walker("UNSURE", "compare")
    walk.look(Look(0, result))
    assert (walk.state.phase, record(walk).outcome) == ("closed", outcome)
    before = walk.state
    walk.try_(Move("self"))
    assert walk.state is before
    assert dead_ends_of(walk.outline, walk.state) == 0, "no attempts ran out"
    walk.play("continue", "ACCEPT", "continue")
    assert walk.finished


def test_an_earlier_answer_leaves_the_comparison_where_it_is() -> None:
    walk = walker("REJECT", "UNSURE", "compare")
    walk.look(Look(0, PARTIAL))
    assert machine.can_continue(walk.state) is False
    walk.look(Look(0, ACCEPT))
    assert machine.can_continue(walk.state) is True


def test_a_yes_that_staff_reject(comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    review(comparing, "REJECT", staff, at=1)
    assert state(comparing).record("ASK_001").outcome == "missed"
    before, after = (events(comparing)[-1][1][name] for name in ("before", "after"))
    assert [(data["mastered"], data["byOwnWord"], data["missed"]) for data in (before, after)] == [(1, 1, 0), (0, 0, 1)]
    assert replayed(comparing)


def test_a_yes_that_staff_confirm_rests_on_their_word(comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    go_on(comparing)
    answer(comparing, "6")
    go_on(comparing)
    review(comparing, "ACCEPT", staff, at=1)
    outcomes = outcomes_of(outline_of(comparing.lesson_version_id), state(comparing))
    assert (outcomes.mastered, outcomes.by_own_word) == (2, 0)
    assert replayed(comparing)


def test_a_review_that_is_taken_back_leaves_the_own_word(comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    before = state(comparing).record("ASK_001")
    said = review(comparing, "REJECT", staff, at=1)
    review_undo(review=said, by=staff)
    assert state(comparing).record("ASK_001") == before
    assert replayed(comparing)


def test_a_no_that_staff_accept_tells_the_learner(comparing: Session, staff: User) -> None:
    say(comparing, "no")
    review(comparing, "ACCEPT", staff, at=1)
    assert state(comparing).record("ASK_001").outcome == "mastered"
    assert told(comparing).headline == "Your teacher looked at your answer again and accepted it."


def test_where_the_learner_had_said_so_nobody_had_overlooked_it(comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    review(comparing, "REJECT", staff, at=1)
    assert state(comparing).record("ASK_001").outcome == "missed"
    view = told(comparing)
    assert view.text == "It is not quite right, so it does not count as answered. Here is the answer to compare."
    assert view.expected


def test_staff_come_before_the_learners_word(comparing: Session, staff: User) -> None:
    review(comparing, "PARTIAL", staff, at=1)
    view = told(comparing)
    assert view.text == "It is not quite right. It cost you no attempt; here is the answer to compare."
    assert view.expected
    assert state(comparing).phase == "closed"
    with pytest.raises(ActionNotPossible):
        say(comparing, "yes")
    assert replayed(comparing)


def test_staff_come_before_the_learner_compares(asking: Session, staff: User) -> None:
    unsure_answer(asking)
    review(asking, "REJECT", staff)
    view = told(asking)
    assert view.headline == "Your teacher looked at your answer again."
    assert view.text == "It is not quite right yet. It cost you no attempt, and you can try again."
    assert not view.expected
    with pytest.raises(ActionNotPossible):
        compare(asking)
    assert Turn.objects.filter(kind=Turn.Kind.REVIEW).count() == 1
    assert replayed(asking)


def test_the_own_word_is_no_answer_that_staff_review(comparing: Session, staff: User) -> None:
    say(comparing, "yes")
    with pytest.raises(ActionNotPossible):
        verdict_review(turn=Turn.objects.get(kind=Turn.Kind.SELF), result=ACCEPT, by=staff)


def test_an_accepted_doubt_that_is_taken_back_is_not_called_wrong(asking: Session, staff: User) -> None:
    unsure_answer(asking)
    review_undo(review=review(asking, "ACCEPT", staff), by=staff)
    record, view = state(asking).record("ASK_001"), told(asking)
    assert (record.outcome, record.attempts, record.reviewed) == ("shown", 0, False)
    assert "not right" not in view.text
    assert view.expected
    assert fresh(asking).dead_ends == 0
    assert replayed(asking)


def test_a_settled_doubt_that_is_taken_back_may_be_compared_again(asking: Session, staff: User) -> None:
    unsure_answer(asking)
    review_undo(review=review(asking, "PARTIAL", staff), by=staff)
    assert state(asking).notice is None
    assert replayed(asking)
    compare(asking)
    say(asking, "yes")
    assert state(asking).record("ASK_001").outcome == "mastered"
    assert replayed(asking)


def test_staff_judge_a_doubt_that_was_compared_after_attempts_ran_out(asking: Session, staff: User) -> None:
    unsure_answer(asking)
    for _ in range(3):
        answer(asking, "I don't know")
    assert state(asking).phase == "comparing"
    tried = earlier_try(fresh(asking), state(asking))
    assert tried is not None
    assert tried.values == (ODD,)
    say(asking, "yes")
    assert Turn.objects.get(kind=Turn.Kind.SELF).about == answers(asking)[0]
    before = state(asking).record("ASK_001")
    assert before.attempts == 3
    said = review(asking, "REJECT", staff)
    assert (state(asking).record("ASK_001").outcome, state(asking).record("ASK_001").attempts) == ("missed", 3)
    review_undo(review=said, by=staff)
    assert state(asking).record("ASK_001") == before
    assert replayed(asking)


def test_the_answer_in_doubt_is_compared_not_a_stray_after_it(asking: Session) -> None:
    unsure_answer(asking)
    answer(asking, "A word about trains")
    make_judged(fresh(asking), unsure(), TopicDeviation.OFF_TOPIC)
    compare(asking)
    say(asking, "partly")
    assert Turn.objects.get(kind=Turn.Kind.SELF).about == answers(asking)[0]
    assert replayed(asking)
