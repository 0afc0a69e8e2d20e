"""Replies made to look right: the question pasted back, orders to the grader, a right answer and its denial at once.

`trick_of` finds them by what the reply and the lesson say word for word; no meaning is guessed. Nothing of it is about
the learner: a trick has a worth, and what is left of the reply is judged as ever.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lesson_engine.contracts import Ask

from .attacks import attack_kinds, is_only_orders
from .claims import claims_opposites, denies_right, leaves_open, read_claims, wrong_ideas
from .lexicon import lexicon
from .matching import Matcher
from .meaning.inputs import MOST_WORDS, Kind, known_of
from .meaning.spelling import dictionary, spelt_words
from .misconceptions import code_where, exact
from .normalise import Phrase, read, read_authored
from .polarity import denied_stems
from .statements import is_jumble, is_soup
from .trick_patterns import ABOUT_ITSELF, SAYS_NOTHING

SHORT_ANSWER = 3
"""Content words up to which a right answer is a name rather than a statement."""
NAME = 2
"""Content words up to which all right answers are names: another name is never surely right."""
TOO_LONG = 160
"""Words from which a reply is no answer in somebody's own words, unless the author's are as long."""
MOST_STRANGE = 0.5
"""Share of words that are unknown, small ones apart, from which a reply is in no language."""
SOME_WORDS = 4
"""Words from which that also counts as they were typed: a slip or two are no language of their own."""
LONGEST = 28
"""Letters and figures of the longest word of a language; what is written in a code has none between."""
PASTED = 0.8
"""Share of the words of the question that make a reply without any other one a copy of it."""


@dataclass(frozen=True, slots=True)
class Trick:
    """What a reply does instead of answering. It is worth nothing, or at most a part: the right answer and another."""

    rule: str
    worth: Literal["nothing", "part"]
    misconception: str | None = None


def trick_of(ask: Ask, reply: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    """The trick that a reply to an open question or definition is.

    Not for a reply that is an accepted answer word for word, or a misconception's example.
    """
    plain = without_asides(reply, accepted, words)
    return (
        _says_nothing(ask, reply, plain, accepted, words)
        or _contradicts_itself(ask, plain, accepted, words)
        or _states_little(ask, plain, accepted, words)
    )


def _says_nothing(ask: Ask, reply: Phrase, plain: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    if len(reply.words) > max(TOO_LONG, 4 * max(len(phrase.words) for phrase in accepted)):
        return Trick("too_long", "nothing")
    if _is_pasted(reply, words):
        return Trick("echo", "nothing")
    if is_only_orders(reply.text):
        return Trick("order", "nothing")
    if plain is not reply and (code := exact(ask, plain, words)):
        return Trick("contradiction", "nothing", code)
    if plain is not reply and _vocabulary(accepted, words).isdisjoint(plain.stems):
        return Trick("about_answer", "part")
    return None


def _states_little(ask: Ask, plain: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    """What may not be taken for right without a second look: heaps, opposites on offer, no language, too much."""
    groups: Sequence[Sequence[str]] = getattr(ask.answer, "keyword_groups", ())
    typed, is_unread = plain, False
    if "=" not in plain.text:  # a formula is a statement as it is written
        spelt = spelt_words(plain.text, words.language, known_of(ask, words.vocabulary))
        is_unread = len(spelt) > MOST_WORDS[Kind.ANSWER]
        plain = read(" ".join(spelt), words.language)
    if (
        is_unread
        or _is_strange(typed, words, SOME_WORDS)
        or _is_strange(plain, words)
        or "order" in attack_kinds(plain.text)
    ):
        return Trick("no_statement", "part")
    lengths = [len(phrase.content) for phrase in accepted]
    if is_soup(plain, len(groups), words, naming=min(lengths) <= SHORT_ANSWER):
        return Trick("no_statement", "part")
    if is_jumble(plain, accepted, groups, words) or _says_nothing_new(plain, accepted, words, max(lengths) <= NAME):
        return Trick("no_statement", "part")
    return Trick("alternatives", "part") if _opposites_offered(plain, words) else None


def _says_nothing_new(plain: Phrase, accepted: Sequence[Phrase], words: Matcher, is_name: bool) -> bool:
    """Whether a reply without a word of a right answer is mostly the question's words, one word, or another name."""
    all_words = set(plain.stems)
    own = all_words - words.question
    says_little = is_name or len(all_words) == 1 or len(own) * 2 <= len(all_words)
    return says_little and own.isdisjoint(_vocabulary(accepted, words))


def _is_strange(reply: Phrase, words: Matcher, least: int = 1) -> bool:
    """Whether most words but the small ones, where there are enough, are none of the language or the lesson: letters
    moved or turned round; or one is a code.
    """
    if any(len(word) > LONGEST for word in re.findall(r"\w+", reply.text)):
        return True
    known, small = dictionary(words.language).spelling, lexicon(words.language).stopwords
    typed = [word for word in reply.words if word.isalpha() and word not in small]
    strange = [word for word in typed if not (word in known or word in words.known or word in words.vocabulary)]
    return len(typed) >= least and len(strange) > MOST_STRANGE * len(typed)


def _contradicts_itself(ask: Ask, reply: Phrase, accepted: Sequence[Phrase], words: Matcher) -> Trick | None:
    claims = read_claims(reply, words)
    if denies_right(claims, accepted, words):
        return Trick("denied", "part")
    if leaves_open(ask, claims, accepted, words) or claims_opposites(claims, words):
        return Trick("alternatives", "part")
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
