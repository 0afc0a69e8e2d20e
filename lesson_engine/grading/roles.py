"""What each word or sign beside a number does there, as one letter: "6 entre 2 son" is `#x#c`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from language import LANGUAGES
from language.number_words import cardinals

from .lexicon import lexicon, small_talk
from .units import read_whole_unit

_ROLES: Final = {
    "s": "so|then|therefore|thus|hence|entonces|asi que|asi q|por tanto|por lo tanto|o sea|es decir",
    "b": "since|cause|cos|as there|as they|as it|as each|as the|as you|ya que|puesto que|dado que",
    "n": "n't",
    "d": "wrong|incorrect|false|mal|incorrecto|falso|not right|not correct|not true|n't right|no es correcto",
    "o": "could be|may be|might be|puede ser|if not|si no|or else|also|tambien",
    ",": ",|;|(|[|!|?|.|\n|if|when|where|while|si|cuando|donde|mientras",
    "x": "+|-|*|/|×|·|x|times|plus|minus|multiplied by|divided by|divided between|over|between|por|mas|menos|entre"
    "|dividido|dividido por|dividido entre|divididos entre|multiplicado por|partido|partido por",
    ":": ":",
    "=": "=|→|⇒|≈|->|=>|make|makes|give|gives|get|gets|got|equal|equals|leaves|remain|remains|da|dan|queda|quedan"
    "|hace|hacen|sale|salen|tocan|vale",
    "t": "total|altogether|in all",
    "a": "answer|result|solution|respuesta|resultado|solucion",
    "c": "is|are|be|its|'s|es|son|sera|serian|seria|fue",
    "r": "each|every|per|of|for|from|by|with|than|out|whole|more|less|fewer|extra|was|were|had"
    "|cada|del|de|para|con|sobre|desde|era|eran|habia|tenia",
    "h": "half|third|quarter|mitad|tercio|cuarto|parte|doble|triple|twice|double",
    "&": "and|y|e|&",
    "-": ")|]|no se|no lo se|no idea|not sure|not very sure|no estoy seguro|no estoy segura|dont know|n't know|not know"
    "|more or less|mas o menos|or so|o asi|maybe|perhaps|possibly|probably|around|roughly|exactly|approximately|quiza"
    "|quizas|tal vez|igual|aproximadamente|casi|unos|unas|idk",
}
"""Hence, because, not, what denies the number before it, or, the end of a clause, operator, ratio or colon, what a
result follows, total, "answer", copula, what ties a number to something, share, and, what says nothing. The lexicon has
more of them. Any other word is `w`, and a number in words beside digits `N`."""

CLAUSE_ENDS: Final = re.compile("[,:sb]")
_CLAUSE_AFTER_AND: Final = re.compile("&(?=-*w)")
_NO_UNIT: Final = frozenset("sbn=cro&")
PART_ENDS: Final = re.compile("[,:sbo&]")
"""Those of parts of a clause too: "it began in 1939 and ended in 1945"."""


@dataclass(frozen=True, slots=True)
class Said:
    """Words and signs in order, and their roles: a letter for each."""

    words: tuple[str, ...]
    roles: str

    @property
    def ends_clause(self) -> bool:
        return bool(CLAUSE_ENDS.search(self.roles))

    def last(self, ends: re.Pattern[str] = CLAUSE_ENDS) -> "Said":
        """From the last end of a clause on."""
        start = max((end.end() for end in ends.finditer(self.roles)), default=0)
        return Said(self.words[start:], self.roles[start:])

    def first(self, ends: re.Pattern[str] = CLAUSE_ENDS) -> "Said":
        """Up to the first end of a clause."""
        end = ends.search(self.roles)
        return Said(self.words[: end.start()], self.roles[: end.start()]) if end else self

    def telling(self) -> Iterator[str]:
        """The words that tell one number from another."""
        return (word for word, role in zip(self.words, self.roles, strict=True) if role not in "-,:&c")

    def after_thing(self) -> "Said":
        """Without the one or two words that say what a number before it counts."""
        counted = re.match("w{0,2}", self.roles)
        start = counted.end() if counted else 0
        return Said(self.words[start:], self.roles[start:])


@lru_cache(maxsize=4096)
def said(text: str) -> Said:
    """The words and signs of a folded text."""
    words = tuple(_words_and_signs().findall(text))
    return Said(words, _CLAUSE_AFTER_AND.sub(",", "".join(map(_role, words))))


def _role(word: str) -> str:
    if role := _known_roles().get(word):
        return role
    if word in small_talk() or word.isdigit():
        return "-"
    return "N" if cardinals().get(word, 0) > 1 and word != "once" else "w"


@cache
def _known_roles() -> dict[str, str]:
    known: dict[str, str] = {}
    for words in map(lexicon, LANGUAGES):
        known |= dict.fromkeys(words.negations | {" ".join(phrase) for phrase in words.instead_of}, "n")
        known |= dict.fromkeys((" ".join(phrase) for phrase in words.not_negating), "-")
        known |= dict.fromkeys(words.alternatives, "o") | dict.fromkeys(words.contrasts, ",")
        known |= dict.fromkeys(words.reasons, "b")
        known |= {short: "b" for short, word in words.shorthand.items() if word in words.reasons}
    return known | {word: role for role, words in _ROLES.items() for word in words.split("|")}


@cache
def _words_and_signs() -> re.Pattern[str]:
    longest_first = sorted(_known_roles(), key=len, reverse=True)
    bounds = ((r"\b" if phrase[0].isalpha() and not phrase.startswith("n't") else "") for phrase in longest_first)
    phrases = (
        f"{bound}{re.escape(phrase)}" + (r"\b" if phrase[-1].isalpha() else "")
        for bound, phrase in zip(bounds, longest_first, strict=True)
    )
    return re.compile(rf"{'|'.join(phrases)}|[^\W_]+?(?=n't\b)|[^\W_]+")


def after_unit(text: str, language: str) -> str:
    """What is left of the text after a number without its unit; a word with a role is none."""
    for word in reversed([*re.finditer(r"\S+", text)][:5]):
        unit = text[: word.end()].rstrip(" .,;:!?)")
        if unit and read_whole_unit(unit, language) and _NO_UNIT.isdisjoint(said(unit).roles):
            return text[len(unit) :]
    return text
