"""Two versions of a lesson, step by step: what counts as added, removed, moved and changed."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lesson_engine.authoring.comparison.compare import MOST_CHARACTERS, Comparison, compare
from lesson_engine.authoring.comparison.matching import matched, moved
from lesson_engine.authoring.comparison.words import word_pieces
from lesson_engine.player.outline import Outline
from tests.lesson_engine.lesson_file.build import Json, ask, item_step, lesson, read, text_step

LIGHT = "Plants catch light with a green pigment and store it in sugar for the winter."
LEAF = "A leaf has many small mouths on its lower side, and through them it breathes."
WATER = "Roots drink water from the ground; it rises through thin tubes up to the leaf."


def outline(*moments: list[Json], **changes: Any) -> Outline:
    return Outline(read(lesson(*moments, **changes)))


def differences(old: list[Json], new: list[Json]) -> Comparison:
    return compare(outline(old), outline(new))


def told(comparison: Comparison) -> list[tuple[str, str, bool]]:
    """Kind, title and whether it moved, of each step that differs."""
    return [(step.kind, step.title, step.was is not None) for step in comparison.steps]


def test_the_same_lesson_has_no_differences() -> None:
    same = differences([text_step(), ask("a")], [text_step(), ask("a")])
    assert same.nothing
    assert same.counts == {"added": 0, "removed": 0, "changed": 0, "moved": 0, "same": 2}


def test_a_question_is_known_by_its_code_however_much_it_changed() -> None:
    changed = differences([ask("a"), ask("b")], [ask("a"), ask("b", question="Why is grass green?", difficulty=4)])
    assert told(changed) == [("changed", "b", False)]
    assert [field.name for field in changed.steps[0].fields] == ["question", "difficulty"]
    pieces = [(piece.kind, piece.text) for piece in changed.steps[0].fields[1].pieces]
    assert pieces == [("removed", "2"), ("added", "4")]


def test_another_code_is_another_question() -> None:
    assert told(differences([ask("a")], [ask("b")])) == [("removed", "a", False), ("added", "b", False)]


def test_a_reading_that_was_rewritten_is_changed_word_by_word() -> None:
    changed = differences([text_step(body=LIGHT), ask()], [text_step(body=LIGHT.replace("green", "blue")), ask()])
    (step,) = changed.steps
    assert step.kind == "changed"
    pieces = [(piece.kind, piece.text) for piece in step.fields[0].pieces]
    assert pieces == [
        ("same", "Plants catch light with a "),
        ("removed", "green"),
        ("added", "blue"),
        ("same", " pigment and store it in sugar for the winter."),
    ]


def test_a_reading_under_the_same_title_is_the_same_reading() -> None:
    old, new = text_step(body=LIGHT) | {"title": "Start"}, text_step(body=WATER) | {"title": "Start"}
    assert told(differences([old, ask()], [new, ask()])) == [("changed", "Start", False)]


def test_a_reading_of_another_kind_may_still_be_the_same_one() -> None:
    changed = differences([text_step(body=LIGHT), ask()], [text_step("CASE", LIGHT), ask()])
    assert told(changed) == [("changed", LIGHT, False)]
    assert changed.steps[0].fields[0].name == "type"


def test_readings_with_nothing_in_common_are_two() -> None:
    changed = differences([text_step(body=LIGHT), ask()], [text_step(body=WATER), ask()])
    assert told(changed) == [("removed", LIGHT, False), ("added", WATER, False)]


def test_of_two_equal_readings_one_can_go() -> None:
    assert told(differences([text_step(), text_step(), ask()], [text_step(), ask()])) == [
        ("removed", "Plants breathe.", False)
    ]


def test_the_fewest_steps_count_as_moved() -> None:
    steps = [ask(code) for code in "abcd"]
    changed = differences(steps, [steps[3], *steps[:3]])
    assert told(changed) == [("same", "d", True)]
    assert changed.steps[0].was == ("Moment 0", 4)
    assert changed.steps[0].number == 1
    assert changed.counts["same"] == 3


def test_a_step_may_be_moved_and_changed() -> None:
    steps = [ask(code) for code in "abc"]
    changed = differences(steps, [ask("c", hints=["Look up."]), *steps[:2]])
    assert told(changed) == [("changed", "c", True)]


def test_what_went_is_told_where_it_stood() -> None:
    old = [text_step(body=LIGHT), ask("a"), ask("b"), ask("c")]
    changed = differences(old, [ask("n"), text_step(body=LIGHT), ask("c")])
    assert told(changed) == [("added", "n", False), ("removed", "a", False), ("removed", "b", False)]


def test_a_renamed_moment_is_the_same_moment() -> None:
    old, new = lesson([ask("a")], [ask("b")]), lesson([ask("a")], [ask("b")])
    new["moments"][1]["title"] = "The end"
    changed = compare(Outline(read(old)), Outline(read(new)))
    assert [moment.kind for moment in changed.moments] == ["same", "changed"]
    assert changed.steps == []
    assert not changed.nothing


def test_a_step_that_went_to_another_moment_moved() -> None:
    changed = compare(outline([ask("a"), ask("b")], [ask("c")]), outline([ask("a")], [ask("b"), ask("c")]))
    assert told(changed) == [("same", "b", True)]
    assert changed.moments[1].steps[0].was == ("Moment 0", 2)


def test_moments_come_and_go() -> None:
    changed = compare(outline([ask("a")], [ask("b")]), outline([ask("a")]))
    assert [(moment.kind, len(moment.steps)) for moment in changed.moments] == [("same", 0), ("removed", 1)]
    back = compare(outline([ask("a")]), outline([ask("a")], [ask("b")]))
    assert [(moment.kind, told(back)) for moment in back.moments][1] == ("added", [("added", "b", False)])


def test_the_lessons_own_data_is_compared_too() -> None:
    meta = {**lesson()["meta"], "title": "Green plants"}
    changed = compare(outline(), outline(meta=meta, policy={"attempts": 5}))
    assert [field.name for field in changed.about] == ["meta.title", "policy.attempts"]
    assert changed.steps == []


def test_parts_of_a_question_are_named_as_in_the_file() -> None:
    wrong: Json = {"code": "eat", "examples": ["They eat.", "They eat light."], "feedback": "No."}
    detour = {"code": "m", "body": "Look."}
    choices: list[Json] = [{"code": "x", "text": "X", "correct": True}, {"code": "y", "text": "Y"}]
    old = ask(misconceptions=[wrong], micro_steps=[detour], answer={"kind": "choice", "choices": choices})
    new = ask(
        misconceptions=[wrong | {"examples": ["They eat."], "feedback": "Not so."}],
        micro_steps=[detour | {"body": "Look again."}],
        answer={"kind": "choice", "choices": [choices[0], choices[1] | {"text": "Z"}]},
    )
    (step,) = differences([old], [new]).steps
    assert {field.name for field in step.fields} == {
        "misconceptions[eat].examples",
        "misconceptions[eat].feedback",
        "micro_steps[m].body",
        "answer.choices[y].text",
    }


def test_a_page_that_is_full_still_names_every_step() -> None:
    body = "word " * 3_900
    old = [ask("a"), *(text_step(body=f"{n} old {body}") | {"title": f"T{n}"} for n in range(40))]
    new = [ask("a"), *(text_step(body=f"{n} new {body}") | {"title": f"T{n}"} for n in range(40))]
    changed = differences(old, new)
    assert len(changed.steps) == 40
    assert 0 < sum(step.cut for step in changed.steps) < 40
    shown = [field for step in changed.steps for field in step.fields]
    assert sum(len(piece.text) for field in shown for piece in field.pieces) < MOST_CHARACTERS + 2 * len(body)


WORDS = st.lists(st.sampled_from(["light", "leaf", "a", "the", ".", "green,"]), max_size=30).map(" ".join)


@given(st.one_of(WORDS, st.text()), st.one_of(WORDS, st.text()))
def test_the_pieces_are_both_texts(old: str, new: str) -> None:
    pieces = word_pieces(old, new)
    assert "".join(piece.text for piece in pieces if piece.kind != "added") == old
    assert "".join(piece.text for piece in pieces if piece.kind != "removed") == new
    assert all(piece.text for piece in pieces)
    if old == new:
        assert all(piece.kind == "same" for piece in pieces)


def test_long_texts_are_compared_whole() -> None:
    old, new = " ".join(f"a{n}" for n in range(5_000)), " ".join(f"b{n}" for n in range(5_000))
    assert [piece.kind for piece in word_pieces(f"same {old}", f"same {new}")] == ["same", "removed", "added"]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True), st.randoms(use_true_random=False))
def test_every_step_is_accounted_for_once(kept: list[int], chance: random.Random) -> None:
    bodies = [LIGHT, LEAF, WATER]
    steps = [ask(f"q{n}") if n % 2 else text_step(body=f"{bodies[n % 3]} {n}") for n in range(8)]
    fresh = [ask("fresh"), item_step()]
    new = [steps[n] for n in kept] + fresh
    chance.shuffle(new)
    one, other = outline([ask("always"), *steps]), outline([ask("always"), *new])
    pairs = matched(one, other)
    counts = compare(one, other).counts
    assert len(set(pairs.values())) == len(pairs)
    assert len(pairs) + counts["removed"] == len(one.places)
    assert len(pairs) + counts["added"] == len(other.places)
    assert counts["moved"] == len(moved(pairs))
    stayed = [pairs[place] for place in sorted(set(pairs) - moved(pairs))]
    assert stayed == sorted(stayed)
