"""Whose word a value is: names of feedback, decisions and the like, and of the people who give them."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Final

from .lexicon import Numbers, Phrases, Spoken, data_read, lists_of
from .naming import Name
from .words import name_stems

_FILE: Final = "verdicts.json"
Words = Annotated[frozenset[str], frozenset]


@dataclass(frozen=True, slots=True)
class Action:
    """What a person is asked for. `general`: any yes or no answers it ("great"), not only words for it."""

    fields: Phrases
    keys: Phrases
    anti_keys: Phrases
    yes: Spoken
    no: Spoken
    general: bool
    persons_only: bool = False
    inverted: bool = False
    progress: Phrases = frozenset()
    statuses: Phrases = frozenset()


@dataclass(frozen=True, slots=True)
class Speakers:
    """`verdicts.json` but for the actions."""

    people: Numbers
    opinions: Phrases
    strong_opinions: Phrases
    statuses: Phrases
    systems: Phrases
    yes: Spoken
    no: Spoken
    pending: Spoken
    denials: Spoken
    condition_openers: Spoken
    after_yes: Spoken
    nothing_after: Spoken
    doubts: Spoken
    turns: Words
    courtesies: Words
    conditional: Words
    conditions_after: Words


@cache
def speakers() -> Speakers:
    return lists_of(Speakers, data_read(_FILE), _FILE)


@cache
def actions() -> dict[str, Action]:
    """What can be asked of people, by its name."""
    written = data_read(_FILE)["actions"].items()
    return {name: lists_of(Action, action, f"{_FILE}, actions, {name}") for name, action in written}


@lru_cache(512)
def action_of(field: str) -> Action | None:
    """The action that a criterion asks for; by one of its words where the whole is not listed."""
    stems = name_stems(field)
    for action in actions().values():
        if stems in action.fields:
            return action
    for action in actions().values():
        if any((stem,) in action.fields for stem in stems):
            return action
    return None


@lru_cache(4_096)
def person_of(name: Name) -> int | None:
    """Which group of people a name speaks of; the first are those who are served."""
    people = speakers().people
    pieces = [*name.pieces, (name.stems[-1],)] if name.stems else []
    return next((people[piece] for piece in pieces if piece in people), None)


@lru_cache(4_096)
def is_opinion(name: Name) -> bool:
    """Whether a value of that name is a person's word, not a fact: user_feedback, reviews, comment."""
    return any(piece in speakers().strong_opinions for piece in name.pieces)
