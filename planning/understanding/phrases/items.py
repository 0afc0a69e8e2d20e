"""When, where, how much and for how many, in the words of the task."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

from planning.understanding.facts.items import (
    AMOUNT,
    DATE,
    DURATION,
    NAME,
    OBJECT,
    PLACE,
    QUANTITY,
    WORD,
    Item,
    Reading,
    phrase_tokens,
)
from planning.understanding.facts.reading import reading_of
from planning.understanding.facts.words import words_in
from planning.understanding.phrases.words import PhraseWords, listed, phrase_words
from planning.understanding.vocabulary import verb_base

_CLOCK: Final = re.compile(r"\d\d:\d\d|morning|afternoon|evening|at night|tonight")
_CURRENCY: Final = re.compile(r"(?<![A-Z])[A-Z]{3,4}(?![A-Z])")
_PLAIN: Final = re.compile(r"(\d+(?:\.\d+)?) (\w+)")
_BEFORE: Final = {DATE: "date_before", QUANTITY: "people_before", DURATION: "money_before", AMOUNT: "money_before"}
_LINKS: Final = frozenset(
    ["de", "del", "la", "las", "los", "el", "of", "the", "and", "y", "e", "da", "do", "in", "on", "upon"]
)
_ONE: Final = frozenset({"a", "an", "one", "un", "una"})
_BEFORE_ONE: Final = frozenset({"for", "in", "within", "during", "por", "en", "durante", "de"})
_BEFORE_SUM: Final = frozenset({"with", "within", "for", "on", "between", "con", "por", "entre", "dentro"})
_PEOPLE: Final = {"en": "people", "es": "personas"}
_SPANISH: Final = {
    "day": "día", "night": "noche", "week": "semana", "month": "mes", "year": "año", "hour": "hora",
    "minute": "minuto", "second": "segundo",
}  # fmt: skip

Span = tuple[int, int]


def span_text(reading: Reading, first: int, last: int) -> str:
    """The text from the first token to before the last."""
    return reading.text[reading.tokens[first].start : reading.tokens[last - 1].end] if first < last else ""


def is_clock(item: Item) -> bool:
    return item.kind == DATE and _CLOCK.search(item.value) is not None


def is_money(item: Item) -> bool:
    return item.kind == AMOUNT and _CURRENCY.search(item.value) is not None


def is_people(item: Item) -> bool:
    units = item.value.split()[1:]
    return item.kind == QUANTITY and "old" not in units and any(unit in listed("people") for unit in units)


def item_span(reading: Reading, words: PhraseWords, item: Item) -> Span:
    """An item's tokens, with the prepositions before it that belong to it."""
    first = item.begins
    name = "time_before" if is_clock(item) else _BEFORE.get(item.kind, "")
    taken = marks_of(reading.text, words.language).taken
    while name and first > 0 and first - 1 not in taken and words.has(name, reading.fold(first - 1)):
        first -= 1
    return first, item.last


class Marks:
    """What of a task is taken by items, and by dates, durations, amounts and numbers of people (`adjuncts`)."""

    def __init__(self, reading: Reading) -> None:
        self.taken = frozenset(place for item in reading.items for place in range(item.first, item.last))
        self._reading = reading

    @cached_property
    def adjuncts(self) -> list[Span]:
        """Their tokens with the prepositions that belong to them, in order."""
        reading, words = self._reading, phrase_words(self._reading.language)
        chosen = [item for item in reading.items if item.kind in {DATE, DURATION, AMOUNT} or is_people(item)]
        return sorted(item_span(reading, words, item) for item in chosen)

    @cached_property
    def cuts(self) -> frozenset[int]:
        return frozenset(place for first, last in self.adjuncts for place in range(first, last))

    @cached_property
    def begins(self) -> frozenset[int]:
        return frozenset(first for first, _last in self.adjuncts)


@lru_cache(maxsize=128)
def marks_of(text: str, language: str) -> Marks:
    return Marks(reading_of(text, language))


def when(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`date` and `time`."""
    dates = [item for item in reading.items if item.kind == DATE]
    clocks = [item for item in dates if is_clock(item)]
    for name, chosen in (("date", [item for item in dates if item not in clocks]), ("time", clocks)):
        spans = _joined(reading, words, sorted(item_span(reading, words, item) for item in chosen))
        for first, last in [_trimmed(reading, words, span) for span in spans if _says_when(reading, words, span)][:1]:
            text = span_text(reading, first, last)
            before = "day" if name == "date" else "clock"
            yield name, f"{words.one(before)} {text}" if _is_bare(reading, words, first) else text


def _says_when(reading: Reading, words: PhraseWords, span: Span) -> bool:
    """Whether the task is for then: not in "a poem about autumn", "a Christmas present", "yesterday's meeting"."""
    first, last = span
    if (words.has("about", reading.fold(first)) and reading.fold(first) != "on") or reading.fold(first) == "sobre":
        return False
    if reading.text[reading.tokens[last - 1].end :][:2] in {"'s", "’s"}:
        return False
    prepared = words.has("date_before", reading.fold(first)) or words.has("time_before", reading.fold(first))
    followed = any(item.first == last and item.kind in {OBJECT, WORD} for item in reading.items)
    return prepared or not followed or reading.tokens[first].kind == "number"


def _trimmed(reading: Reading, words: PhraseWords, span: Span) -> Span:
    """Without an article before it, and with the other end of "July 10-14"."""
    first, last = span
    articles = _ONE - {"a"} if words.language == "es" else _ONE
    while first < last - 1 and reading.fold(first) in articles:
        first += 1
    while last < len(reading.tokens) and reading.tokens[last].hyphen and reading.tokens[last].kind == "number":
        last += 1
    return first, last


def _joined(reading: Reading, words: PhraseWords, spans: Sequence[Span]) -> list[Span]:
    """Spans, neighbours made one: "from May 3", "to May 7"."""
    joined: list[Span] = []
    for first, last in spans:
        gap = [reading.fold(place) for place in range(joined[-1][1], first)] if joined else []
        if joined and len(gap) <= 2 and all(words.has("date_joins", word) or word in {"-", "–", ","} for word in gap):
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return joined


def _is_bare(reading: Reading, words: PhraseWords, first: int) -> bool:
    """Whether a date begins with the day itself and wants a preposition."""
    figures, fold = words_in(words.language).figures, (reading.fold(first),)
    number_next = reading.tokens[first + 1].kind == "number" if first + 1 < len(reading.tokens) else False
    return (
        reading.tokens[first].kind == "number"
        or fold in figures["weekdays"]
        or (fold in figures["months"] and number_next)
    )


def how_long(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`duration` ("2 nights", without "for"); "under 30 minutes" is none, but a `limit`."""
    for item in reading.items:
        is_age = reading.fold(item.first - 1) == "de" and words.has("humans", reading.fold(item.first - 2))
        if item.kind == DURATION and not is_age:  # "mi hijo de 8 años"
            plain, text = _PLAIN.fullmatch(item.value), span_text(reading, item.first, item.last)
            if plain is None:
                yield "limit", text
            else:
                yield "duration", text if " " in text and text[-1] == "s" else _counted(plain[1], plain[2], words)
    units = words_in(words.language).figures["durations"]
    for place in range(1, len(reading.tokens) - 1):
        if (
            reading.fold(place) in _ONE
            and (reading.fold(place + 1),) in units
            and reading.fold(place - 1) in _BEFORE_ONE
        ):
            yield "duration", span_text(reading, place, place + 2)


def _counted(number: str, unit: str, words: PhraseWords) -> str:
    name = _SPANISH.get(unit, unit) if words.language == "es" else unit
    return f"{number} {name if number == '1' else words.plural(name)}"


def measures(reading: Reading) -> Iterator[tuple[str, str]]:
    """`measure`: an amount that is no money, "at least 16 GB"."""
    for item in reading.items:
        if item.kind == AMOUNT and not is_money(item):
            yield "measure", span_text(reading, item.first, item.last)


def how_much(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`amount` ("under $200", "for $200") and `money`, the sum alone."""
    item = next(filter(is_money, reading.items), None)
    if item is None:
        return
    lists, first = words_in(words.language), item.first
    while first < item.last - 1 and not (
        reading.tokens[first].kind == "number"
        or (reading.fold(first),) in lists.figures["currencies"]
        or reading.fold(first) in lists.numbers
    ):
        first += 1
    begins = item.first
    while begins > 0 and reading.fold(begins - 1) in _BEFORE_SUM:
        begins -= 1
    money, text = span_text(reading, first, item.last), span_text(reading, begins, item.last)
    yield "money", money
    yield "amount", text if first > begins else f"{words.one('price')} {money}"


def how_many(reading: Reading, words: PhraseWords) -> Iterator[tuple[str, str]]:
    """`people` ("for 4 people", "for 2 adults and 1 child")."""
    groups = [item for item in reading.items if is_people(item)]
    if groups:
        last = groups[0].last
        for item in groups[1:]:
            last = item.last if item.first - last <= 1 else last
        text = span_text(reading, groups[0].first, last)
        text = text if " " in text else f"{text} {_PEOPLE[words.language]}"
        yield "people", f"{words.one('with_people')} {text}"


def where(reading: Reading, words: PhraseWords, *, travels: bool) -> Iterator[tuple[str, str]]:
    """`place` and `origin`, with their article where they have one ("the Alps")."""
    roles = {id(item): _role(reading, words, item) for item in reading.items}
    places = [item for item in reading.items if item.kind == PLACE]
    if travels and not any(roles[id(item)] != "from" for item in places):
        places += [item for item in reading.items if _may_be_place(reading, words, item, roles[id(item)])][:1]
    origins = [item for item in places if roles[id(item)] == "from"]
    targets = [item for item in places if roles[id(item)] not in {"from", "near"}]
    venues = [item for item in targets if _is_venue(reading, words, item)]
    targets = [item for item in targets if item not in venues]
    if not targets and not travels:
        targets, origins = origins, []
    if venues:
        yield "venue", span_text(reading, venues[0].begins, venues[0].last)
    if targets:
        yield "place", _placed(reading, words, targets)
    if origins:
        yield "origin", _placed(reading, words, origins[:1])


def is_known_place(name: str, language: str) -> bool:
    return phrase_tokens(name) in words_in(language).places


def _is_venue(reading: Reading, words: PhraseWords, item: Item) -> bool:
    """A house rather than a town: "at Nobu"."""
    text = span_text(reading, item.first, item.last)
    return reading.fold(item.begins) == "at" and not is_known_place(text, words.language)


def _may_be_place(reading: Reading, words: PhraseWords, item: Item, role: str) -> bool:
    """Whether an unknown word is where a traveller goes: "in cuenca", "a cuenca"."""
    word = reading.fold(item.last - 1)
    if item.kind not in {WORD, NAME} or words.has("humans", word) or not word.isalpha():
        return False
    if reading.fold(item.first - 1) in _ONE:  # "at a sushi restaurant"
        return False
    return role == "in" or (
        role == "to" and verb_base(word, words.language) is None and reading.fold(item.last) not in _ONE
    )


def _role(reading: Reading, words: PhraseWords, item: Item) -> str:
    """The role of a place. Spanish "de" is "from" where another place is gone to."""
    before = reading.fold(item.begins if item.begins < item.first else item.first - 1)
    if words.language == "es" and before == "de":
        others = [other for other in reading.items if other.kind in {PLACE, WORD, NAME} and other is not item]
        return "from" if any(other.role == "to" for other in others) else "in"
    return item.role


def _placed(reading: Reading, words: PhraseWords, items: Sequence[Item]) -> str:
    first, last = items[0].first, items[0].last
    for item in items[1:]:
        gap = [reading.fold(place) for place in range(last, item.first)]
        if len(gap) <= 2 and all(words.has("joins", word) or word == "," for word in gap):
            last = item.last
    text = span_text(reading, first, last)
    if text == text.lower() and (reading.text == reading.text.lower() or is_known_place(text, words.language)):
        text = " ".join(part if part in _LINKS else part[:1].upper() + part[1:] for part in text.split(" "))
    return (
        f"{reading.tokens[first - 1].text} {text}" if first and words.has("articles", reading.fold(first - 1)) else text
    )
