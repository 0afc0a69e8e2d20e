"""Whether a reply states anything at all, or only strings words together."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from language import LANGUAGES

from .andamio_3.stems import stem
from .lexicon import function_words, lexicon, number_words
from .matching import Matcher
from .normalise import Phrase, read, read_authored
from .segments import parts

SOUP_WORDS = 4
BARE_WORDS = 6
"""Words without a function word among them that are no sentence, verb or not."""
SOUP_PARTS = 4
LEAST_SMALL_WORDS = 0.12
"""Share of function words that a statement has at least."""
BARE_SENTENCE = 8
"""Words without a function word from which they are no notes of an answer either, whichever they are."""
HEAP_SENTENCE = 9
"""Words from which a share of them tells something."""
MOST_GLUE = 0.6
"""Share of articles and prepositions that no sentence has."""
HEAP_WORDS, LONG_HEAP_WORDS, LONG_HEAP = 5, 7, 13
"""Words among which there is at most one function word in a heap."""
MOST_SYNONYMS = 8
"""Ways to say one idea that an answer has at most, those within others counted too."""
STRAY_WORDS = 2
"""Words that no right answer has, from which a string of words is no notes of an answer."""
SAME_WORDS = 0.9
"""Share of the words of an accepted answer, and of those of the reply, that make the one a copy of the other."""
LEAST_TO_COPY = 5
SHUFFLED, REVERSED = 0.3, -0.6
"""How much of the order of an accepted answer (1 is all) a shuffled and a reversed copy keep."""
NEIGHBOURS = 0.15
"""Share of neighbours that a shuffled copy keeps, unless it breaks grammar besides."""
OWN_ORDER = 0.5
"""Share of neighbours that somebody keeps who says the very words of an accepted answer in another order of clauses."""
BROKEN_PLACES = 2
_EQUATION = re.compile(r"\d[\w%.,]* ?[=<>≤≥] ?\d|\b[A-Za-z] ?= ?[A-Za-z\d]")
"""What states something without a verb."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LEADS = _words("yes no si about sobre")
"""A word that makes no sentence of the words after it."""
_COMPARES = _words(
    "mas menos mayor menor doble triple mitad more less fewer higher lower bigger smaller double twice half"
)
_ARTICLES = _words("el la los las un una the an")  # not "a", which names things: "A is on"
_PREPOSITIONS = _words("de del en con por para of in with for from to")
_JOINTS = _words("y e o and or porque because")
_COPULAS = _words("es son is are")
_NO_NOUNS = _PREPOSITIONS | _JOINTS | _COPULAS | _words("| cuando when the an el la que")
_MORE_SMALL_WORDS = _words("between other another should must might both only every entre otro otra cada solo")


def is_soup(reply: Phrase, ideas: int, words: Matcher, *, naming: bool = False) -> bool:
    """Whether the reply strings words together without a verb or the small words that make a statement.

    `naming`: two or three words are an answer.
    """
    if _is_calculation(reply) or len(reply.words) < 2 or (naming and len(reply.words) < SOUP_WORDS):
        return False
    pieces = [read(part, words.language).content for part in parts(reply.text)]
    if len(pieces) >= SOUP_PARTS and all(len(piece) <= 2 for piece in pieces):
        return True
    verb = _has_verb(reply)
    bare = _share(reply.words, _small_words() if verb else function_words()) == 0
    listed = ideas > 1 and len(pieces) > 1 and all(len(piece) == 1 for piece in pieces)
    if bare and (listed or len(reply.words) >= BARE_WORDS):
        return True
    if verb:
        return False
    if len(reply.words) < SOUP_WORDS:
        return bare and ideas > 1
    counted = reply.words[1:] if reply.words[0] in _LEADS else reply.words
    return _share(counted, _small_words()) < LEAST_SMALL_WORDS


def is_jumble(reply: Phrase, accepted: Sequence[Phrase], groups: Sequence[Sequence[str]], words: Matcher) -> bool:
    """Whether the words are a heap of topic words, said over and over, or in no order that makes a sentence.

    `groups`: the words for each idea that is asked for.
    """
    broken = _grammar_breaks(reply)
    return (
        broken >= BROKEN_PLACES
        or _is_heap(reply, accepted)
        or _says_the_same_words(reply)
        or any(_is_scrambled(reply, phrase, broken) for phrase in accepted)
        or any(_synonyms(reply, group, words) > MOST_SYNONYMS for group in groups)
        or _is_of_letters(reply)
        or _is_glue(reply)
    )


def _is_heap(reply: Phrase, accepted: Sequence[Phrase]) -> bool:
    """Whether these are many bare words, some of which have no place in an answer."""
    counted = reply.words[1:] if reply.words[:1] and reply.words[0] in _LEADS else reply.words
    if len(counted) < BARE_WORDS or _is_calculation(reply) or _is_parallel(counted):
        return False
    pieces = [piece for piece in parts(reply.text) if piece]
    enumerated = len(pieces) >= BARE_WORDS and len(counted) <= 1.5 * len(pieces)
    each = HEAP_WORDS if len(counted) < LONG_HEAP else LONG_HEAP_WORDS
    if not enumerated and sum(word in _small_words() for word in counted) > len(counted) // each:
        return False
    right = {stem for phrase in accepted for stem in phrase.stems}
    stray = [stem for stem in dict.fromkeys(reply.stems) if stem not in right]
    return len(stray) >= STRAY_WORDS or len(counted) >= BARE_SENTENCE


def _is_parallel(typed: Sequence[str]) -> bool:
    """Whether words come back in their order, as in "short string high pitch, long string low pitch"."""
    again = [word for word in typed if typed.count(word) > 1]
    half = len(again) // 2
    return half >= 2 and again[:half] == again[half:]


def _says_the_same_words(reply: Phrase) -> bool:
    """Two or three words over and over; "more voltage more current, less voltage less current" compares."""
    counted = [word for word in reply.words if word in reply.content or word in _COMPARES]
    others = set(counted) - _COMPARES
    if (
        len(set(counted)) > 3
        or len(counted) < 4
        or len(set(counted)) * 2 > len(counted)
        or _EQUATION.search(reply.text)
    ):
        return False
    return len(others) < 2 or len(set(counted) - others) < 2


def _grammar_breaks(reply: Phrase) -> int:
    """Places where no sentence goes on like that: "the of", "is and", "of or"."""
    tokens = (*reply.tokens, "|")
    return sum(
        (first in _ARTICLES and second in _NO_NOUNS)
        or (first in _COPULAS and second in _JOINTS)
        or (first in _PREPOSITIONS and second in (_JOINTS | _COPULAS) - {"porque"})
        for first, second in pairwise(tokens)
    )


def _is_scrambled(reply: Phrase, accepted: Phrase, broken: int) -> bool:
    """Whether the reply has the words of an accepted answer in another order altogether."""
    if sorted(reply.words) == sorted(accepted.words):
        return len(reply.words) >= LEAST_TO_COPY and _neighbours(reply.words, accepted.words) < OWN_ORDER
    ours, theirs = set(reply.stems), set(accepted.stems)
    if len(theirs) < LEAST_TO_COPY or len(ours & theirs) < SAME_WORDS * max(len(ours), len(theirs)):
        return False
    order = _kept_order([stem for stem in dict.fromkeys(reply.stems) if stem in theirs], accepted.stems)
    apart = _neighbours(reply.stems, accepted.stems) <= NEIGHBOURS
    return order <= REVERSED or (order <= SHUFFLED and (bool(broken) or apart))


def _neighbours(typed: Sequence[str], accepted: Sequence[str]) -> float:
    """Share of the neighbours in an accepted answer that are still side by side."""
    pairs = set(pairwise(accepted))
    return len(pairs & set(pairwise(typed))) / max(1, len(pairs))


def _kept_order(typed: Sequence[str], accepted: Sequence[str]) -> float:
    """1 for the same order, -1 for the reverse; two clauses that change places are a little below 0."""
    places = [accepted.index(stem) for stem in typed]
    pairs = list(combinations(places, 2))
    return sum(1 if first < second else -1 for first, second in pairs) / max(1, len(pairs))


def _synonyms(reply: Phrase, group: Sequence[str], words: Matcher) -> int:
    """How many of the ways to say one idea the reply has."""
    if len(reply.words) <= MOST_SYNONYMS:
        return 0
    line = f" {' '.join(reply.words)} "
    return sum(f" {' '.join(read_authored(word, words.language).words)} " in line for word in group)


def _is_glue(reply: Phrase) -> bool:
    """Whether articles and prepositions are most of it: "the 12 of the 12 with the 12 in the 12"."""
    glue = sum(word in _ARTICLES or word in _PREPOSITIONS for word in reply.words)
    return len(reply.words) >= HEAP_SENTENCE and glue >= MOST_GLUE * len(reply.words)


def _is_of_letters(reply: Phrase) -> bool:
    single = sum(len(word) == 1 and word.isalpha() for word in reply.words)
    return len(reply.words) >= BARE_WORDS and single >= 0.7 * len(reply.words) and "=" not in reply.text


def _has_verb(reply: Phrase) -> bool:
    # Every language counts: a learner may answer in another than the lesson's.
    return any(stem(word, code) in _verbs(code) for code in LANGUAGES for word in reply.words)


@lru_cache(maxsize=4)
def _verbs(language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in lexicon(language).verbs)


@lru_cache(maxsize=1)
def _small_words() -> frozenset[str]:
    return function_words().union(_MORE_SMALL_WORDS, number_words())


def _share(typed: Sequence[str], small: frozenset[str]) -> float:
    return sum(word in small for word in typed) / max(1, len(typed))


def _is_calculation(reply: Phrase) -> bool:
    """Whether an equation says it: "no, 50 x 1.2 = 60", "R falls, I = V/R"."""
    return (
        bool(_EQUATION.search(reply.text))
        and sum(word.isalpha() and len(word) > 1 for word in reply.words) < SOUP_WORDS
    )
