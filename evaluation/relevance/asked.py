"""What a task asks for: the thing, what it must be like, where, when, how many, for how much."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from planning.understanding import TaskFacts, task_read
from planning.understanding.known import Known, figure_words, known_in, of_kind

from .terms import Term, terms_of
from .words import words_of

_TASK: Final = 2_000
_TOPIC: Final = 240


@dataclass(frozen=True)
class Asked:
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
    task: str = ""
    thing: tuple[str, ...] = ()
    counted: tuple[str, ...] = ()
    towards: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    task_type: str = "general"
    language: str = "en"
    facts: TaskFacts = field(default_factory=TaskFacts)


@lru_cache(maxsize=1_024)
def asked_of(task: str) -> Asked:
    """Any text gives a reading; what is no task asks for what its words say."""
    try:
        reading = task_read(" ".join(task[:_TASK].split()))
    except ValueError:
        return _asked(task, TaskFacts(), "general", "en", "")
    words = reading.phrases.get("object", "")
    return _asked(reading.task, reading.facts, reading.task_type, reading.language, words)


def _asked(task: str, facts: TaskFacts, task_type: str, language: str, thing: str) -> Asked:
    known = known_in(task)
    objects = tuple(dict.fromkeys((*facts.objects, *of_kind(known, "object"))))
    listed = of_kind(known, "place")
    said = tuple(dict.fromkeys(place.rpartition(":")[2] for place in facts.places))
    towards = tuple(place.removeprefix("to:") for place in facts.places if place.startswith("to:"))
    places = tuple(dict.fromkeys((*(one for one in said if one in listed), *listed)))
    besides = _figures(task, language, ("date", "amount", "duration", "place"))
    sums = _figures(task, language, ("date", "sum"))
    terms = terms_of(task, frozenset(words_of(thing)) or _object_words(task, known), besides)
    return Asked(
        topic=" ".join(task[:_TOPIC].split()),
        terms=tuple(terms),
        objects=objects,
        qualities=tuple(dict.fromkeys((*facts.qualities, *of_kind(known, "quality")))),
        verbs=tuple(dict.fromkeys((*facts.verbs, *of_kind(known, "verb")))),
        places=places,
        words=frozenset(words_of(task)),
        task=task,
        counted=tuple(word for word in words_of(task) if not (word in sums and word[:1].isdigit())),
        thing=tuple(words_of(thing)),
        towards=towards,
        names=tuple(one for one in dict.fromkeys((*said, *facts.names)) if one not in places),
        task_type=task_type,
        language=language,
        facts=facts,
    )


def _object_words(task: str, known: tuple[Known, ...]) -> frozenset[str]:
    things = set(of_kind(known, "object"))
    return frozenset(word for word in words_of(task) if things.intersection(of_kind(known_in(word), "object")))


def _figures(task: str, language: str, kinds: Collection[str]) -> frozenset[str]:
    """Folded words of places, dates and amounts: these are compared as what they are."""
    return frozenset(word for text in figure_words(task, language, kinds) for word in words_of(text))
