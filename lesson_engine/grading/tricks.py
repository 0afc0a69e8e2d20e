"""Replies made to look right: the question pasted back, keywords without a statement, every alternative at once."""

import re
from collections.abc import Sequence

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer

from .lexicon import LANGUAGES, lexicon
from .matching import Matcher
from .normalise import Phrase, read, read_authored
from .polarity import denied_stems, ever_denied
from .segments import parts
from .stems import stem

SHORT_ANSWER = 3
"""Content words up to which a right answer is a name rather than a statement."""
SOUP_WORDS = 4
BARE_WORDS = 6
"""Words without a function word among them that are no sentence, verb or not."""
SOUP_PARTS = 4
LEAST_SMALL_WORDS = 0.12
"""Share of function words that a statement has at least."""
_EQUATION = re.compile(r"\d[\w%.,]* ?[=<>≤≥] ?\d")
"""What states something without a verb."""
_YES_NO = frozenset({"yes", "no", "si"})
"""A word that answers, but makes no sentence of the words after it."""


def is_echo(reply: Phrase, vocabulary: frozenset[str], words: Matcher) -> bool:
    """Whether the reply adds nothing of substance to the question. `vocabulary`: stems of right answers."""
    asked = sum(stem in words.question for stem in reply.stems)
    new = [stem for stem in reply.stems if stem not in words.question]
    return asked > 0 and (not new or (asked >= 4 * len(new) and vocabulary.isdisjoint(new)))


def is_soup(reply: Phrase, ideas: int, words: Matcher) -> bool:
    """Whether the reply strings words together without a verb or the small words that make a statement."""
    # Every language counts: a learner may answer in another than the lesson's.
    verbs = frozenset[str]().union(*(lexicon(code).verbs for code in LANGUAGES))
    small = frozenset[str]().union(*(lexicon(code).stopwords for code in LANGUAGES))
    share = _share(reply.words, small)
    pieces = [read(part, words.language).content for part in parts(reply.text)]
    if _is_calculation(reply):
        return False
    if share == 0 and (len(reply.words) >= BARE_WORDS or (len(pieces) > 1 and ideas > 1)):
        return True
    if len(reply.words) < 2 or not verbs.isdisjoint(reply.words):
        return False
    if len(reply.words) < SOUP_WORDS:
        return share == 0 and ideas > 1
    said = reply.words[1:] if reply.words[0] in _YES_NO else reply.words
    few = _share(said, small) < LEAST_SMALL_WORDS
    return few or (len(pieces) >= SOUP_PARTS and all(len(piece) <= 2 for piece in pieces))


def _share(said: Sequence[str], small: frozenset[str]) -> float:
    return sum(word in small for word in said) / max(1, len(said))


def _is_calculation(reply: Phrase) -> bool:
    """Whether an equation says it: "no, 50 x 1.2 = 60"."""
    return bool(_EQUATION.search(reply.text)) and sum(word.isalpha() for word in reply.words) < SOUP_WORDS


def offers_alternatives(ask: Ask, reply: Phrase, nearest: Phrase, words: Matcher) -> bool:
    """Whether a short right answer stands among others, as in "oxygen or nitrogen"."""
    # A statement that has every idea asked for is no list of guesses.
    statement = len(getattr(ask.answer, "keyword_groups", ())) > 1
    if statement or len(nearest.content) > SHORT_ANSWER or len(reply.content) > SHORT_ANSWER + 5:
        return _opposites_offered(reply, words)
    data = lexicon(words.language)
    pieces = [piece for piece in parts(reply.text) if read(piece, words.language).words]
    enumerated = len(pieces) >= 3 and data.verbs.isdisjoint(reply.words)
    spare = [word for word in reply.content if not words.any(word, nearest.content) and not words.asked(word)]
    return bool(spare) and (enumerated or not data.alternatives.isdisjoint(reply.words))


def offers_wrong_idea(ask: Ask, reply: Phrase, words: Matcher) -> bool:
    """Whether a right word stands beside one of a misconception with an "or" between: "water or CO2"."""
    data = lexicon(words.language)
    if data.alternatives.isdisjoint(reply.words):
        return False
    right, wrong = _vocabularies(ask, words)
    for at in _ors(reply, words):
        before = next((w for w in reversed(reply.words[:at]) if w not in data.stopwords), "")
        after = next((w for w in reply.words[at:] if w not in data.stopwords), "")
        sides = [stem(side, words.language) for side in (before, after)]
        if sides[0] in right and sides[1] in wrong - right:
            return True
    return False


def _vocabularies(ask: Ask, words: Matcher) -> tuple[set[str], set[str]]:
    """Stems that right answers affirm, and stems of the misconceptions."""
    if not isinstance(ask.answer, OpenAnswer | DefinitionAnswer):
        return set(), set()
    accepted = _examples(ask.answer.accepted, words)
    keywords = _examples([word for group in ask.answer.keyword_groups for word in group], words)
    denied = {s for phrase in accepted for s in ever_denied(phrase, words.language)}
    right = ({s for phrase in accepted for s in phrase.stems} - denied) | {s for p in keywords for s in p.stems}
    wrong = {s for one in ask.misconceptions for phrase in _examples(one.examples, words) for s in phrase.stems}
    return right | words.question, wrong


def _opposites_offered(reply: Phrase, words: Matcher) -> bool:
    """Whether both sides of the word for "or" exclude each other: "absorbs or releases"."""
    data = lexicon(words.language)
    pairs = {frozenset(pair) for pair in data.antonyms}
    return any(
        frozenset((reply.words[at - 1], reply.words[at + 1])) in pairs
        for at in _ors(reply, words)
        if 0 < at < len(reply.words) - 1
    )


def _ors(reply: Phrase, words: Matcher) -> list[int]:
    """Places of the word for "or"; not that of "more or less", which says "about"."""
    ors = lexicon(words.language).alternatives
    about = (("more", "less"), ("mas", "menos"))
    said = reply.words
    return [
        at for at, word in enumerate(said) if word in ors and (*said[at - 1 : at], *said[at + 1 : at + 2]) not in about
    ]


def holds_wrong_idea(ask: Ask, reply: Phrase, words: Matcher) -> str | None:
    """The misconception one of whose examples stands word for word within a longer reply, not denied."""
    denied = denied_stems(reply, words.language)
    for wrong in ask.misconceptions:
        for example in _examples(wrong.examples, words):
            if len(example.content) > 2 and denied.isdisjoint(example.stems) and _within(example, reply, words):
                return wrong.code
    return None


def _examples(texts: Sequence[str], words: Matcher) -> list[Phrase]:
    return [read_authored(text, words.language) for text in texts]


def _within(example: Phrase, reply: Phrase, words: Matcher) -> bool:
    key = example.key.split()
    return words.find(key, [word for word in reply.words if word not in lexicon(words.language).articles]) is not None
