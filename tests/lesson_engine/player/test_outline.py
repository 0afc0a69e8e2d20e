"""Where cycles begin and end (design.md, "Lesson JSON v1")."""

import pytest

from tests.each import each
from tests.lesson_engine.lesson_file.build import Json, ask, item_step, text_step
from tests.lesson_engine.player.walks import ITEM_TYPES, outline

NARRATION = text_step("NARRATION")


@each(
    ("moments", "cycles"),
    [
        ([[text_step(), ask("a"), ask("b")]], [0, 0, 0]),
        ([[text_step(), ask("a"), NARRATION, ask("b")]], [0, 0, 0, 0]),
        ([[text_step(), ask("a"), text_step("CASE"), ask("b")]], [0, 0, 1, 1]),
        ([[text_step(), text_step("KEY_CONTENT"), ask("a")]], [0, 1, 1]),
        ([[NARRATION, ask("a"), text_step(), ask("b")]], [0, 0, 1, 1]),
        ([[ask("a")], [ask("b")]], [0, 1]),
        ([[text_step(), ask("a")], [NARRATION, ask("b")]], [0, 0, 1, 1]),
        *[([[ask("a"), item_step(kind), ask("b")]], [0, 1, 1]) for kind in ITEM_TYPES],
    ],
)
def test_a_cycle_runs_to_the_next_reading_that_is_no_narration(moments: list[list[Json]], cycles: list[int]) -> None:
    lesson = outline(*moments)
    assert [place.cycle for place in lesson.places] == cycles
    assert [place.index for cycle in lesson.cycles for place in cycle] == list(range(len(cycles)))


def test_each_place_knows_its_path_in_the_file() -> None:
    assert outline([text_step()], [text_step(), ask("a")]).asks["a"].path == "moments[1].steps[1]"


def test_the_material_of_a_question_is_what_leads_to_it() -> None:
    lesson = outline([NARRATION, item_step("TOPICS"), text_step("CASE"), ask("a"), ask("b")])
    assert [place.index for place in lesson.material(lesson.asks["b"].index)] == [0, 1, 2]
    assert outline([ask("a")]).material(0) == []


def test_an_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        outline([ask("a")]).ask("b")
