"""Each question of the suite as the product reads and answers it, beside what is known to be read otherwise.

Both lists are strict: what is on one and is right now has to leave it. `regenerate.py` writes them anew.
"""

from collections.abc import Iterator, Sequence

import pytest

from tests.analysis.suite.answers import MISSES, OTHER_READINGS, Answered, answers_of, known_ids
from tests.analysis.suite.rows import Tables, rows_read


@pytest.fixture(scope="module")
def answers(tables: Tables) -> list[Answered]:
    return list(answers_of(rows_read(), tables))


def test_every_question_gets_the_right_table_but_the_known_misses(answers: list[Answered]) -> None:
    wrong = [answer for answer in answers if not answer.is_right]
    faults = list(_faults(wrong, known_ids(MISSES.read_text(encoding="utf-8"))))
    assert not faults, "\n".join(faults)


def test_a_right_table_comes_from_the_right_requirements_but_for_the_known_other_readings(
    answers: list[Answered],
) -> None:
    other = [answer for answer in answers if answer.is_right and answer.otherwise]
    faults = list(_faults(other, known_ids(OTHER_READINGS.read_text(encoding="utf-8"))))
    assert not faults, "\n".join(faults)


def _faults(found: Sequence[Answered], known: frozenset[str]) -> Iterator[str]:
    """What is not known, and what is known and no more so."""
    yield from (f"{answer.id} is not on the list: {answer.otherwise}" for answer in found if answer.id not in known)
    yield from (f"{id_} has to leave the list" for id_ in sorted(known - {answer.id for answer in found}))
