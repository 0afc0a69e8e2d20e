"""Words that mean the same: groups of a file, by the stems of their phrases."""

from pathlib import Path

import pytest

from analysis.requirements.groups import CONCEPTS, VALUES, groups_of, groups_within


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.txt"
    path.write_text("# a remark\ncity, town, ciudad\n\nunit price, precio unitario\ntown, village\n", encoding="utf-8")
    return path


def test_phrases_of_a_line_are_in_one_group(words: Path) -> None:
    assert groups_of(("city",), words) == groups_of(("ciudad",), words) != frozenset()
    assert groups_of(("unit", "price"), words) == groups_of(("precio", "unitario"), words)


def test_a_phrase_of_two_lines_is_in_both(words: Path) -> None:
    assert groups_of(("town",), words) == groups_of(("city",), words) | groups_of(("village",), words)
    assert len(groups_of(("town",), words)) == 2


def test_other_forms_of_a_word_are_the_same_word(words: Path) -> None:
    assert groups_of(("cities",), words) == groups_of(("city",), words)
    assert groups_of(("ciudades",), words) == groups_of(("city",), words)


def test_a_word_that_no_line_has_is_in_no_group(words: Path) -> None:
    assert groups_of(("price",), words) == groups_of((), words) == frozenset()


def test_groups_within_are_those_of_any_run_of_words(words: Path) -> None:
    said = ("the", "unit", "price", "of", "each", "town")
    assert groups_within(said, words) == groups_of(("unit", "price"), words) | groups_of(("town",), words)
    assert groups_within(("unit", "of", "price"), words) == frozenset()


@pytest.mark.parametrize("path", [CONCEPTS, VALUES], ids=["concepts", "values"])
def test_the_files_of_the_product_have_groups_in_both_languages(path: Path) -> None:
    pairs = {CONCEPTS: (("city",), ("ciudad",)), VALUES: (("female",), ("mujer",))}
    english, spanish = pairs[path]
    assert groups_of(english, path) & groups_of(spanish, path)
