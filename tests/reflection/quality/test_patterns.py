"""Patterns against episodes: the documented rule, and what it says besides. Sources: RT-010, 5; "Settled", 5."""

from types import SimpleNamespace
from typing import Any

import pytest

from accounts.models import User
from memory.contracts import EpisodeOutcome, Memory, MemoryType
from memory.services import episode_store
from reflection.quality import PatternValidator
from tests.each import each

PATTERN = "cheap hotel rejected for quality"
SHOWN = "Booked a cheap hotel; rejected for low quality"
OTHER = "The meeting was moved to Tuesday"


class Remembers:
    """A memory that answers what it is given and notes how it was asked."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, []  # type: ignore[var-annotated]  # keywords of each call

    def retrieve(self, **asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_section_5_memory_is_asked_for_fifty_episodes_of_the_user() -> None:
    memory = Remembers([{"content": SHOWN}] * 3)
    assert PatternValidator(memory).validate(PATTERN, user_id="u1") == 1.0
    (asked,) = memory.asked
    assert asked == {"query": PATTERN, "memory_types": [MemoryType.EPISODIC], "user_id": "u1", "top_k": 50}


def test_section_5_three_occurrences_at_least() -> None:
    validator = PatternValidator()
    two, three = validator.validate_against(PATTERN, [SHOWN] * 2), validator.validate_against(PATTERN, [SHOWN] * 3)
    assert (two, two.occurrences, two.episodes) == (0.0, 2, 2)
    assert (three, three["occurrences"], three["confidence"]) == (1.0, 3, 1.0)


def test_section_5_seventy_percent_of_the_words_must_match() -> None:
    words = "one two three four five six seven eight nine ten"
    seven, six = " ".join(words.split()[:7]), " ".join(words.split()[:6])
    assert PatternValidator().validate_against(words, [seven] * 3 + [six]) == 0.75


def test_confidence_is_over_all_episodes_with_a_lower_bound_beside_it() -> None:
    found = PatternValidator().validate_against(PATTERN, [SHOWN] * 3 + [OTHER])
    assert (float(found), found.occurrences, found.episodes) == (0.75, 3, 4)
    assert 0.30 < found.lower_bound < 0.31
    assert found.false_positives is None


def test_matching_episodes_that_ended_well_are_false_positives() -> None:
    ended = [{"content": SHOWN, "outcome": outcome} for outcome in ("failure", "failed", "fallido", "success", "?")]
    ended += [{"content": OTHER, "outcome": "success"}]
    found = PatternValidator().validate_against(PATTERN, ended)
    assert (found.occurrences, found.false_positives) == (5, 0.25)


def test_episodes_may_be_texts_mappings_or_objects() -> None:
    memory = Memory(id="1", content=SHOWN, outcome=EpisodeOutcome.FAILURE)
    found = PatternValidator(Remembers((SHOWN, {"content": SHOWN}, memory, {"content": None}, 7))).validate(PATTERN)
    assert (found.occurrences, found.episodes, found.false_positives) == (3, 5, 0.0)


def test_episodes_of_other_makers_say_what_happened_and_how_it_ended_elsewhere() -> None:
    ended = [
        {"content": SHOWN, "metadata": {"outcome": "success"}},
        {"text": SHOWN, "outcome": None, "metadata": {"outcome": "FAILURE"}},
        {"content": " ", "summary": SHOWN, "outcome": "failure", "metadata": {"outcome": "success"}},
        SimpleNamespace(summary=SHOWN, metadata=SimpleNamespace(outcome=EpisodeOutcome.FAILURE)),
        Memory(id="1", content=SHOWN, metadata={"outcome": "success"}),
        SimpleNamespace(text=SHOWN, metadata="success"),
    ]
    found = PatternValidator().validate_against(PATTERN, ended)
    assert (found.occurrences, found.episodes, found.false_positives) == (6, 6, 0.4)


def test_accents_and_capitals_make_no_difference() -> None:
    episodes = ["HOTEL BARATO: RECHAZADO POR CALIDAD, RESERVACION CANCELADA"] * 3
    assert PatternValidator().validate_against("reservación cancelada", episodes) == 1.0


@each("answer", [None, [], "no list", LookupError("away"), RuntimeError("away")])
def test_a_memory_that_has_nothing_or_fails_bears_nothing_out(answer: Any) -> None:
    assert PatternValidator(Remembers(answer)).validate(PATTERN) == 0.0


def test_a_blank_pattern_is_none() -> None:
    assert PatternValidator(Remembers([SHOWN] * 3)).validate("  ") == 0.0
    assert PatternValidator().validate_against("", [SHOWN] * 3) == 0.0


@pytest.mark.django_db
def test_by_default_our_own_memory_is_asked() -> None:
    user = User.objects.create_user(username="ana", password="a-long-password-1")
    for number in range(3):
        episode_store(user, f"{SHOWN} in Paris {number}", "hotel_booking", EpisodeOutcome.FAILURE)
    found = PatternValidator().validate(PATTERN, user.pk)
    assert (float(found), found.occurrences, found.false_positives) == (1.0, 3, 0.0)
    assert PatternValidator().validate(PATTERN, "nobody") == 0.0
    assert PatternValidator().validate("half a character \ud800", user.pk) == 0.0
