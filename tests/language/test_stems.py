import pytest

from language.stems import plural, singular, singulars, stem


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("hotels", "hotel"),
        ("hoteles", "hotel"),
        ("lapices", "lapiz"),
        ("cities", "city"),
        ("churches", "church"),
        ("habitaciones", "habitacion"),
        ("noches", "noche"),
        ("boxes", "box"),
        ("taxes", "tax"),
        ("axes", "axe"),
        ("glass", "glass"),
        ("gas", "gas"),
    ],
)
def test_singular(many: str, one: str) -> None:
    assert singular(many) == one


@pytest.mark.parametrize(
    ("one", "many", "language"),
    [
        ("hotel", "hoteles", "es"),
        ("luz", "luces", "es"),
        ("estación", "estaciones", "es"),
        ("app", "apps", "es"),
        ("city", "cities", "en"),
        ("box", "boxes", "en"),
        ("day", "days", "en"),
        ("hoteles", "hoteles", "es"),
        ("bus", "buses", "en"),
    ],
)
def test_plural(one: str, many: str, language: str) -> None:
    assert plural(one, language) == many


def test_candidates_for_the_singular_begin_with_the_word() -> None:
    assert singulars("luces", "es") == ["luces", "luz", "luc", "luce"]
    assert singulars("knives", "en") == ["knives", "knif", "knife", "knive"]


@pytest.mark.parametrize(
    ("forms", "language"),
    [
        (("hotels", "hotel", "hoteles"), None),
        (("incluida", "incluido", "incluidos"), None),
        (("companies", "company"), None),
        (("prices", "price"), None),
        (("planning", "planned", "plan"), "en"),
        (("visiting", "visited", "visits", "visit"), "en"),
        (("reservando", "reservar"), "es"),
        (("hoteles", "hotel"), "es"),
    ],
)
def test_forms_of_a_word_have_one_stem(forms: tuple[str, ...], language: str | None) -> None:
    assert len({stem(form, language) for form in forms}) == 1


@pytest.mark.parametrize("words", [("thing", "th"), ("king", "k"), ("bus", "bu"), ("news", "new"), ("mes", "me")])
def test_two_words_do_not_become_one(words: tuple[str, str]) -> None:
    assert stem(words[0], "en") != stem(words[1], "en")
