"""Words as a dictionary spells them: what learners type in two languages, and what stays as it is."""

import re
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lesson_engine.grading.lexicon import lexicon
from lesson_engine.grading.meaning.spelling import (
    BREAK,
    MOST_WORDS,
    Known,
    bare,
    dictionary,
    frequency,
    known_words,
    spelt_words,
)
from tests.each import each

LANGUAGES = ("en", "es")
NOTHING = Known()
SCRAPS = "= → × 3,5 1/2 , . ; ( ) ¿ ! - 's n't it's R x ² ½ ﬁ İ ß 10^3"
LETTERS = st.text("abcdefghijklmnopqrstuvwxyzáéíñü", min_size=3, max_size=12)


@cache
def listed(language: str) -> list[str]:
    return sorted(dictionary(language).spelling)


@cache
def cut_short(language: str) -> list[str]:
    return sorted({*lexicon(language).shorthand, *lexicon(language).texting})


def spelt(text: str, language: str, known: Known = NOTHING) -> str:
    return " ".join(spelt_words(text, language, known))


@each(
    ("typed", "meant", "language"),
    [
        # slips
        ("las plnatas", "las plantas", "es"),
        ("la enrgia", "la energía", "es"),
        ("becuase of teh wind", "because of the wind", "en"),
        ("the enviroment", "the environment", "en"),
        ("tempereture", "temperature", "en"),
        # sounds
        ("boltaje", "voltaje", "es"),
        ("ojas", "hojas", "es"),
        ("oxijeno", "oxígeno", "es"),
        ("kilometro", "kilómetro", "es"),
        ("alluda", "ayuda", "es"),
        ("nitrojeno i oxijeno", "nitrógeno i oxígeno", "es"),
        ("telefone", "telephone", "en"),
        ("beleive", "believe", "en"),
        # case and accents
        ("MAS LUZ", "más luz", "es"),
        ("tambien fotosintesis", "también fotosíntesis", "es"),
        ("The ENERGY", "the energy", "en"),
        ("año", "año", "es"),
        # shorthand
        ("xq tb", "porque también", "es"),
        ("x q no ay", "por que no hay", "es"),
        ("ppl r here bc of u", "people are here because of you", "en"),
        ("idk", "i do not know", "en"),
        # contractions
        ("it can't", "it can not", "en"),
        ("it cannot", "it can not", "en"),
        ("it won’t", "it will not", "en"),
        ("isn't", "is not", "en"),
        ("they're I'm we've she'll", "they are i am we have she will", "en"),
        ("it's the sun's light", "it is the suns light", "en"),
        ("it doesnt", "it does not", "en"),
        ("it dosent", "it does not", "en"),
        # numerals, signs and clauses
        ("1,5 m", "1.5 m", "es"),
        ("1/2 > 2/5", "1/2 > 2/5", "en"),
        ("V = R × I", "v = are * i", "en"),
        ("no light → no sugar", "no light = no sugar", "en"),
        ("it grows; it eats... (it lives)", "it grows , it eats , it lives", "en"),
        ("...", "", "en"),
    ],
)
def test_a_text_is_read_as_it_was_meant(typed: str, meant: str, language: str) -> None:
    assert spelt(typed, language) == meant


def test_what_the_ask_writes_stays_as_it_writes_it() -> None:
    ohm = known_words(["¿Qué le pasa a R si V = R x I?", "xq"])
    assert spelt("si R sube", "es", ohm) == "si r sube"
    assert spelt("R goes up", "en", ohm) == "r goes up"
    assert spelt("R goes up", "en") == "are goes up"
    assert spelt("R x I", "es", ohm) == "r x i"
    assert spelt("R x I", "es") == "r por i"
    assert spelt("xq", "es", ohm) == "xq"
    assert spelt("ppl", "en", known_words(["The PPL index"])) == "ppl"
    assert spelt("la glorbína", "es", known_words(["la Glorbina"])) == "la glorbina"


def test_of_two_spellings_in_an_ask_the_one_with_an_accent_is_kept_also_for_shorthand() -> None:
    for texts in (["que", "qué"], ["qué", "que"]):
        assert spelt("que QUE q k", "es", known_words(texts)) == "qué qué qué qué"


@each(
    ("typed", "meant", "language"),
    [
        ("glorbna", "glorbina", "es"),
        ("glorvina", "glorbina", "es"),
        ("GLORBINNA", "glorbina", "es"),
        ("fotosinteziz", "fotosíntesis", "es"),
        ("photosyntesis", "photosynthesis", "en"),
        ("PHOTOSINTHESIS", "photosynthesis", "en"),
    ],
)
def test_a_slip_of_a_word_of_the_ask_is_that_word(typed: str, meant: str, language: str) -> None:
    known = known_words(["Glorbina", "fotosíntesis" if language == "es" else "photosynthesis"])
    assert spelt(typed, language, known) == meant


def test_a_word_that_the_lesson_or_the_language_knows_is_no_slip_of_one_of_the_ask() -> None:
    known = known_words(["la glorbina y la mitosis"], frozenset({"glorbona"}))
    assert spelt("glorbona glorbuna", "es", known) == "glorbona glorbina"
    assert spelt("meiosis", "es", known) == "meiosis"
    assert spelt("affect", "en", known_words(["the effect"])) == "affect"


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_no_word_of_the_ask_or_its_lesson_is_ever_changed(language: str, data: st.DataObject) -> None:
    words = st.lists(st.one_of(st.sampled_from(listed(language)), LETTERS), min_size=1, max_size=8)
    own, lesson = data.draw(words), data.draw(words)
    assume(all(re.fullmatch(r"[^\W\d_]{3,}", word) for word in own))
    known = known_words(own, frozenset(bare(word) for word in lesson))
    for word in own:
        (read,) = spelt_words(word.upper(), language, known)
        assert bare(read) == bare(word)
        assert read in own
    for word in lesson:
        if bare(word) not in cut_short(language):
            assert bare(spelt(word, language, known)) == bare(word)


@st.composite
def typed_texts(draw: st.DrawFn, language: str) -> str:
    """Words of the language with slips, shorthand, scraps and signs between them."""
    words, short = st.sampled_from(listed(language)), st.sampled_from(cut_short(language))
    scraps = st.sampled_from(SCRAPS.split())
    pieces = draw(st.lists(st.one_of(words, short, LETTERS, scraps), max_size=90))
    return draw(st.sampled_from([" ", " ", ""])).join(draw(slipped(piece)) for piece in pieces)


@st.composite
def slipped(draw: st.DrawFn, word: str) -> str:
    at = draw(st.integers(0, len(word)))
    letter = draw(st.sampled_from("aehnsñ"))
    edits = (word, word, word.upper(), word[:at] + letter + word[at:], word[:at] + word[at + 1 :])
    return draw(st.sampled_from(edits))


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_any_text_is_a_bounded_number_of_words_and_reading_it_again_changes_nothing(
    language: str, data: st.DataObject
) -> None:
    text = data.draw(st.one_of(typed_texts(language), st.text(max_size=400)))
    known = data.draw(st.sampled_from([NOTHING, known_words([text[:40], "¿Qué es la clorofila, R y energía?"])]))
    words = spelt_words(text, language, known)
    assert len(words) <= MOST_WORDS
    assert all(words)
    assert not any(" " in word for word in words)
    assert spelt_words(" ".join(words), language, known) == words
    if words:
        assert BREAK not in (words[0], words[-1])
    assert (BREAK, BREAK) not in set(pairwise(words))


@each("text", ["a" * 20_000, "no " * 7_000, "¿" * 20_000, "x, " * 7_000, "n't" * 7_000, "1/" * 10_000])
def test_a_long_text_is_read_as_far_as_it_goes(text: str) -> None:
    for language in LANGUAGES:
        assert len(spelt_words(text, language, NOTHING)) <= MOST_WORDS


def test_frequencies_fall_from_small_words_to_rare_ones() -> None:
    assert frequency("the", "en") > frequency("water", "en") > frequency("photosynthesis", "en") > 0
    assert frequency("que", "es") > frequency("agua", "es") > frequency("glorbina", "es") > 0
