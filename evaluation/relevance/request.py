"""What a task asks for: the thing, what it must be like, where, when, how many, for how much."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from language.word_lists import word_set
from planning.understanding import TaskFacts, task_read
from planning.understanding.known import figure_words, known_in, of_kind

from .words import WORDS, meaning_words, words_and_numbers

_TASK: Final = 2_000
_TOPIC: Final = 240
_TERMS: Final = 12
_TERMS_TEXT: Final = 600
"""Characters of a task from which terms are taken: what is wanted comes first."""


@dataclass(frozen=True, slots=True)
class Term:
    """A word, folded. `negated`: it is what is not wanted. `is_object`: it names the thing itself."""

    word: str
    negated: bool = False
    is_object: bool = False


@dataclass(frozen=True)
class Request:
    """A task, read. `topic` is its beginning; `words` are all its words, folded; `names` those of its names and places
    that no list knows; `towards` the places that it wants to go to; `counted` its words but for numbers of dates and
    sums of money.
    """

    topic: str
    terms: tuple[Term, ...]
    objects: tuple[str, ...]
    qualities: tuple[str, ...]
    verbs: tuple[str, ...]
    places: tuple[str, ...]
    words: frozenset[str]
    task: str
    thing: tuple[str, ...]
    counted: tuple[str, ...]
    towards: tuple[str, ...]
    names: tuple[str, ...]
    task_type: str
    language: str
    facts: TaskFacts = field(default_factory=TaskFacts)


@lru_cache(maxsize=1_024)
def request_read(task: str) -> Request:
    """Any text gives a reading; what is no task asks for what its words say."""
    try:
        reading = task_read(" ".join(task[:_TASK].split()))
    except ValueError:
        return _request(task, TaskFacts(), "general", "en", "")
    thing = reading.phrases.get("object", "")
    return _request(reading.task, reading.facts, reading.task_type, reading.language, thing)


def _request(task: str, facts: TaskFacts, task_type: str, language: str, thing: str) -> Request:
    known = known_in(task)
    objects = of_kind(known, "object")
    known_places = of_kind(known, "place")
    named_places = tuple(dict.fromkeys(place.rpartition(":")[2] for place in facts.places))
    places = tuple(dict.fromkeys((*(place for place in named_places if place in known_places), *known_places)))
    sums = _figures(task, language, ("date", "sum"))
    words = words_and_numbers(task)
    object_words = frozenset(words_and_numbers(thing)) or frozenset(
        word for word in words if not set(objects).isdisjoint(of_kind(known_in(word), "object"))
    )
    terms = terms_of(task, object_words, _figures(task, language, ("date", "amount", "duration", "place")))
    return Request(
        topic=" ".join(task[:_TOPIC].split()),
        terms=tuple(terms),
        objects=tuple(dict.fromkeys((*facts.objects, *objects))),
        qualities=tuple(dict.fromkeys((*facts.qualities, *of_kind(known, "quality")))),
        verbs=tuple(dict.fromkeys((*facts.verbs, *of_kind(known, "verb")))),
        places=places,
        words=frozenset(words),
        task=task,
        thing=tuple(words_and_numbers(thing)),
        counted=tuple(word for word in words if not (word in sums and word[:1].isdigit())),
        towards=tuple(place.removeprefix("to:") for place in facts.places if place.startswith("to:")),
        names=tuple(name for name in dict.fromkeys((*named_places, *facts.names)) if name not in places),
        task_type=task_type,
        language=language,
        facts=facts,
    )


def _figures(task: str, language: str, kinds: Collection[str]) -> frozenset[str]:
    """Folded words of places, dates and amounts: these are compared as what they are."""
    return frozenset(word for text in figure_words(task, language, kinds) for word in words_and_numbers(text))


def terms_of(task: str, objects: Collection[str], besides: Collection[str]) -> list[Term]:
    """The words of a task that say what is wanted: at most a dozen, in order, none twice.

    `objects` and `besides` are folded words: those that name the thing, and those that are looked at otherwise.
    """
    terms: dict[str, Term] = {}
    for word, negated in meaning_words(task[:_TERMS_TEXT], word_set(WORDS, "stop") | word_set(WORDS, "request")):
        has_digit = any(letter.isdigit() for letter in word)
        if word not in terms and word not in besides and word != "free" and not has_digit and len(word) > 1:
            terms[word] = Term(word, negated, word in objects)
    first = sorted(terms.values(), key=lambda term: not term.is_object)[:_TERMS]
    return [term for term in terms.values() if term in first]
