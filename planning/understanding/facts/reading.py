"""The facts of a task: what makes it that task and no other, in forms that two tasks can be compared by.

Rules and word lists, no model. What no list knows is kept as a word's stem, so that nothing is lost.
"""

from functools import lru_cache
from typing import Final

from language import Language, language_base
from planning.understanding.contracts import TaskFacts
from planning.understanding.facts.items import task_tokens

from .dates import dates_read
from .items import AMOUNT, DATE, DURATION, NAME, NEGATION, OBJECT, PLACE, QUALITY, QUANTITY, VERB, WORD, Item, Reading
from .naming import names_read
from .numbers import numbers_read
from .phrases import negations_read, nominal_read, roles_read, words_read
from .words import words_in

_FIELDS: Final = {
    VERB: "verbs",
    OBJECT: "objects",
    WORD: "objects",
    PLACE: "places",
    NAME: "names",
    DATE: "dates",
    DURATION: "durations",
    AMOUNT: "amounts",
    QUANTITY: "quantities",
    NEGATION: "negations",
    QUALITY: "qualities",
}
_LIKE_QUALITIES: Final = {
    "en": ("able", "ible", "ful", "ous", "ive", "less", "ish", "ic", "ly", "al"),
    "es": ("able", "ible", "oso", "osa", "ivo", "iva", "ico", "ica", "mente", "al"),
}
_DIRECTED: Final = frozenset({"from", "to", "via", "near"})


def facts_read(task: str, language: str) -> TaskFacts:
    """The facts of a task, of any text. Languages other than Spanish ("es") are read as English."""
    facts: dict[str, list[str]] = {}
    reading = reading_of(task, language)
    for item in reading.items:
        values = facts.setdefault(_field_of(item, reading.language), [])
        if (value := item_text(item)) not in values:
            values.append(value)
    return TaskFacts(**facts)


def item_text(item: Item) -> str:
    """An item's value as facts have it: places say which way ("from:paris")."""
    return f"{item.role}:{item.value}" if item.kind == PLACE and item.role in _DIRECTED else item.value


def reading_of(task: str, language: str) -> Reading:
    """The task, piece by piece. It must not be changed: it is kept for the next who ask."""
    return _reading(task, language_base(language))


@lru_cache(maxsize=512)
def _reading(task: str, language: Language) -> Reading:
    words = words_in(language)
    reading = Reading(task, language, task_tokens(task))
    dates_read(reading, words)
    numbers_read(reading, words)
    names_read(reading, words)
    words_read(reading, words)
    roles_read(reading, words)
    nominal_read(reading, words)
    negations_read(reading, words)
    roles_read(reading, words)
    return reading


def _field_of(item: Item, language: str) -> str:
    if item.kind == WORD and item.value.endswith(_LIKE_QUALITIES[language]) and len(item.value) > 5:
        return "qualities"
    return _FIELDS[item.kind]
