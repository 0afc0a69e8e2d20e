import pytest

from lesson_engine.grading.andamio_3.fold import MAX_CHARS, clean, fold
from lesson_engine.grading.andamio_3.stems import stem
from lesson_engine.grading.matching import matcher, one_edit_apart
from lesson_engine.grading.normalise import read, tokens
from tests.each import each
from tests.lesson_engine.grading.asks import ask


@each(
    ("one", "other"),
    [
        ("La Clorofila.", "clorofila"),
        ("FOTOSÍNTESIS", "fotosintesis"),
        ("  es  la   luz del sol ", "Luz del Sol"),
        ("Creo que es el oxígeno", "oxígeno"),
        ("clo\u200brofi\u00adla", "clorofila"),
        ("CO₂", "co2"),
        ("ｃｌｏｒｏｆｉｌａ", "clorofila"),
    ],
)
def test_equal_forms_have_one_key(one: str, other: str) -> None:
    assert read(one, "es").key == read(other, "es").key


@pytest.mark.parametrize(
    ("one", "other"), [("The plant", "plant"), ("I think it's light", "light"), ("Can't", "cannot")]
)
def test_equal_forms_have_one_key_in_english(one: str, other: str) -> None:
    assert read(one, "en").key == read(other, "en").key


def test_a_final_article_is_a_name() -> None:
    assert read("vitamin A", "en").key == "vitamin a"


def test_control_characters_part_words_and_zero_width_ones_do_not() -> None:
    assert clean("a\x00b") == "a b"
    assert clean("a\u200bb\U000e0041") == "ab"


def test_length_is_bounded() -> None:
    assert len(clean("ﷺ" * 20_000)) <= MAX_CHARS
    assert len(tokens("a " * 20_000)) <= 800


def test_contractions_of_not_are_spelt_out() -> None:
    assert fold("It doesn’t").split() == ["it", "does", "not"]


@each(
    "family",
    [
        "absorbe absorben absorber absorbiendo absorbida absorción",
        "produce producen producción producir",
        "luz luces",
        "planta plantas",
        "convierte convertir convierten",
        "azúcar azúcares",
        "raíz raíces",
        "oxígeno oxígenos",
    ],
)
def test_spanish_word_families_share_a_stem(family: str) -> None:
    assert len({stem(fold(word), "es") for word in family.split()}) == 1


@pytest.mark.parametrize("family", ["absorb absorbs absorbed absorption", "produce produces production", "leaf leaves"])
def test_english_word_families_share_a_stem(family: str) -> None:
    assert len({stem(word, "en") for word in family.split()}) == 1


@pytest.mark.parametrize(("one", "other"), [("sol", "suelo"), ("sol", "solo"), ("planta", "plano"), ("gas", "gasto")])
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one, "es") != stem(other, "es")


@each(
    ("first", "second", "near"),
    [
        ("clorofila", "clorofla", True),
        ("clorofila", "clorofilla", True),
        ("clorofila", "colrofila", True),
        ("clorofila", "clorofyla", True),
        ("clorofila", "clrofla", False),
        ("abcde", "abdce", True),
        ("abcde", "bacd", False),
    ],
)
def test_one_edit(first: str, second: str, near: bool) -> None:
    assert one_edit_apart(first, second) is near


def test_a_slip_never_makes_another_word_of_the_lesson() -> None:
    both = matcher(ask({"kind": "open", "accepted": ["effect", "affect"]}), "en")
    one = matcher(ask({"kind": "open", "accepted": ["effect"]}), "en")
    assert not both.same("affect", "effect")
    assert one.same("effct", "effect")


def test_short_words_must_be_spelt_right() -> None:
    assert not matcher(ask({"kind": "open", "accepted": ["luz"]}), "es").same("lus", "luz")
