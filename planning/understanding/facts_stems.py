"""Forms of words: those that a verb of the data files has, and the stem by which unknown words are compared."""

import re
from typing import Final

_VOWELS: Final = "aeiou"
_EN_SUFFIXES: Final = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("zes", "z"))
_EN_UNCHANGED: Final = re.compile(
    r"(ss|us|is|news|series|thing|ring|king|spring|bring|string|bed|red|need|feed|seed|speed)$"
)
_ES_GERUND: Final = re.compile(r"(ando|iendo|yendo)$")
_CLITICS: Final = re.compile(
    r"(melos|melas|melo|mela|noslo|nosla|selos|selas|selo|sela|me|nos|lo|la|los|las|le|les|se)$"
)
_ES_ENDINGS: Final = {
    "ar": ("ar", "o", "as", "a", "amos", "an", "e", "es", "emos", "en", "ando", "ado", "ada", "are", "aria", "ara"),
    "er": ("er", "o", "es", "e", "emos", "en", "a", "as", "amos", "an", "iendo", "ido", "ida", "ere", "eria", "i"),
    "ir": ("ir", "o", "es", "e", "imos", "en", "a", "as", "amos", "an", "iendo", "ido", "ida", "ire", "iria", "i"),
}


def english_forms(base: str) -> list[str]:
    """A regular verb's forms: book, books, booked, booking."""
    if base.endswith("e"):
        return [base, f"{base}s", f"{base}d", f"{base[:-1]}ing"]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return [base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
    third = f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{base}s"
    doubled = [f"{base}{base[-1]}ed", f"{base}{base[-1]}ing"] if _doubles(base) else []
    return [base, third, f"{base}ed", f"{base}ing", *doubled]


def _doubles(base: str) -> bool:
    """Plan, planned: one vowel before one consonant at the end."""
    return len(base) > 2 and base[-1] not in f"{_VOWELS}wxy" and base[-2] in _VOWELS and base[-3] not in _VOWELS


def spanish_forms(base: str) -> list[str]:
    """A regular verb's forms in the present, as an order, and as infinitive and gerund; others are themselves."""
    reflexive = base.endswith("se") and base[:-2].endswith(("ar", "er", "ir"))
    verb = base[:-2] if reflexive else base
    endings = _ES_ENDINGS.get(verb[-2:]) if len(verb) > 4 else None
    if endings is None:
        return [base]
    stem = verb[:-2]
    forms = [base, *(stem + ending for ending in endings)]
    return [*forms, *_respelt(stem, verb[-2:])]


def _respelt(stem: str, ending: str) -> list[str]:
    """Buscar, busque; pagar, pague; organizar, organice."""
    if ending != "ar":
        return []
    for last, other in (("c", "qu"), ("g", "gu"), ("z", "c")):
        if stem.endswith(last):
            return [f"{stem[:-1]}{other}{end}" for end in ("e", "es", "en", "emos")]
    return []


def without_clitics(word: str) -> str:
    """Reservame, reserva; buscarlo, buscar."""
    return _CLITICS.sub("", word) if len(word) > 5 else word


def singulars(word: str, language: str) -> list[str]:
    """What the word may be the plural of, itself first."""
    found = [word]
    if language == "es":
        if word.endswith("ces"):
            found.append(f"{word[:-3]}z")
        if word.endswith("es"):
            found.append(word[:-2])
    else:
        found += [word[: -len(end)] + new for end, new in _EN_SUFFIXES if word.endswith(end)]
        if word.endswith("ves"):
            found += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    if word.endswith("s") and not word.endswith("ss"):
        found.append(word[:-1])
    return found


def stem_of(word: str, language: str) -> str:
    """What forms of an unknown word have in common. Careful rather than thorough: two words must not become one."""
    if len(word) < 4:
        return word
    return _spanish_stem(word) if language == "es" else _english_stem(word)


def _english_stem(word: str) -> str:
    if _EN_UNCHANGED.search(word):
        return word
    for end, new in _EN_SUFFIXES:
        if word.endswith(end) and len(word) > len(end) + 2:
            return _bare(word[: -len(end)] + new)
    if word.endswith("s"):
        return _bare(word[:-1])
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) > len(end) + 2:
            return _bare(_undoubled(word[: -len(end)]))
    return _bare(word)


def _undoubled(stem: str) -> str:
    doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
    return stem[:-1] if doubled else stem


def _bare(stem: str) -> str:
    return stem[:-1] if stem.endswith("e") and len(stem) > 3 else stem


def _spanish_stem(word: str) -> str:
    if len(word) > 6 and _ES_GERUND.search(word):
        return _ES_GERUND.sub("", word) + "-"
    if len(word) > 5 and word.endswith(("ar", "er", "ir")):
        return f"{word[:-2]}-"
    if word.endswith("es") and len(word) > 5 and word[-3] not in _VOWELS:
        return word[:-2]
    return word[:-1] if word.endswith("s") and word[-2] in _VOWELS else word
