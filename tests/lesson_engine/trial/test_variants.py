"""Accepted answers as people type them, and denied."""

import pytest

from lesson_engine.grading.matching import one_edit_apart
from lesson_engine.trial.variants import denied, with_slip, without_stop


@pytest.mark.parametrize(
    ("text", "language", "is_definition", "expected"),
    [
        ("They reflect green light.", "en", False, "It is not true that they reflect green light."),
        ("Because it is warm.", "en", False, "It is not because it is warm."),
        ("To make sugar.", "en-GB", False, "It is not to make sugar."),
        ("It is a pigment.", "en", True, "It is not a pigment."),
        ("The green pigment.", "en", True, "It is not the green pigment."),
        ("DNA is copied.", "en", False, "It is not true that DNA is copied."),
        ("Porque hace calor.", "es", False, "No es porque hace calor."),
        ("Es un pigmento.", "es-MX", True, "No es un pigmento."),
        ("Un pigmento.", "es", True, "No es un pigmento."),
        ("Las hojas reflejan el verde.", "es", False, "No es verdad que las hojas reflejan el verde."),
        ("Tornar la lumière.", "fr", False, None),
    ],
)
def test_a_denial_is_a_sentence(text: str, language: str, is_definition: bool, expected: str | None) -> None:
    assert denied(text, language, is_definition=is_definition) == expected


@pytest.mark.parametrize("text", ["Plants make sugar.", "La clorofila absorbe la luz.", "osmosis"])
def test_a_slip_is_one_edit_in_one_word(text: str) -> None:
    before, after = text.split(), with_slip(text, "es" if "La" in text else "en").split()
    changed = [(word, typed) for word, typed in zip(before, after, strict=True) if word != typed]
    assert len(changed) == 1
    assert one_edit_apart(*changed[0])


@pytest.mark.parametrize("text", ["It is ice.", "", "12 g", "aaaaaaaa"])
def test_what_has_no_word_to_mistype_stays(text: str) -> None:
    assert with_slip(text, "en") == text


def test_the_full_stop_is_left_out() -> None:
    assert without_stop("Sugar.") == "Sugar"
