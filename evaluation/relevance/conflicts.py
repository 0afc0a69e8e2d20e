"""What a result says against what the task asks for: another place, the opposite, too much, too late, not so many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from planning.understanding.known import Known, is_within, known_in, of_kind, opposites

from .alternatives import Value, excluded, values_in
from .asked import Asked
from .limits import is_ruled_out, is_too_dear
from .matching import Match, words_said
from .result import Piece, Said
from .slots import Slots, conflicts_in
from .words import alike, word_set, words_of

_STATUS: Final = "status_key"
_TEXT: Final = 400


@dataclass(frozen=True, slots=True)
class Conflict:
    """`kind` names the factor in the calibration; `share` how much of what was asked is contradicted, 0 to 1."""

    kind: str
    share: float = 1.0


def places_met(asked: Asked, said: Said, known: Sequence[Known]) -> int:
    """How many of the places asked for the result names."""
    there = of_kind(known, "place")
    words = _words(said) if asked.places else set()
    return sum(_is_there(place, there, words) for place in asked.places)


def conflicts_of(asked: Asked, said: Said, match: Match, known: Sequence[Known], slots: Slots) -> list[Conflict]:
    """`known` is what of the result is known."""
    return [
        *_places(asked, said, known),
        *_qualities(asked, known),
        *_verbs(asked, said, known),
        *_alternatives(asked, said),
        *_limits(asked, said),
        *(Conflict(kind) for kind in conflicts_in(slots)),
        *([Conflict("denied")] if match.denied else ()),
        *([Conflict("unwanted")] if match.unwanted else ()),
    ]


def _places(asked: Asked, said: Said, known: Sequence[Known]) -> Iterator[Conflict]:
    if not asked.places:
        return
    there = of_kind(known, "place")
    words = _words(said)
    missing = [place for place in asked.places if not _is_there(place, there, words)]
    others = [one for one in there if not any(_is_near(one, place) for place in asked.places)]
    if missing and (others or any(_names_a_place(piece) for piece in said.pieces)):
        away = bool(set(missing).intersection(asked.towards))
        arrives = any(place in asked.towards for place in asked.places if place not in missing)
        share = 1.0 if away else 0.3 if arrives else len(missing) / len(asked.places)
        yield Conflict("place" if others else "unknown place", share)


def _is_near(one: str, other: str) -> bool:
    """Whether one place is the other, or its country, or in it."""
    return one == other or is_within(one, other) or is_within(other, one)


def _words(said: Said) -> set[str]:
    return {word for piece in said.pieces for word in words_of(piece.text)}


def _is_there(place: str, there: Sequence[str], words: set[str]) -> bool:
    if any(one == place or is_within(one, place) for one in there):
        return True
    countries = [one for one in there if is_within(place, one)]
    if countries and not any(is_within(one, country) for one in there for country in countries):
        return True  # the country is named, and no other place in it
    return all(any(alike(part, word) for word in words) for part in words_of(place))


def _names_a_place(piece: Piece) -> bool:
    names = word_set("words.txt", "place_key")
    keyed = " ".join(piece.keys) in names or (bool(piece.keys) and piece.keys[-1] in names)
    return keyed and isinstance(piece.value, str)


def _qualities(asked: Asked, known: Sequence[Known]) -> Iterator[Conflict]:
    said, denied = of_kind(known, "quality"), of_kind(known, "quality", negated=True)
    for quality in asked.qualities:
        if quality in said:
            continue
        if quality in denied or opposites().get(quality, frozenset()).intersection(said):
            yield Conflict("opposite")
            return


def _verbs(asked: Asked, said: Said, known: Sequence[Known]) -> Iterator[Conflict]:
    """A task to cancel is not served by what is renewed: where the result says what was done."""
    names = word_set("outcome.txt", _STATUS)
    for piece in said.pieces:
        if piece.keys and piece.keys[-1] in names and isinstance(piece.value, str):
            done = of_kind(known_in(piece.value), "verb")
            against = {one for verb in asked.verbs for one in opposites().get(verb, ())}
            if against.intersection(done) and not set(asked.verbs).intersection(done):
                yield Conflict("opposite")
                return


def _alternatives(asked: Asked, said: Said) -> Iterator[Conflict]:
    wanted = values_in([term.word for term in asked.terms if not term.negated])
    if not wanted:
        return
    there: set[Value] = set()
    for piece in said.pieces:
        if piece.value is not False:
            there |= values_in(piece.above)
        there |= values_in(words_of(piece.text[:_TEXT]))
    if excluded(wanted, there):
        yield Conflict("alternative")


def _limits(asked: Asked, said: Said) -> Iterator[Conflict]:
    if is_too_dear(asked, said) or is_ruled_out(asked, words_said(said)):
        yield Conflict("ruled out")
