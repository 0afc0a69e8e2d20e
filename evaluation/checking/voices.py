"""Whose word a value is: names of feedback, decisions and the like, and of the people who give them."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from .lexicon import Phrase, data_read, made
from .naming import Name
from .words import folded, name_stems

_FILE: Final = "verdicts.json"
Spoken = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Action:
    """What is asked of somebody. `general`: any yes or no answers it ("great"), not only words for it."""

    fields: frozenset[Phrase]
    keys: frozenset[Phrase]
    anti_keys: frozenset[Phrase]
    yes: Spoken
    no: Spoken
    general: bool
    persons_only: bool
    inverted: bool
    progress: frozenset[Phrase]
    statuses: frozenset[Phrase]


@dataclass(frozen=True, slots=True)
class Voices:
    """`verdicts.json` but for the actions."""

    people: dict[Phrase, int]
    voices: frozenset[Phrase]
    strong: frozenset[Phrase]
    statuses: frozenset[Phrase]
    systems: frozenset[Phrase]
    yes: Spoken
    no: Spoken
    pending: Spoken
    denials: Spoken
    openers: Spoken
    between: Spoken
    nothing: Spoken
    doubts: Spoken


@cache
def voices() -> Voices:
    """The lists, read once."""

    def part(name: str, make: Any) -> Any:
        return made(_FILE, name, make)

    return Voices(
        people=part(
            "people", lambda groups: {name_stems(word): at for at, group in enumerate(groups) for word in group}
        ),
        voices=part("voices", _phrases),
        strong=part("strong_voices", _phrases),
        statuses=part("statuses", _phrases),
        systems=part("systems", _phrases),
        yes=part("yes", _spoken),
        no=part("no", _spoken),
        pending=part("pending", _spoken),
        denials=part("denials", _spoken),
        openers=part("condition_openers", _spoken),
        between=part("after_yes", _spoken),
        nothing=part("nothing_after", _spoken),
        doubts=part("doubts", _spoken),
    )


def _phrases(lines: list[str]) -> frozenset[Phrase]:
    return frozenset(map(name_stems, lines))


def _spoken(lines: list[str]) -> Spoken:
    return frozenset(tuple(folded(line).split()) for line in lines)


@cache
def actions() -> dict[str, Action]:
    """What can be asked of people, by its name."""
    found = {}
    for name, action in data_read(_FILE)["actions"].items():
        try:
            found[name] = Action(
                fields=_phrases(action["fields"]),
                keys=_phrases(action["keys"]),
                anti_keys=_phrases(action["anti_keys"]),
                yes=_spoken(action["yes"]),
                no=_spoken(action["no"]),
                general=action["general"],
                persons_only=action.get("persons_only", False),
                inverted=action.get("inverted", False),
                progress=_phrases(action.get("progress", [])),
                statuses=_phrases(action.get("statuses", [])),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"{_FILE}, actions, {name}: cannot be read ({error!r})") from error
    return found


@lru_cache(512)
def action_of(field: str) -> Action | None:
    """The action that a criterion asks for; by one of its words where the whole is not listed."""
    stems = name_stems(field)
    for action in actions().values():
        if stems in action.fields:
            return action
    for action in actions().values():
        if any((one,) in action.fields for one in stems):
            return action
    return None


@lru_cache(4_096)
def person_of(name: Name) -> int | None:
    """Which group of people a name speaks of; the first is whoever is served."""
    people = voices().people
    pieces = [*name.pieces, (name.stems[-1],)] if name.stems else []
    return next((people[piece] for piece in pieces if piece in people), None)


@lru_cache(4_096)
def is_voice(name: Name) -> bool:
    """Whether what stands under the name is somebody's word, not a fact: user_feedback, reviews, comment."""
    return any(piece in voices().strong for piece in name.pieces)
