"""Failures with a planted cause, made for real: the cause is named, and what is written of it passes the gate."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from benchmarks.planted import DEVELOPMENT, HELD_OUT, MORE, failures_of, rows_of
from memory.contracts import ActiveAdjustment
from planning.experience import adjustment_parse, adjustments_apply
from planning.layer import PlanningLayer
from planning.understanding import task_read
from reflection.causes import CauseKind, cause_of, reflection_of
from reflection.contracts import ANALYSIS_AT_LEAST, LEARNING_AT_LEAST, Decision
from reflection.contracts.failure import Failure
from reflection.quality import DepthAnalyzer
from reflection.quality.adjustments import adjustments_read
from reflection.quality.gate import gate_of
from tests.conftest import RowsOfModule

FILES = (DEVELOPMENT, HELD_OUT, MORE)
ALIKE_OF_A_KIND, ALIKE_OTHERWISE = 0.8, 0.45
"""Shares of their words that two analyses may have in common: of the same cause, of two."""


@pytest.fixture(scope="module")
def planted(module_rows: RowsOfModule) -> dict[str, list[tuple[str, str, Failure]]]:
    """By file: id and planted cause of every failure."""
    with module_rows():
        return {name: [(row["id"], row["cause"], one) for row, one in failures_of(name)] for name in FILES}


def _all(planted: dict[str, list[tuple[str, str, Failure]]]) -> Iterator[tuple[str, Failure]]:
    return ((row, failure) for rows in planted.values() for row, _, failure in rows)


def test_there_are_planted_failures_of_every_cause_in_both_languages_but_those_that_need_no_other() -> None:
    rows = [row for name in FILES for row in rows_of(name)]
    assert len(rows) >= 120
    assert len({row["id"] for row in rows}) == len(rows)
    found = {(row["cause"], row["lang"]) for row in rows}
    wanted = {(kind.value, language) for kind in CauseKind for language in ("en", "es")}
    assert wanted - found <= {("lesson_too_hard", "en"), ("lesson_too_hard", "es")}


@pytest.mark.parametrize("name", FILES)
def test_at_least_nine_in_ten_planted_causes_are_named(
    planted: dict[str, list[tuple[str, str, Failure]]], name: str
) -> None:
    found = [(row, cause, cause_of(failure).kind.value) for row, cause, failure in planted[name]]
    wrong = [one for one in found if one[1] != one[2]]
    assert len(wrong) <= 0.1 * len(found), wrong


def test_every_reflection_on_a_planted_failure_passes_the_gate(
    planted: dict[str, list[tuple[str, str, Failure]]],
) -> None:
    refused = []
    for row, failure in _all(planted):
        validation = gate_of(failure, [])(reflection_of(failure, []))
        if validation.decision is not Decision.ACCEPTED or not validation.is_valid:
            refused.append((row, validation.violations))
    assert refused == []


def test_section_3_every_analysis_is_deep_and_section_7_every_text_is_long_enough(
    planted: dict[str, list[tuple[str, str, Failure]]],
) -> None:
    short = []
    for row, failure in _all(planted):
        reflection = reflection_of(failure, [])
        if len(reflection.analysis) < ANALYSIS_AT_LEAST or len(reflection.learning) < LEARNING_AT_LEAST:
            short.append(row)
        if DepthAnalyzer().assess_depth(reflection.analysis) < 0.9:
            short.append(row)
    assert short == []


def test_every_adjustment_can_be_executed_and_changes_a_plan(
    planted: dict[str, list[tuple[str, str, Failure]]],
) -> None:
    idle = []
    for row, failure in _all(planted):
        reflection = reflection_of(failure, [])
        texts = reflection.strategy_adjustments
        assert 1 <= len(texts) <= 3, row
        assert adjustments_read(texts) == reflection.adjustments, row
        idle += [(row, read.text) for read in adjustments_read(texts) if read.fault is not None]
        if not _changes(failure, texts):
            idle.append((row, str(texts)))
    assert idle == []


def _changes(failure: Failure, texts: list[str]) -> bool:
    parsed = [adjustment_parse(text) for text in texts]
    new = [ActiveAdjustment(id=str(at), reflection_id="new", adjustment=one) for at, one in enumerate(parsed) if one]
    reading = task_read(failure.plan.task, failure.domain)
    changed = adjustments_apply(failure.plan, new, reading)
    return changed != failure.plan or bool(failure.adjustments)


def test_two_failures_have_two_analyses_that_name_what_is_theirs(
    planted: dict[str, list[tuple[str, str, Failure]]],
) -> None:
    analyses = {row: (reflection_of(failure, []).analysis, failure) for row, failure in _all(planted)}
    unnamed = [row for row, (text, failure) in analyses.items() if failure.plan.task[:40] not in text]
    assert unnamed == []
    words = [
        (row, cause_of(failure).kind, frozenset(text.lower().split())) for row, (text, failure) in analyses.items()
    ]
    alike = [
        (row, other)
        for (row, kind, ours), (other, its, theirs) in combinations(words, 2)
        if len(ours & theirs) / len(ours | theirs) > (ALIKE_OF_A_KIND if kind is its else ALIKE_OTHERWISE)
    ]
    assert alike == []


def test_no_sentence_has_a_hole_or_a_slip_of_grammar(planted: dict[str, list[tuple[str, str, Failure]]]) -> None:
    slips = (" de el ", " a el ", "{", "}", " ,", " .", "  ", "“”", "«»", "()", "..", "None", " 1 hints")
    found = []
    for row, failure in _all(planted):
        reflection = reflection_of(failure, [])
        for text in (reflection.analysis, reflection.learning):
            found += [(row, slip) for slip in slips if slip in text]
            assert text[0] in "“«" or text[0].isupper() or text[0].isdigit(), (row, text)
    assert found == []


@pytest.mark.django_db
def test_scenario_14_what_is_adjusted_shows_in_the_next_plan_for_another_task_of_the_kind(
    planted: dict[str, list[tuple[str, str, Failure]]],
) -> None:
    failure = next(one for row, one in _all(planted) if row == "d01")
    texts = reflection_of(failure, []).strategy_adjustments
    assert texts == ["Change priority from price to quality", "Add constraint: quality >= 7"]
    plan = PlanningLayer().create_plan("Book hotel in Rome")
    parsed = [adjustment_parse(text) for text in texts]
    active = [ActiveAdjustment(id=str(at), reflection_id="r", adjustment=one) for at, one in enumerate(parsed) if one]
    changed = adjustments_apply(plan, active, task_read(plan.task))
    assert (plan.config.priority, changed.config.priority) == ("price", "quality")
    assert changed.constraints == ["quality >= 7"]
    assert len(changed.steps) == len(plan.steps) + 2
