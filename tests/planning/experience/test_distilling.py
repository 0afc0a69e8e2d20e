"""What episodes and preferences teach. Source: RF-007, scenarios 2 and 13."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.contracts import EpisodeOutcome, Memory
from planning.experience import learnings_of
from tests.each import each
from tests.planning.experience.plans import remembered

_ROWS = Path(__file__).parents[2] / "data" / "plans" / "learnings.jsonl"


def test_scenario_2_memories_teach_a_preference_and_a_constraint() -> None:
    """RF-007, scenario 2: a refusal's condition turned round, and what both memories say said once."""
    learnings = learnings_of(
        remembered(
            {"content": "User rejected cheap hotel (quality < 7)", "timestamp": datetime(2025, 11, 15, tzinfo=UTC)},
            {"content": "User prefers quality over price", "timestamp": datetime(2025, 11, 14, tzinfo=UTC)},
        )
    )
    assert learnings.preferences == ["quality > price"]
    assert learnings.constraints == ["quality >= 7"]
    assert learnings.episodes == ["0", "1"]
    assert learnings.dropped == []


def test_scenario_13_experience_of_the_task_type_teaches_its_preference() -> None:
    memory = Memory(id="m", content="Hotel booking - quality > price", task_type="hotel_booking", score=0.92)
    assert learnings_of([memory]).preferences == ["quality > price"]


def test_memories_are_read_as_the_data_file_has_them() -> None:
    rows = [json.loads(line) for line in _ROWS.read_text(encoding="utf-8").splitlines()]
    assert len(rows) >= 110
    wrong = []
    for row in rows:
        learnings = learnings_of(remembered(*row["memories"]))
        got = (learnings.preferences, learnings.constraints, learnings.dropped)
        if got != (row["preferences"], row["constraints"], row.get("dropped", [])):
            wrong.append((row, got))
    assert not wrong, "\n".join(f"{row}\n  gives {got}" for row, got in wrong)


def test_a_memory_that_teaches_nothing_is_not_among_the_episodes() -> None:
    learnings = learnings_of(remembered("User booked a hotel in Paris", "User prefers quality over price", "", "?"))
    assert learnings.episodes == ["1"]
    assert learnings_of([]).episodes == []


def test_what_is_said_outweighs_what_merely_follows_then_the_more_recent_wins() -> None:
    older, newer = datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 2, 1, tzinfo=UTC)
    follows = Memory(id="a", content="User rejected the cheap hotel", timestamp=newer)
    says = Memory(id="b", content="User prefers price over quality", timestamp=older)
    learnings = learnings_of([follows, says])
    assert (learnings.preferences, learnings.dropped) == (["price > quality"], ["quality > price"])
    assert learnings.episodes == ["b"]
    changed = Memory(id="c", content="User prefers quality over price", timestamp=newer)
    assert learnings_of([says, changed]).preferences == ["quality > price"]


def test_preferences_that_go_round_in_a_circle_lose_the_oldest() -> None:
    contents = ("quality > price", "price > location", "location > quality")
    memories = [
        Memory(id=str(day), content=content, timestamp=datetime(2025, 1, day, tzinfo=UTC))
        for day, content in enumerate(contents, 1)
    ]
    learnings = learnings_of(memories)
    assert learnings.preferences == ["location > quality", "price > location"]
    assert learnings.dropped == ["quality > price"]


def test_the_order_of_memories_does_not_matter() -> None:
    memories = remembered(
        "User prefers quality over price",
        "User rejected cheap hotel (quality < 7)",
        "avoid hostels",
        "User prefers morning flights",
        "User rejected the room (price > 300)",
    )
    forth, back = learnings_of(memories), learnings_of(memories[::-1])
    assert (forth.preferences, forth.constraints) == (back.preferences, back.constraints)


def test_a_failed_episode_that_praises_nothing_teaches_only_its_refusal() -> None:
    content = "Hotel booking - price > quality. User rejected it (quality < 6)"
    learnings = learnings_of([Memory(id="m", content=content, outcome=EpisodeOutcome.FAILURE)])
    assert (learnings.preferences, learnings.constraints) == ([], ["quality >= 6"])


@pytest.mark.hard
@each(
    "content",
    [
        "prefers " * 5_000,
        "(" * 20_000,
        "a > " * 5_000,
        "prefers a over " * 3_000,
        "rejected because too too too " * 2_000,
        "\x00\u202e\ud800 prefers \u0000 quality over price".encode("utf-8", "replace").decode(),
        "quality < 7 and " * 3_000,
        "{objects} {0} %s %(x)s prefers {condition} over {first}",
        "El usuario prefiere " + "muy " * 4_000 + "calidad",
        "'\"" * 10_000,
        "User prefers " + "x" * 100_000 + " over price",
    ],
)
def test_hostile_memories_are_harmless(content: str) -> None:
    learnings_of(remembered("warm"))
    learnings = learnings_of(remembered(*[content] * 20))
    assert all(len(text) <= 250 for text in [*learnings.preferences, *learnings.constraints])
