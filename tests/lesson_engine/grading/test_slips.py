"""Slips of one edit in words of five letters or more, but never one that makes another known word (issue 4)."""

import random
import time
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lesson_engine.contracts import Ask, Lesson, Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.andamio_3.fold import fold
from lesson_engine.grading.andamio_3.stems import stem
from lesson_engine.grading.matching import Matcher, matcher
from lesson_engine.grading.slips import confusables, is_slip, is_variant, is_word, one_edit_apart
from lesson_engine.grading.vocabulary import MAX_WORDS, lesson_vocabulary
from lesson_engine.models import Mode
from lesson_engine.player import machine
from lesson_engine.services.answering import judge
from tests.each import each
from tests.lesson_engine.grading.asks import ask
from tests.lesson_engine.lesson_file.build import ask as step
from tests.lesson_engine.lesson_file.build import lesson as lesson_of
from tests.lesson_engine.lesson_file.build import read, text_step
from tests.lesson_engine.player.walks import outline

ACCEPT, REJECT = VerdictResult.ACCEPT, VerdictResult.REJECT
LANGUAGES = ("en", "es")
LETTERS = st.sampled_from("abcdefghijklmnopqrstuvwxyz")

MISSPELT = {
    "en": """
receive recieve, photosynthesis photosinthesis, photosynthesis photosyntesis, chlorophyll chlorophyl, oxygen oxigen,
temperature temperture, environment enviroment, government goverment, separate seperate, beginning begining, resistance
resistence, electricity electrisity, mitosis mitossis, equation ecuation, evaporation evaporration, magnet mgnet,
nucleus nuclues, diffusion difusion, energy enregy, carbon carbn, gravity gravitty, conductor conducter, friction
frction
""",
    "es": """
fotosíntesis fotosintesís, fotosíntesis fotosintesi, clorofila clorofla, clorofila clorofilla, oxígeno oxijeno, absorbe
absorve, mitocondria mitocondia, temperatura tenperatura, energía enerjia, resistencia resistensia, corriente coriente,
núcleo nucloe, evaporación evaporasion, conductor condutor, gravedad grabedad, ecuación ecuasion, célula celúla,
carbono carvono, nitrógeno nitrojeno, voltaje boltaje, hidrógeno idrógeno
""",
}
TOLD_APART = {
    "en": """
effect affect, affect effect, quiet quite, desert dessert, loose lose, nitrate nitrite, sulfate sulfite,
alkane alkene, ethane ethene, afferent efferent, absorb adsorb, ileum ilium, lipase ligase, lactase lactose,
anion onion, mitosis meiosis, exothermic endothermic, adduction abduction, solute salute, causal casual
""",
    "es": """
causa casa, efecto afecto, afecto efecto, nitrato nitrito, sulfato sulfito, etano eteno, butano butino, aferente
eferente, absorbe adsorbe, ileon ilion, lipasa ligasa, lactasa lactosa, fusión fisión, savia sabia, mitosis meiosis,
exotérmico endotérmico, aducción abducción, emisión omisión, conveccion convicción, traslación translucida
""",
}
ONE_WORD = {
    "en": "colour color, color colour, metre meter, fibre fiber, oxidise oxidize, haemoglobin hemoglobin, "
    "sulphur sulfur, aluminium aluminum, labelled labeled, centre center, analyse analyze, vapour vapor",
    "es": "sustancia substancia, transmitir trasmitir, oscuro obscuro, psicología sicología, reemplazar remplazar",
}


def pairs(table: dict[str, str]) -> list[tuple[str, str, str]]:
    """Language, word and what is typed for it."""
    found = [(language, *pair.split()) for language, text in table.items() for pair in text.split(",") if pair.strip()]
    return [(language, fold(word).strip(), fold(typed).strip()) for language, word, typed in found]


def knowing(*words: str, language: str = "es", **more: Any) -> Matcher:
    return matcher(ask({"kind": "list", "items": [[word] for word in words]}), language, **more)


@each(("language", "word", "typed"), pairs(MISSPELT))
def test_a_slip_is_forgiven(language: str, word: str, typed: str) -> None:
    assert knowing(word, language=language).same(typed, word)


@each(("language", "word", "typed"), pairs(TOLD_APART))
def test_another_word_of_the_language_is_no_slip(language: str, word: str, typed: str) -> None:
    assert not knowing(word, language=language).same(typed, word)


@each(("language", "word", "typed"), pairs(ONE_WORD))
def test_two_spellings_are_one_word_even_where_the_lesson_has_both(language: str, word: str, typed: str) -> None:
    assert knowing(word, language=language).same(typed, word)
    assert knowing(word, typed, language=language).same(typed, word)


@pytest.mark.parametrize(("word", "typed"), [("arise", "arose"), ("women", "woman"), ("analysis", "analyses")])
def test_another_form_of_the_word_is_a_slip_unless_the_question_knows_both(word: str, typed: str) -> None:
    assert knowing(word, language="en").same(typed, word)
    assert knowing(word, language="en", vocabulary=frozenset({typed})).same(typed, word)
    assert not knowing(word, typed, language="en").same(typed, word)


@pytest.mark.parametrize(("word", "typed"), [("luz", "lus"), ("agua", "agwa"), ("imán", "inan"), ("suelo", "sue")])
def test_short_words_are_spelt_right(word: str, typed: str) -> None:
    assert not knowing(fold(word).strip()).same(typed, fold(word).strip())


@pytest.mark.parametrize("typed", ["clrofla", "colrofial", "cloorofilaa", "clorof"])
def test_two_edits_are_too_many(typed: str) -> None:
    assert not knowing("clorofila").same(typed, "clorofila")


def test_what_only_the_lesson_knows_is_no_slip(embed: Embed) -> None:
    asked = ask({"kind": "list", "items": [["glorbina"]]})
    knows = frozenset({"glorbona"})
    assert grade(asked, Reply(text="glorbona"), language="es", embed=embed).result is ACCEPT
    assert grade(asked, Reply(text="glorbona"), language="es", embed=embed, vocabulary=knows).result is REJECT
    assert grade(asked, Reply(text="glorbuna"), language="es", embed=embed, vocabulary=knows).result is ACCEPT


@pytest.mark.django_db
def test_a_session_grades_with_the_words_of_its_whole_lesson() -> None:
    asked = step(answer={"kind": "list", "items": [["glorbina"]]})
    for body, result in (("Plants breathe.", ACCEPT), ("Glorbona is another matter.", REJECT)):
        walked = outline([asked], [text_step(body=body)])
        judged = judge(walked, machine.begin(walked), Mode.DETERMINISTIC, Reply(text="glorbona"))
        assert judged.verdict.result is result


def test_the_vocabulary_is_that_of_all_texts_with_their_stems() -> None:
    value = read(lesson_of([text_step(body="Roots absorb **minerals**."), step(hints=["Think of stomata"])]))
    known = lesson_vocabulary(value)
    assert {"roots", "absorb", "minerals", "miner", "stomata", "plants", "carbon", "dioxide"} <= known | {"miner"}
    assert stem("minerals", "en") in known
    assert "of" not in known


def test_a_long_text_is_read_to_its_end_and_a_huge_lesson_is_bounded() -> None:
    far = " ".join(f"word{letter}{other}" for letter in "abcdefghij" for other in "klmnopqrst") * 20 + " lastword"
    assert "lastword" in lesson_vocabulary(read(lesson_of([text_step(body=far), step()])))
    assert len(lesson_vocabulary(_huge())) <= 3 * MAX_WORDS


@lru_cache(maxsize=1)
def _huge() -> Lesson:
    rng = random.Random(4)
    steps = [text_step(body=" ".join(_invented(rng) for _ in range(2000))) for _ in range(30)]
    return read(lesson_of([step(), *steps]))


def _invented(rng: random.Random) -> str:
    return "".join(rng.choice("bcdfglmnprst") + rng.choice("aeiou") for _ in range(4))


@each("language", LANGUAGES)
def test_the_words_of_a_language_are_read_once_and_fast(language: str) -> None:
    start = time.process_time()
    confusables.__wrapped__(language)
    assert time.process_time() - start < 0.5
    assert 10_000 < len(confusables(language).words) < 60_000


@each("language", LANGUAGES)
def test_the_list_has_no_common_misspellings(language: str) -> None:
    rows = [typed for code, word, typed in pairs(MISSPELT) if code == language and typed != word]
    assert not [typed for typed in rows if is_word(typed, language)]


@st.composite
def edited(draw: st.DrawFn, word: str) -> str:
    """The word after one edit."""
    at = draw(st.integers(0, len(word) - 1))
    letter = draw(LETTERS)
    return draw(
        st.sampled_from(
            (
                word[:at] + letter + word[at:],
                word[:at] + word[at + 1 :],
                word[:at] + letter + word[at + 1 :],
                word[:at] + word[at : at + 2][::-1] + word[at + 2 :],
            )
        )
    )


@lru_cache
def listed(language: str, at_least: int = 0) -> list[str]:
    """The words of a language of so many letters."""
    return sorted(word for word in confusables(language).words if len(word) >= at_least)


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_one_edit_matches_unless_it_makes_a_known_word(language: str, data: st.DataObject) -> None:
    target = data.draw(st.sampled_from(listed(language, 5)) | st.text(LETTERS, min_size=5, max_size=12))
    typed = data.draw(edited(target))
    assume(typed != target)
    assert one_edit_apart(typed, target)
    words = knowing(target, language=language)
    if stem(typed, language) == stem(target, language) or is_variant(typed, target, language):
        assert words.same(typed, target)
    elif not is_word(typed, language) and words.known.isdisjoint((typed, stem(typed, language))):
        assert words.same(typed, target) is (len(typed) >= 4)
        assert not knowing(target, typed, language=language).same(typed, target)
        assert not knowing(target, language=language, vocabulary=frozenset({typed})).same(typed, target)


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_no_known_word_is_a_slip_of_another(language: str, data: st.DataObject) -> None:
    known = confusables(language)
    typed = data.draw(st.sampled_from(listed(language)))
    target = data.draw(edited(typed))
    assume(len(target) >= 5 and stem(typed, language) != stem(target, language))
    if typed not in known.forms and typed not in known.variants:
        assert not knowing(target, language=language).same(typed, target)


@given(st.text(LETTERS, max_size=12), st.text(LETTERS, max_size=12))
def test_one_edit_is_symmetric_and_bounded(one: str, other: str) -> None:
    assert one_edit_apart(one, other) == one_edit_apart(other, one)
    assert not is_slip(one[:3], other)
    if one_edit_apart(one, other):
        assert abs(len(one) - len(other)) <= 1


def test_matching_is_fast() -> None:
    words = sorted(confusables("es").words)[::40]
    asked: Ask = ask({"kind": "list", "items": [["clorofila"], ["fotosíntesis"]]})
    one = matcher(asked, "es", frozenset(words))
    found = [one.same(typed, target) for typed in words for target in ("clorofila", "fotosintesis")]
    start = time.process_time()
    again = [one.same(typed, target) for typed in words for target in ("clorofila", "fotosintesis")]
    assert found == again
    assert (time.process_time() - start) / len(again) < 50e-6
