"""Whatever the lesson and whatever is tried in whatever order: there is one way on, and it leads to the end."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lesson_engine.contracts import TopicDeviation
from lesson_engine.player.outline import Outline
from tests.lesson_engine.player.walks import Move, Walker, moves, outlines, outlines_with_voids, reports, withdrawals

ENOUGH = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@ENOUGH
@given(outlines(), st.lists(moves, max_size=60))
def test_any_actions_keep_every_promise_and_the_lesson_can_still_be_finished(
    outline: Outline, tried: list[Move]
) -> None:
    walker = Walker(outline)
    for move in tried:
        walker.try_(move)
    walker.finish(Move("answer"))
    walker.check_end()


@ENOUGH
@given(outlines(), moves)
def test_one_answer_for_ever_ends_the_lesson(outline: Outline, move: Move) -> None:
    walker = Walker(outline)
    walker.finish(Move("answer", move.result, move.deviation, move.misconception, move.adaptive))
    walker.check_end()


@ENOUGH
@given(outlines(), st.lists(moves, min_size=1, max_size=12))
def test_a_long_walk_closes_each_ask_once(outline: Outline, tried: list[Move]) -> None:
    walker = Walker(outline)
    for move in tried * 30:
        walker.try_(move)
    walker.finish(Move("answer", deviation=TopicDeviation.OFF_TOPIC, adaptive=True))
    walker.check_end()


@ENOUGH
@given(outlines_with_voids(), st.lists(moves | moves | reports | withdrawals, max_size=60))
def test_reported_and_withdrawn_questions_leave_a_way_to_the_end(
    lesson: tuple[Outline, frozenset[str]], tried: list[Move]
) -> None:
    walker = Walker(*lesson)
    for move in tried:
        walker.try_(move)
    walker.finish(Move("answer", deviation=TopicDeviation.OFF_TOPIC, adaptive=True))
    walker.check_end()


@ENOUGH
@given(outlines_with_voids(), moves, st.booleans())
def test_a_lesson_with_withdrawn_questions_ends_whatever_is_answered_for_ever(
    lesson: tuple[Outline, frozenset[str]], move: Move, reporting: bool
) -> None:
    walker = Walker(*lesson)
    answer = Move("answer", move.result, move.deviation, move.misconception, move.adaptive)
    walker.finish(Move("report") if reporting else answer)
    walker.check_end()


@pytest.mark.hard
@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outlines(), st.lists(moves, max_size=150))
def test_many_walks(outline: Outline, tried: list[Move]) -> None:
    walker = Walker(outline)
    for move in tried:
        walker.try_(move)
    walker.finish(Move("answer", result="NOT_GRADABLE", adaptive=True))
    walker.check_end()


@pytest.mark.hard
@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(outlines_with_voids(), st.lists(moves | reports | withdrawals, max_size=150))
def test_many_walks_with_withdrawn_questions(lesson: tuple[Outline, frozenset[str]], tried: list[Move]) -> None:
    walker = Walker(*lesson)
    for move in tried:
        walker.try_(move)
    walker.finish(Move("report"))
    walker.check_end()
