"""Names of units that pint does not know: Spanish ones with their prefixes, British spellings, money, shorthand."""

from functools import cache, lru_cache
from typing import Final

from language.stems import singular

from .lexicon import unit_words
from .slips import MIN_LETTERS, is_word, one_edit_apart

_PREFIXES: Final = {
    prefix: prefix
    for prefix in ("tera", "giga", "mega", "kilo", "hecto", "deca", "deci", "centi", "milli", "micro", "nano", "pico")
} | {"mili": "milli", "quilo": "kilo", "deka": "deca"}
_BASES: Final = {
    "meter": "metre metres metro metros",
    "liter": "litre litres litro litros",
    "gram": "gramme grammes gramo gramos",
    "second": "segundo segundos",
    "joule": "julio julios joules",
    "watt": "vatio vatios watio watios",
    "volt": "voltio voltios",
    "ampere": "amperio amperios amp amps",
    "ohm": "ohmio ohmios",
    "hertz": "hercio hercios",
    "pascal": "pascales",
    "coulomb": "culombio culombios",
    "farad": "faradio faradios",
    "henry": "henrio henrios",
    "tesla": "teslas",
    "newton": "newtons neutonio neutonios",
    "calorie": "caloria calorias",
    "byte": "octeto octetos",
    "bar": "bares",
    "mole": "moles",
}
_MORE: Final = {
    "hectare": "hectarea hectareas",
    "inch": "pulgada pulgadas",
    "foot": "pie pies",
    "mile": "milla millas",
    "yard": "yarda yardas",
    "pound": "libra libras lbs",
    "ounce": "onza onzas",
    "gallon": "galon galones",
    "century": "siglo siglos",
    "decade": "decenio decenios",
    "year": "yr yrs",
    "kilometer": "kms",
    "centimeter": "cms",
    "millimeter": "mms",
    "kilogram": "quilo quilos",
    "kilometer_per_hour": "kmh kmph",
    "metric_ton": "tonne tonnes",
    "cubic_centimeter": "cc",
    "euro": "euro euros eur €",
    "dollar": "dollar dollars dolar dolares usd $",
    "pound_sterling": "gbp £",
    "yen": "yen yenes jpy ¥",
    "peso": "peso pesos mxn",
}

_SINGULARS: Final = {
    "children": "child",
    "people": "person",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "teeth": "tooth",
    "geese": "goose",
    "knives": "knife",
    "wolves": "wolf",
    "halves": "half",
}


def counted_thing(word: str) -> str:
    """One of the things, where stems do not show it: "child" for "children", "estudiante" for "estudiantes"."""
    return _SINGULARS.get(word) or (singular(word) if word.endswith("ntes") else word)


@cache
def names() -> dict[str, str]:
    """Folded names to what pint knows, those of the languages first."""
    return _bases() | {word: name for name, words in _MORE.items() for word in words.split()} | unit_words()


@lru_cache(maxsize=4096)
def known_name(folded: str) -> str | None:
    """What pint calls a unit by its folded name, with or without a prefix; None for any other word."""
    if folded in names():
        return names()[folded]
    for prefix, long in _PREFIXES.items():
        if folded.startswith(prefix) and (base := _bases().get(folded[len(prefix) :].lstrip("r"))):
            return long + base
    return None


@cache
def _bases() -> dict[str, str]:
    return {word: name for name, words in _BASES.items() for word in words.split()}


@lru_cache(maxsize=512)
def spellings(name: str) -> frozenset[str]:
    """The folded names of a unit in every language, by what pint calls it."""
    return frozenset({name, f"{name}s", *(word for word, known in names().items() if known == name)})


@lru_cache(maxsize=4096)
def misspelt_name(folded: str) -> str | None:
    """The one unit that an unknown word of five letters is one edit from: "metors"."""
    if len(folded) < MIN_LETTERS or not folded.isalpha() or is_word(folded, "es") or is_word(folded, "en"):
        return None
    near = {name for word, name in names().items() if len(word) >= MIN_LETTERS and one_edit_apart(folded, word)}
    return near.pop() if len(near) == 1 else None
