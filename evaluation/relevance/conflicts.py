"""What a result says against what the task asks for: another place, the opposite, too much, too late, not so many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from evaluation.checking.lexicon import longest_parts
from language.word_lists import entries_of, word_set
from planning.understanding.known import Known, is_within, known_in, of_kind, opposites

from .limits import is_ruled_out, is_too_dear
from .matching import Match, words_of_content
from .request import Request
from .result import Content, Entry
from .slots import Slots
from .words import DATA, WORDS, alike, words_and_numbers

_TEXT: Final = 400
_LONGEST: Final = 3
Value = tuple[int, int]
"""One of the values of which a thing has one (German or French, staging or production): the group, and its number."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """`kind` names the factor in the calibration; `share` how much of what was asked for is contradicted, 0 to 1."""

    kind: str
    share: float = 1.0


def places_met(request: Request, content: Content, known: Sequence[Known]) -> int:
    places = of_kind(known, "place")
    words = _words(content) if request.places else set()
    return sum(_is_there(place, places, words) for place in request.places)


def conflicts_of(
    request: Request, content: Content, match: Match, known: Sequence[Known], slots: Slots
) -> list[Conflict]:
    """`known` is what of the result is known."""
    return [
        *_places(request, content, known),
        *_qualities(request, known),
        *_verbs(request, content, known),
        *_alternatives(request, content),
        *(
            [Conflict("ruled out")]
            if is_too_dear(request, content) or is_ruled_out(request, words_of_content(content))
            else ()
        ),
        *(Conflict(kind) for kind in dict.fromkeys(slots.contradicted)),
        *([Conflict("denied")] if match.denied else ()),
        *([Conflict("unwanted")] if match.unwanted else ()),
    ]


def _places(request: Request, content: Content, known: Sequence[Known]) -> Iterator[Conflict]:
    places = of_kind(known, "place")
    words = _words(content) if request.places else set()
    missing = [place for place in request.places if not _is_there(place, places, words)]
    others = [
        other
        for other in places
        if not any(other == place or is_within(other, place) or is_within(place, other) for place in request.places)
    ]
    if missing and (others or any(_names_a_place(entry) for entry in content.entries)):
        away = bool(set(missing).intersection(request.towards))
        arrives = any(place in request.towards for place in request.places if place not in missing)
        share = 1.0 if away else 0.3 if arrives else len(missing) / len(request.places)
        yield Conflict("place" if others else "unknown place", share)


def _words(content: Content) -> set[str]:
    return {word for entry in content.entries for word in words_and_numbers(entry.text)}


def _is_there(place: str, places: Sequence[str], words: set[str]) -> bool:
    if any(other == place or is_within(other, place) for other in places):
        return True
    countries = [other for other in places if is_within(place, other)]
    if countries and not any(is_within(other, country) for other in places for country in countries):
        return True  # the country is named, and no other place in it
    return all(any(alike(part, word) for word in words) for part in words_and_numbers(place))


def _names_a_place(entry: Entry) -> bool:
    names = word_set(WORDS, "place_key")
    keyed = " ".join(entry.keys) in names or (bool(entry.keys) and entry.keys[-1] in names)
    return keyed and isinstance(entry.value, str)


def _qualities(request: Request, known: Sequence[Known]) -> Iterator[Conflict]:
    affirmed, denied = of_kind(known, "quality"), of_kind(known, "quality", negated=True)
    for quality in request.qualities:
        if quality in affirmed:
            continue
        if quality in denied or opposites().get(quality, frozenset()).intersection(affirmed):
            yield Conflict("opposite")
            return


def _verbs(request: Request, content: Content, known: Sequence[Known]) -> Iterator[Conflict]:
    """A task to cancel is not served by what is renewed: where the result says what was done."""
    names = word_set(DATA / "outcome.txt", "status_key")
    for entry in content.entries:
        if entry.keys and entry.keys[-1] in names and isinstance(entry.value, str):
            done = of_kind(known_in(entry.value), "verb")
            against = {opposite for verb in request.verbs for opposite in opposites().get(verb, ())}
            if against.intersection(done) and not set(request.verbs).intersection(done):
                yield Conflict("opposite")
                return


def _alternatives(request: Request, content: Content) -> Iterator[Conflict]:
    wanted = values_in([term.word for term in request.terms if not term.negated])
    if not wanted:
        return
    values: set[Value] = set()
    for entry in content.entries:
        if entry.value is not False:
            values |= values_in(entry.above)
        values |= values_in(words_and_numbers(entry.text[:_TEXT]))
    groups = {group for group, _ in values}
    if any(value not in values and value[0] in groups for value in wanted):
        yield Conflict("alternative")


def values_in(words: Sequence[str]) -> set[Value]:
    """The values that folded words name; a longer phrase hides the shorter ones in it."""
    values = _values_by_phrase()
    parts = longest_parts(tuple(words), _LONGEST, values.__contains__)
    return {value for part in parts for value in values.get(part, ())}


@cache
def _values_by_phrase() -> dict[tuple[str, ...], set[Value]]:
    values: dict[tuple[str, ...], set[Value]] = {}
    for group, (_, line) in enumerate(entries_of(DATA / "alternatives.txt")):
        for number, names in enumerate(line.split(",")):
            for name in names.split("/"):
                values.setdefault(tuple(words_and_numbers(name)), set()).add((group, number))
    return values
