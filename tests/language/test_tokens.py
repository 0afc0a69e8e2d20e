import re

from language.names import name_words, split_camel
from language.tokens import Token, any_of, tokens_of, words_of


def test_words_are_folded_and_know_their_places() -> None:
    text = "¿Cuánto cuesta? Don't ask R&D at 18:30."
    tokens = tokens_of(text)
    assert [token.word for token in tokens] == ["cuanto", "cuesta", "don't", "ask", "r&d", "at", "18:30"]
    assert tokens[0] == Token("cuanto", 1, 7)
    assert [text[token.start : token.end].lower() for token in tokens][1:] == [token.word for token in tokens][1:]


def test_words_are_runs_of_letters_and_digits() -> None:
    assert words_of("Año 2026: e-mail, hotel_3*") == ["ano", "2026", "e", "mail", "hotel", "3"]


def test_the_longest_phrase_is_found_first() -> None:
    assert re.findall(any_of(["más", "más o menos", "a.b"]), "mas o menos mas a.b axb") == ["mas o menos", "mas", "a.b"]
    assert re.search(any_of([]), "") is None


def test_names_of_every_style_have_the_same_words() -> None:
    styles = ("hotelQuality", "hotel_quality", "Hotel-Quality", "HotelQuality", "hotel quality")
    assert {name_words(style) for style in styles} == {("hotel", "quality")}
    assert name_words("HTTPServer2.5Año") == ("http", "server", "2.5", "ano")
    assert split_camel("priceEUR") == "price EUR"
