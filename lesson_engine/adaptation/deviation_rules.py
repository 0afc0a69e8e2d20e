"""What of a reply's deviation needs no model: the documented rule, and replies that say nothing."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from lesson_engine.contracts import TopicDeviation
from lesson_engine.grading.attempts import NoAttempt, is_gibberish, no_attempt_kind
from lesson_engine.grading.lexicon import function_words, number_words
from lesson_engine.grading.normalise import line_of, tokens
from lesson_engine.grading.phrase_lists import phrase_pattern

WORD_RATIO_ON_TOPIC, WORD_RATIO_VAGUE = 0.3, 0.1

OF_NO_ATTEMPT: Final[dict[NoAttempt, TopicDeviation]] = {
    "dont_know": TopicDeviation.VAGUE,
    "plea": TopicDeviation.VAGUE,
    "greeting": TopicDeviation.VAGUE,
    "insult": TopicDeviation.OFF_TOPIC,
    "request": TopicDeviation.OFF_TOPIC,
    "order": TopicDeviation.OFF_TOPIC,
}
"""Who does not know, pleads or greets is still here; who wants something else has left the topic."""

_SAYING: Final = """
on in out into up down off through more most less one both same each all too before after no yes
mas menos sobre entre dentro fuera antes despues hasta hacia todo todos toda todas sin uno una si
"""
_SAYING_WORDS = frozenset(_SAYING.split())
"""Small words that are answers all the same: which way, how many, when."""
_AMOUNT: Final = """
many much long far fast big old often tall heavy number percent percentage fraction calculate compute value amount unit
cuanto cuanta cuantos cuantas numero porcentaje fraccion calcula calcular valor cantidad resultado distancia unidad
"""
_AMOUNTS = frozenset(_AMOUNT.split())
_WORDS_OF_AN_AMOUNT = 4
_YES_OR_NO = frozenset(("yes", "yeah", "yep", "no", "nope", "true", "false", "si", "claro", "verdadero", "falso"))
_ASKS_YES_OR_NO = re.compile(
    r"(?:^|\| )(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|had|es|son|era|fue|esta|estan|hay"
    r"|puede|pueden|se puede|tiene|tienen|debe|crees|seria|sera|ha|han) "
)


def word_ratio(response: str, objective: str) -> float:
    """Share of the objective's words longer than three letters that the reply has anywhere."""
    words = [word for word in objective.casefold().split() if len(word) > 3]
    folded = response.casefold()
    return sum(word in folded for word in words) / max(1, len(words))


def word_ratio_class(ratio: float) -> TopicDeviation:
    """The documented classes: at least 0.3 is on topic, at least 0.1 vague."""
    if ratio >= WORD_RATIO_ON_TOPIC:
        return TopicDeviation.ON_TOPIC
    return TopicDeviation.VAGUE if ratio >= WORD_RATIO_VAGUE else TopicDeviation.OFF_TOPIC


def class_without_model(response: str, question: str, answers: Sequence[str]) -> TopicDeviation | None:
    """The class of a reply that says nothing about anything, or that is one of the answers; None for all others.

    `answers` are what the author wrote as such, right or wrong.
    """
    words = _words(response)
    if not words:
        return TopicDeviation.VAGUE
    if words in {_words(answer) for answer in answers}:
        return TopicDeviation.ON_TOPIC
    if kind := no_attempt_kind(response, question=question, answers=answers):
        return OF_NO_ATTEMPT[kind]
    if len(words) <= 3 and not _YES_OR_NO.isdisjoint(words) and _asks_yes_or_no(question):
        return TopicDeviation.ON_TOPIC
    if _is_amount(words) and _asks_amount(question):
        return TopicDeviation.ON_TOPIC
    words_known = frozenset(word for text in (question, *answers) for word in _words(text))
    empty = _says_nothing(response, words) or _repeats(words, question) or is_gibberish(response, words_known)
    return TopicDeviation.VAGUE if empty else None


def _is_amount(words: tuple[str, ...]) -> bool:
    """Whether it is a number with little beside it, such as "about 6 V"."""
    numbers = number_words().keys() - function_words()
    return len(words) <= _WORDS_OF_AN_AMOUNT and any(word[0].isdigit() or word in numbers for word in words)


def _says_nothing(response: str, words: tuple[str, ...]) -> bool:
    """Whether only function words are left, such as "because it is", or a remark on having answered."""
    if len(words) == 1 and words[0] in _YES_OR_NO:
        return True
    left = phrase_pattern("remarks.txt").sub("| ", line_of(response)).split()
    return all(word == "|" or (word in function_words() and word not in _SAYING_WORDS) for word in left)


def _repeats(words: tuple[str, ...], question: str) -> bool:
    """Whether the question, or a good half of it, was pasted back."""
    question_words, size = _words(question), len(words)
    if size < 4 or size * 2 < len(question_words):
        return False
    return any(question_words[at : at + size] == words for at in range(len(question_words) - size + 1))


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in tokens(text) if word != "|")


@lru_cache(maxsize=1024)
def _asks_amount(question: str) -> bool:
    return not _AMOUNTS.isdisjoint(_words(question))


@lru_cache(maxsize=1024)
def _asks_yes_or_no(question: str) -> bool:
    return bool(_ASKS_YES_OR_NO.search(line_of(question) + " "))
