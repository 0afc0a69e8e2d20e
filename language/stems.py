"""Forms of words, folded: singular, plural, and a stem that the forms of one word share."""

import re
from functools import lru_cache
from typing import Final

from language import Language

_VOWELS: Final = "aeiou"
_SINGULAR_ENDINGS: Final = (("ces", "z"), ("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"))
_ENGLISH_ENDINGS: Final = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("zes", "z"))
_ENGLISH_UNCHANGED: Final = re.compile(
    r"(ss|us|is|news|series|thing|ring|king|spring|bring|string|bed|red|need|feed|seed|speed)$"
)
_SPANISH_GERUND: Final = re.compile(r"(ando|iendo|yendo)$")
_GENDER: Final = re.compile(r"(?<=[a-z]{2})(ad|id|iv|os|ic|an|ar|al|st|ct|id|iel|lid|err)[oa]$")
_PLAIN_VOWELS: Final = dict(zip("áéíóú", "aeiou", strict=True))  # estación, estaciones


def singular(word: str) -> str:
    """The singular of a noun of either language: hotels, hoteles, lapices, churches."""
    for ending, replacement in _SINGULAR_ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + (1 if ending == "xes" else 2):
            return word.removesuffix(ending) + replacement
    if len(word) > 4 and word.endswith("es") and word[-3] in "lrndj":
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def singulars(word: str, language: Language | str) -> list[str]:
    """What the word may be the plural of, itself first."""
    candidates = [word]
    if language == "es":
        if word.endswith("ces"):
            candidates.append(f"{word[:-3]}z")
        if word.endswith("es"):
            candidates.append(word[:-2])
    else:
        candidates += [word[: -len(end)] + new for end, new in _ENGLISH_ENDINGS if word.endswith(end)]
        if word.endswith("ves"):
            candidates += [f"{word[:-3]}f", f"{word[:-3]}fe"]
    if word.endswith("s") and not word.endswith("ss"):
        candidates.append(word[:-1])
    return candidates


def plural(word: str, language: Language | str) -> str:
    """The plural of a noun or a Spanish adjective by the rules; of one that is plural already, itself."""
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "és", "ús")):
        return word
    if language == "es":
        return _spanish_plural(word)
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "sh", "ch", "x", "z")) else "s")


def _spanish_plural(word: str) -> str:
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word[-1:] in "aeiouáéó":
        return word + "s"
    if word[-1:] in "bcfgkmptvwx" or word.endswith(("nd", "rd")):
        return word + "s"  # words from other languages: apps, podcasts
    if word[-1:] in "ns":
        return word[:-2] + _PLAIN_VOWELS.get(word[-2:-1], word[-2:-1]) + word[-1:] + "es"
    return word + "es"


@lru_cache(8_192)
def stem(word: str, language: Language | str | None = None) -> str:
    """What the forms of a folded word have in common. Careful rather than thorough: two words must not become one.

    Without a language, one form for singular, plural and the gender of Spanish adjectives, as names of fields have
    them: hotels, hoteles; incluida, incluidos. With one, the regular forms of its verbs too.
    """
    if language is None:
        return _stem_of_either(word)
    if len(word) < 4:
        return word
    return _spanish_stem(word) if language == "es" else _english_stem(word)


def _stem_of_either(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    if len(word) > 4 and word.endswith("sse"):
        return word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    return _GENDER.sub(r"\1", word) if len(word) > 4 else word


def _english_stem(word: str) -> str:
    if _ENGLISH_UNCHANGED.search(word):
        return word
    for end, new in _ENGLISH_ENDINGS:
        if word.endswith(end) and len(word) > len(end) + 2:
            return _without_e(word[: -len(end)] + new)
    if word.endswith("s"):
        return _without_e(word[:-1])
    for end in ("ing", "ed"):
        if word.endswith(end) and len(word) > len(end) + 2:
            return _without_e(_undoubled(word[: -len(end)]))
    return _without_e(word)


def _undoubled(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word


def _without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _spanish_stem(word: str) -> str:
    if len(word) > 6 and _SPANISH_GERUND.search(word):
        return _SPANISH_GERUND.sub("", word) + "-"
    if len(word) > 5 and word.endswith(("ar", "er", "ir")):
        return f"{word[:-2]}-"
    if word.endswith("es") and len(word) > 5 and word[-3] not in _VOWELS:
        return word[:-2]
    return word[:-1] if word.endswith("s") and word[-2] in _VOWELS else word
