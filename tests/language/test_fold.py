import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.fold import fold, fold_in_place, plain_signs, visible, without_accents, without_controls

DATA = Path(__file__).parents[1] / "data"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Reservar habitación en Núñez", "reservar habitacion en nunez"),
        ("PINGÜINO", "pinguino"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("cafe\u0301", "cafe"),
        ("❤️", "❤"),
        ("", ""),
    ],
)
def test_folded(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_compatible_characters_become_plain_ones() -> None:
    assert fold("ﬁn… 2²", compatible=True) == "fin... 22"
    assert fold("ﬁn… 2²") == "fin… 2²"


@given(st.text())
def test_a_folded_text_stays_as_it_is(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert len(fold_in_place(text)) == len(text)
    assert visible(visible(text)) == visible(text)


def test_composed_and_decomposed_texts_are_the_same() -> None:
    lines = (DATA / "plans" / "task_types.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = [json.loads(line)["task"] for line in lines]
    assert [fold(unicodedata.normalize("NFD", task)) for task in tasks] == [fold(task) for task in tasks]
    assert [fold_in_place(task) for task in tasks] == [fold(task) for task in tasks]


def test_signs_become_plain_ones_in_their_places() -> None:
    assert plain_signs("“¿Qué?” – l’été −5") == '"¿Qué?" - l\'été -5'
    assert plain_signs("l’été – 5", dashes=False) == "l'été – 5"
    assert plain_signs("l’été – 5", quotes=False) == "l’été - 5"


def test_what_cannot_be_seen_goes() -> None:
    assert visible(" a\u200bb\x00c\u00a0 d\n e\ud800") == "ab c d e"
    assert visible(" a \r\n\n b\tc ", keep_lines=True) == "a\nb c"


def test_accents_go_and_capitals_stay() -> None:
    assert without_accents("Ñandú ÉL") == "Nandu EL"


def test_a_backtick_is_an_apostrophe_in_plain_text_too() -> None:
    assert plain_signs("don`t") == plain_signs("don´t") == "don't"


def test_without_controls_hidden_characters_join_and_white_space_parts() -> None:
    assert without_controls("ig\x01no\ue000re\u200b this\n\tline") == "ignore this\n\tline"
