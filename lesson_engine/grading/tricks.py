"""Replies made to look right: the question pasted back, keywords without a statement, every alternative at once.

`trick_of` finds them by what the reply and the lesson say word for word; no meaning is guessed. Nothing of it is about
the learner: a trick has a worth, and what is left of the reply is judged as ever.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer

from .andamio_3.stems import stem
from .attacks import is_only_orders
from .claims import claims_opposites, denies_right, leaves_open, read_claims, wrong_ideas
from .lexicon import lexicon
from .matching import Matcher
from .misconceptions import code_where, exact
from .normalise import Phrase, read, read_authored
from .polarity import denied_stems, ever_denied
from .segments import parts
from .statements import is_jumble, is_soup
from .trick_patterns import ABOUT_ITSELF, SAYS_HOW, SAYS_NOTHING, TOPIC

SHORT_ANSWER = 3
"""Content words up to which a right answer is a name rather than a statement."""
TOO_LONG = 160
"""Words from which a reply is no answer in somebody's own words, unless the author's are as long."""
NAMED_WORDS = 4
"""Words that somebody names who says what the answer has to do with, and no more."""
PASTED = 0.8
"""Share of the words of the question that make a reply without any other one a copy of it."""


@dataclass(frozen=True, slots=True)
class Trick:
    """What a reply does instead of answering. It is worth nothing, or at most a part: the right answer and another."""

    rule: str
    worth: Literal["nothing", "part"]
    misconception: str | None = None


def trick_of(ask: Ask, reply: Phrase, accepted: Sequence[Phrase], ideas: int, words: Matcher) -> Trick | None:
    """The trick that a reply to an open question or definition is. `ideas`: how many of them its author asks for.

    Not for a reply that is an accepted answer word for word, or a misconception's example.
    """
    plain = without_asides(reply, accepted, words)
    return (
        _says_nothing(ask, reply, plain, accepted, words)
        or _contradicts_itself(ask, plain, accepted, words)
        or _leaves_it_open(ask, plain, accepted, ideas, words)
    )


def _says_nothing(ask: Ask, reply: Phrase, plain: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    groups = getattr(ask.answer, "keyword_groups", ())
    if len(reply.words) > max(TOO_LONG, 4 * max(len(phrase.words) for phrase in accepted)):
        return Trick("too_long", "nothing")
    if _is_pasted(reply, words):
        return Trick("echo", "nothing")
    if is_only_orders(reply.text):
        return Trick("order", "nothing")
    if plain is not reply and (code := exact(ask, plain, words)):
        return Trick("contradiction", "nothing", code)
    if plain is not reply and _vocabulary(accepted, words).isdisjoint(plain.stems):
        return Trick("about_answer", "nothing")
    if is_jumble(plain, accepted, groups, words):
        return Trick("no_statement", "nothing")
    return Trick("about_answer", "nothing") if _names_the_topic(plain, accepted, words) else None


def _leaves_it_open(ask: Ask, plain: Phrase, accepted: Sequence[Phrase], ideas: int, words: Matcher) -> Trick | None:
    if is_soup(plain, ideas, words, naming=any(len(phrase.content) <= SHORT_ANSWER for phrase in accepted)):
        return Trick("no_statement", "part")
    nearest = max(accepted, key=lambda phrase: len(set(phrase.stems) & set(plain.stems)))
    if offers_alternatives(ask, plain, nearest, words) or offers_wrong_idea(ask, plain, words):
        return Trick("alternatives", "part")
    return None


def _contradicts_itself(ask: Ask, reply: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    claims = read_claims(reply, words)
    if denies_right(claims, accepted, words):
        return Trick("denied", "nothing")
    if leaves_open(ask, claims, accepted, words) or claims_opposites(claims, words):
        return Trick("alternatives", "nothing")
    wrong, others = wrong_ideas(ask, claims, words)
    right = _vocabulary(accepted, words)
    if len(wrong) > 1 or (wrong and all(right.isdisjoint(clause.stems) for clause in others)):
        return Trick("contradiction", "nothing", wrong[0])
    code = next(iter(wrong), None) or holds_wrong_idea(ask, reply, words)
    return Trick("contradiction", "part", code) if code else None


def _vocabulary(accepted: Sequence[Phrase], words: Matcher) -> set[str]:
    """Stems of the right answers beyond the question's."""
    return {stem for phrase in accepted for stem in phrase.stems} - words.question


def _is_pasted(reply: Phrase, words: Matcher) -> bool:
    """Whether the reply is the question, and no word more."""
    stems = set(reply.stems)
    return len(words.question) > SHORT_ANSWER and stems <= words.question and len(stems) >= PASTED * len(words.question)


def without_asides(reply: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Phrase:
    """The reply without the clauses that speak of the answer itself or of how it is to be judged."""
    line = " ".join(reply.tokens)
    if not ABOUT_ITSELF.search(line) or any(ABOUT_ITSELF.search(" ".join(phrase.tokens)) for phrase in accepted):
        return reply
    clauses = [clause for clause in line.split("|") if not ABOUT_ITSELF.search(clause)]
    return read(SAYS_NOTHING.sub(" ", ", ".join(clauses)), words.language)


def _names_the_topic(reply: Phrase, accepted: Sequence[Phrase], words: Matcher) -> bool:
    """Whether the reply says what the answer is about or has to do with, and nothing besides."""
    line = " ".join(reply.tokens)
    if not TOPIC.search(line) or any(TOPIC.search(" ".join(phrase.tokens)) for phrase in accepted):
        return False
    left = SAYS_NOTHING.sub(" ", TOPIC.sub(" ", line))
    named = read(left, words.language)
    states = SAYS_HOW.search(left) or not lexicon(words.language).verbs.isdisjoint(named.words)
    return not states or len(named.content) <= NAMED_WORDS


def is_echo(reply: Phrase, vocabulary: frozenset[str], words: Matcher) -> bool:
    """Whether the reply adds nothing of substance to the question. `vocabulary`: stems of right answers."""
    repeated = sum(stem in words.question for stem in reply.stems)
    new = [stem for stem in reply.stems if stem not in words.question]
    return repeated > 0 and (not new or (repeated >= 4 * len(new) and vocabulary.isdisjoint(new)))


def offers_alternatives(ask: Ask, reply: Phrase, nearest: Phrase, words: Matcher) -> bool:
    """Whether a short right answer is one of several, as in "oxygen or nitrogen"."""
    # A statement that has every idea asked for is no list of guesses.
    statement = len(getattr(ask.answer, "keyword_groups", ())) > 1
    if statement or len(nearest.content) > SHORT_ANSWER or len(reply.content) > SHORT_ANSWER + 5:
        return _opposites_offered(reply, words)
    data = lexicon(words.language)
    pieces = [piece for piece in parts(reply.text) if read(piece, words.language).words]
    enumerated = len(pieces) >= 3 and data.verbs.isdisjoint(reply.words)
    spare = [word for word in reply.content if not words.any(word, nearest.content) and not words.in_question(word)]
    return bool(spare) and (enumerated or not data.alternatives.isdisjoint(reply.words))


def offers_wrong_idea(ask: Ask, reply: Phrase, words: Matcher) -> bool:
    """Whether an "or" joins a right word and one of a misconception: "water or CO2"."""
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
    wrong = {
        s
        for misconception in ask.misconceptions
        for phrase in _examples(misconception.examples, words)
        for s in phrase.stems
    }
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
    typed = reply.words
    return [
        at
        for at, word in enumerate(typed)
        if word in ors and (*typed[at - 1 : at], *typed[at + 1 : at + 2]) not in about
    ]


def holds_wrong_idea(ask: Ask, reply: Phrase, words: Matcher) -> str | None:
    """The misconception one of whose examples is part of a longer reply, word for word and not denied."""
    denied, articles = denied_stems(reply, words.language), lexicon(words.language).articles
    typed = [word for word in reply.words if word not in articles]

    def is_stated(text: str) -> bool:
        example = read_authored(text, words.language)
        stated = len(example.content) > 2 and denied.isdisjoint(example.stems)
        return stated and words.find(example.key.split(), typed) is not None

    return code_where(ask, is_stated)


def _examples(texts: Sequence[str], words: Matcher) -> list[Phrase]:
    return [read_authored(text, words.language) for text in texts]
