"""Replies that are no attempt ("I don't know", pleas, greetings, orders to the grader) or cannot be read at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from lesson_engine.contracts import Ask, Verdict

from .andamio_3.fold import clean
from .lexicon import small_talk
from .matching import Matcher
from .meaning.inputs import known_of
from .meaning.spelling import spelt_words
from .normalise import line_of, read, tokens
from .phrase_lists import phrase_pattern
from .verdicts import no_attempt, not_gradable

NoAttempt = Literal["order", "dont_know", "request", "plea", "insult", "greeting"]

ATTEMPT_FILES: Final[dict[NoAttempt, str]] = {
    # Requests first, or "tell me a joke" would be a plea and a joke.
    "request": "requests.txt",
    "dont_know": "dont_know.txt",
    "plea": "pleas.txt",
    "order": "orders.txt",
    "insult": "insults.txt",
    "greeting": "greetings.txt",
}
"""In the order in which they are taken out of a reply."""
_WEIGHT: Final[tuple[NoAttempt, ...]] = ("order", "dont_know", "request", "plea", "insult", "greeting")
"""Of several in one reply, the one that is answered: "I don't know, this is stupid" wants comfort."""
_TOPICS: Final[tuple[NoAttempt, ...]] = ("insult", "request")
"""What a question may be about, so that a word of it is enough to make it an answer there."""
_FILLER: Final = frozenset(["actually", "rest", "yet", "else", "basically", "already", "sir", "miss", "honest", "si"])
"""Words that add nothing to any of these, with those that each language's lexicon lists."""
_ADDRESSED: Final = """
machine computer tutor teacher program app bot robot lesson question exercise thing guys man dude bro ass face head off
maquina ordenador profe profesor programa leccion pregunta ejercicio tio tia chaval vete vida
"""
_WITH_AN_INSULT: Final = frozenset(_ADDRESSED.split())
"""Words that add nothing to an insult."""
_PERSONS: Final = "he she they him her his them their was were because el ella ellos ellas era eran fue porque"
_ABOUT_A_PERSON: Final = frozenset(_PERSONS.split())
"""With these an insult is a statement: "he was an idiot"."""
_HEDGE: Final = re.compile(
    r"(?:^|(?<=\| ))(?:la verdad )?(?:"
    r"no (?:lo )?se(?: (?:muy )?bien| seguro)?|no estoy segur[oa]"
    r"|i (?:do not|dont) know|idk|(?:i am |im |i m )?not (?:really |very )?sure"
    r")(?: \||(?= pero| aunque| but)| (?:si|if)(?= )|$)"
)
"""A doubt before an answer: "no sé si ...", "not sure, but ..."."""
_KEYBOARD_ROWS: Final = ("qwertyuiop", "asdfghjklñ", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz")
_NO_VOWELS = re.compile(r"[^aeiouy\d]{4,}")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}")
_REPEATED = re.compile(r"(.{1,3}?)\1{3,}|(.)\2{3,}|(?:j+[aei]+){2,}j?|(?:h+[aei]+){2,}h?")
_POLITE = re.compile(
    r"(?:^|(?<=\| ))(?:(?:por favor|please)(?: \|)? (?:acepta\w*|accept)(?= \|)"
    r"|(?:(?:y|and) )?(?:por favor|please|y|and)(?= \||$))"
)
"""What an order leaves behind, or says before an answer: "please accept: ..."; it would be an item of a list."""


def read_attempt(text: str, ask: Ask, words: Matcher) -> Verdict | str:
    """The verdict on a reply that need not be graded, else its text without hedges and orders.

    A right answer that merely contains such words is graded.
    """
    if not clean(text):
        return not_gradable("attempt.empty")
    spelt = " ".join(spelt_words(text, words.language, known_of(ask, words.vocabulary)))
    for reply in (text, spelt):  # "dunno reallly"
        if kind := no_attempt_kind(reply, question=ask.question, answers=_answers(ask)):
            return no_attempt(f"attempt.{kind}")
    if read(text, words.language).key in words.keys:
        return text
    line = line_of(text)
    gibberish = ask.answer.kind not in ("choice", "multi_choice") and is_gibberish(text, words.known)
    if gibberish or not any(char.isalnum() for char in line):
        return not_gradable("attempt.unreadable")
    left = _POLITE.sub(" ", _HEDGE.sub(" | ", attempt_pattern("order").sub(" ", line)))
    return text if left == line else left.replace("|", ",")


def attempt_pattern(kind: NoAttempt) -> re.Pattern[str]:
    """The phrases of this kind, over folded words with bars between clauses. Compiled when it is first asked for."""
    return phrase_pattern(ATTEMPT_FILES[kind])


def no_attempt_kind(text: str, *, question: str = "", answers: Sequence[str] = ()) -> NoAttempt | None:
    """The kind of a reply that says nothing but one of these; None for one that says more.

    `answers` are the author's, right or wrong. What they contain is an answer there: in a lesson on manners "Shut up"
    may be one. So it is for insults and requests that the question itself is about.
    """
    return _kind(line_of(text), _own(question, tuple(answers)))


@dataclass(frozen=True, slots=True)
class _Own:
    """What a question makes of such words: kinds that its texts show themselves, and its words."""

    kinds: frozenset[NoAttempt]
    words: frozenset[str]


@lru_cache(maxsize=512)
def _own(question: str, answers: tuple[str, ...]) -> _Own:
    lines = [line_of(text) for text in answers]
    kinds = {kind for line in lines if (kind := _kind(line, _Own(frozenset(), frozenset())))}
    lines.append(line_of(question))
    about = {kind for kind in _TOPICS if any(attempt_pattern(kind).search(line) for line in lines)}
    return _Own(frozenset(kinds | about), frozenset(word for line in lines for word in line.split()))


def _kind(line: str, own: _Own) -> NoAttempt | None:
    kinds: set[NoAttempt] = set()
    for _ in range(2):  # twice: "ok, pass" is a pass once the "ok" is gone
        for kind in ATTEMPT_FILES:
            pattern = attempt_pattern(kind)
            if kind not in own.kinds and pattern.search(line):
                kinds.add(kind)
                line = " ".join(pattern.sub(" | ", line).split())
    if not kinds or _says_more(line, "insult" in kinds, own):
        return None
    return next(kind for kind in _WEIGHT if kind in kinds)


def _says_more(line: str, insulting: bool, own: _Own) -> bool:
    """Whether words are left that say something."""
    ignored = _FILLER | small_talk()
    if insulting:
        ignored = (ignored | _WITH_AN_INSULT) - _ABOUT_A_PERSON - (_WITH_AN_INSULT & own.words)
    return any(word != "|" and word not in ignored for word in line.split())


@lru_cache(maxsize=512)
def _answers(ask: Ask) -> tuple[str, ...]:
    """Whole answers, right or wrong; a keyword such as "pass" is none, so that "pass" may still be said."""
    answer = ask.answer
    groups = (*getattr(answer, "items", ()), *getattr(answer, "steps", ()))
    return (
        *getattr(answer, "accepted", ()),
        *(text for group in groups for text in group),
        *(choice.text for choice in getattr(answer, "choices", ())),
        *(example for wrong in ask.misconceptions for example in wrong.examples),
    )


def is_gibberish(text: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether a reply is keys hit at random. `known` are folded words of the question, which none of it is."""
    words = [word for word in tokens(text) if word != "|"]
    if len(words) == 1 and len(words[0]) == 1 and words[0].isalpha() and words[0].isascii():
        return words[0] not in known
    return 0 < len(words) <= 6 and all(_is_noise(word, known) for word in words)


def _is_noise(word: str, known: frozenset[str]) -> bool:
    if word in known or not word.isascii() or word.isdigit():
        return False
    on_row = len(word) >= 4 and any(word[at : at + 4] in row for row in _KEYBOARD_ROWS for at in range(len(word) - 3))
    return bool(
        on_row
        or (_NO_VOWELS.fullmatch(word) and word.isalpha())
        or _CONSONANTS.search(word)
        or _REPEATED.fullmatch(word)
    )
