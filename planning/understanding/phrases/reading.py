"""The parts of a task as it words them, for use in sentences: "Paris", "on Dec 15", "2 nights", "my sister"."""

from collections.abc import Iterator
from typing import Final

from planning.understanding.facts.items import NAME, NEGATION, PLACE, Reading
from planning.understanding.facts.reading import reading_of
from planning.understanding.phrases.core import (
    Core,
    core_of,
    deed,
    head_of,
    lower_first,
    noun_phrase,
    shortened,
    topic,
    without_determiners,
)
from planning.understanding.phrases.denial import affirmed
from planning.understanding.phrases.items import (
    how_long,
    how_many,
    how_much,
    marks_of,
    measures,
    span_text,
    when,
    where,
)
from planning.understanding.phrases.words import PhraseWords, listed, phrase_words

_NONE: Final = frozenset({"with", "no", "any"})
_MOST_WORDS: Final = 8  # of a phrase that is part of a sentence


def phrases_of(task: str, language: str, task_type: str) -> dict[str, str]:
    """The phrases of a task by the names of `TaskReading.phrases`."""
    wanted = affirmed(task, language)
    if not wanted:
        return {"topic": shortened(lower_first(task.strip(" .!¡")))}
    reading, words = reading_of(wanted, language), phrase_words(language)
    if not reading.tokens:
        return {}
    core = core_of(reading, words)
    travels = task_type in listed("travel")
    phrases: dict[str, str] = {}
    for part in (
        when(reading, words),
        how_long(reading, words),
        how_much(reading, words),
        measures(reading),
        how_many(reading, words),
        where(reading, words, travels=travels),
        _core(reading, words, core),
        _company(reading, words, core, travels=travels),
        _languages(reading, words),
        _features(reading, words),
    ):
        for name, text in part:
            if text:
                phrases.setdefault(name, shortened(text))
    if "person" not in phrases and task_type == "email_writing":
        phrases |= _addressed(reading, core)
    return phrases


def _core(reading: Reading, words: PhraseWords, core: Core) -> Iterator[tuple[str, str]]:
    yield "topic", topic(reading, words, core)
    if text := deed(reading, words, core):
        yield "deed", text
    if core.verb is None and words.has("questions", reading.fold(core.start)):
        return
    span = noun_phrase(reading, words, core.rest, core.end)
    span = head_of(reading, words, span) if core.verb is None else span
    first, last = without_determiners(reading, words, span)
    if first < last and last - first <= _MOST_WORDS and len(reading.fold(first)) > 1:
        text = span_text(reading, first, last)
        proper = any(item.first <= first < item.last and item.kind in {NAME, PLACE} for item in reading.items)
        small = core.verb is None and not proper
        plural = _plural(reading, words, first, last)
        yield "object", lower_first(text) if small else text
        yield "objects", lower_first(plural) if small else plural
        if words.has("definite", reading.fold(span[0])):
            yield "thing", span_text(reading, span[0], last)


def _plural(reading: Reading, words: PhraseWords, first: int, last: int) -> str:
    """A noun phrase in the plural: English inflects the last word, Spanish the first ones."""
    parts = [reading.tokens[place].text for place in range(first, last)]
    text = span_text(reading, first, last)
    if words.language == "en":
        stop = next((place for place, part in enumerate(parts) if part.lower() in {"of", "for"} and place), len(parts))
        head = parts[stop - 1]
        at = text.find(head)
        return text[:at] + words.plural(head) + text[at + len(head) :] if head.isalpha() else text
    stop = next((place for place, part in enumerate(parts) if part.lower() in {"de", "del"}), len(parts))
    plurals = [words.plural(part) if part.isalpha() and part.islower() else part for part in parts[:stop]]
    return " ".join([*plurals, *parts[stop:]]) if text == " ".join(parts) else text


def _company(reading: Reading, words: PhraseWords, core: Core, *, travels: bool) -> Iterator[tuple[str, str]]:
    """`person`, `about` and `near`: what a preposition joins to the task."""
    for place in range(core.start, core.end):
        word = reading.fold(place)
        if words.has("person", word):
            yield "person", _person(reading, words, place + 1, core.end, travels=travels and word in {"a", "to", "de"})
        for name in ("about", "near"):
            length = _listed_at(reading, words, name, place)
            if length and place > core.start and not _in_adjunct(reading, words, place + length):
                end = core.end if name == "about" else place + length + 6
                yield name, _phrase(reading, words, place, place + length, min(end, core.end), name)


def _listed_at(reading: Reading, words: PhraseWords, name: str, place: int) -> int:
    for line in words.lines(name):
        parts = line.split()
        if [reading.fold(place + at) for at in range(len(parts))] == parts:
            return len(parts)
    return 0


def _in_adjunct(reading: Reading, words: PhraseWords, place: int) -> bool:
    return place in marks_of(reading.text, words.language).cuts


def _phrase(reading: Reading, words: PhraseWords, intro: int, start: int, end: int, name: str) -> str:
    if name == "near":
        first, last = noun_phrase(reading, words, start, end)
        return span_text(reading, intro, last) if first < last and first == start else ""
    last = start
    cuts = marks_of(reading.text, words.language).cuts
    while last < end and last not in cuts and reading.fold(last) not in {"?", "!", ";"}:
        last += 1
    return span_text(reading, start, last)


def _person(reading: Reading, words: PhraseWords, start: int, end: int, *, travels: bool) -> str:
    """A person: a name, or a relation to the user ("my sister"); empty where there is none."""
    first, last = noun_phrase(reading, words, start, end)
    if first != start or last == first or last - first > _MOST_WORDS:
        return ""
    inner, _ = without_determiners(reading, words, (first, last))
    last = _human_end(reading, words, inner, last)
    if not last and not travels:
        last = _name_end(reading, words, inner)
    if not last:
        return ""
    article = {"al": "el ", "del": "el "}.get(reading.fold(start - 1), "")
    return article + span_text(reading, first, last)


def _human_end(reading: Reading, words: PhraseWords, first: int, last: int) -> int:
    """The place after "sister" of "my sister"; 0 where no person is meant, as in "customer questions"."""
    places = [place for place in range(first, last) if words.has("humans", reading.fold(place))]
    if not places:
        return 0
    if words.language == "es":
        return last if places[0] <= first + 1 else 0
    after = places[-1] + 1
    closes = after == last or reading.fold(after).endswith("ing") or reading.fold(after) in {"and", ","}
    return after if closes and not _possessive(reading, after - 1) else 0


def _possessive(reading: Reading, place: int) -> bool:
    return reading.text[reading.tokens[place].end :][:2] in {"'s", "’s"}


def _name_end(reading: Reading, words: PhraseWords, first: int) -> int:
    """The place after "Anna and Dr. Smith"; 0 where there is no name of a person."""
    place, last = first, 0
    while place < len(reading.tokens):
        token = reading.tokens[place]
        if token.kind == "word" and token.is_capitalised and not words.has("languages", token.fold):
            last = place + 1
        elif not (last and (words.has("joins", token.fold) or token.fold in {".", ",", "de", "del"})):
            break
        place += 1
    named = any(item.kind == NAME and first <= item.first < max(last, first) for item in reading.items)
    ends = (
        last == len(reading.tokens)
        or (bool(last) and reading.tokens[last].kind != "word")
        or (bool(last) and (words.has("ends", reading.fold(last)) or _in_adjunct(reading, words, last)))
    )
    return last if named and ends and not _possessive(reading, last - 1) else 0


def _languages(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`language_from` and `language_to`."""
    for place in range(1, len(reading.tokens)):
        if words.has("languages", reading.fold(place)):
            before = reading.fold(place - 1)
            if words.has("from", before):
                yield "language_from", reading.tokens[place].text
            elif words.has("to", before):
                yield "language_to", reading.tokens[place].text


def _features(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`with` and `without`: features wanted and not wanted."""
    for item in reading.items:
        if item.kind == NEGATION and item.role == "without":
            first, last = item.first, item.last
            while first < last and (
                words.has("without", reading.fold(first)) or reading.fold(first) in {"with", "no", "any"}
            ):
                first += 1
            yield "without", span_text(reading, first, last)
    for place in range(1, len(reading.tokens)):
        length = _listed_at(reading, words, "with", place)
        if length:
            yield "with", _wanted(reading, words, place + length)


def _wanted(reading: Reading, words: PhraseWords, start: int) -> str:
    """The phrase after "with"; empty where it is a person, a number or a sum."""
    end = len(reading.tokens)
    first, last = noun_phrase(reading, words, start, end)
    if first != start or last - first > _MOST_WORDS or _person(reading, words, start, end, travels=False):
        return ""
    while first < last and words.has("determiners", reading.fold(first)):
        first += 1
    if any(reading.fold(place) in {"budget", "presupuesto"} for place in range(first, last)):
        return ""
    if first < last and words.has("joins", reading.fold(last - 1)):
        last -= 1
    return span_text(reading, first, last)


def _addressed(reading: Reading, core: Core) -> dict[str, str]:
    """The person written to, without a preposition: "Email John about the delay"."""
    for item in reading.items:
        if item.kind == NAME and core.start <= item.first <= core.rest + 1 and not _possessive(reading, item.last - 1):
            return {"person": span_text(reading, item.first, item.last)}
    return {}
