"""What a model proposes, held against what the task says: its facts, its object and its verb. Source: docs/plans.md."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from language.fold import fold
from language.stems import stem
from language.tokens import any_of
from language.word_lists import json_file
from planning.contracts import SuccessCriterion
from planning.criteria import CriterionKind
from planning.templates import criteria_of, steps_of
from planning.understanding import facts_read
from planning.understanding.contracts import TaskFacts, TaskReading
from planning.understanding.known import is_within, known_in, of_kind, opposites

_INVISIBLE: Final = frozenset({"Cf", "Co", "Cs", "Zl", "Zp"})
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_DAY: Final = re.compile(r"(?:(?:before|after|from|to|until) )?((?:\d{4}-)?\d{2}-\d{2})")
_ADDRESS: Final = re.compile(
    r"@|\bat\b.{1,40}\bdot\b|\b(?:arroba|\[at\]|\(at\))|\bwww\.|\b[\w-]{2,}\s?(?:\.|\bdot\b|\bpunto\b)\s?"
    r"(?:com|net|org|info|biz|ru|xyz|onion)\b"
)
_MONEY: Final = re.compile(r" ([A-Z]{3})(?:/|$)")
_LENGTHS: Final = {"night": 1, "day": 1, "week": 7}
"""In days."""
_LONGEST: Final = 400
_YEARS: Final = (2001, 2004)
"""A common year and a leap year: a day without its year may be of either."""
_STAYS: Final = frozenset({"night", "day", "week", "month"})


def _lists() -> Any:
    return json_file(Path(__file__).parent / "data" / "proposal_words.json")


@cache
def _secrets() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(_lists()['secrets'])})\b")


@cache
def _word_set(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].split())


def text_faults(texts: Sequence[str], reading: TaskReading) -> list[str]:
    """Invisible characters; addresses and secrets that the task does not name."""
    faults = []
    if any(unicodedata.category(character) in _INVISIBLE for text in texts for character in text):
        faults.append("invisible characters")
    task = fold(reading.task)
    folded = [fold(text) for text in texts]
    for called, pattern in (("an address", _ADDRESS), ("a secret", _secrets())):
        if any(match.group() not in task for text in folded for match in pattern.finditer(text)):
            faults.append(f"{called} that the task does not name")
    return faults


def fact_faults(texts: Sequence[str], reading: TaskReading, known: Sequence[str] = ()) -> list[str]:
    """Places, dates, sums, lengths and numbers of people that neither the task nor what is `known` of the user has;
    verbs that undo or deny what the task wants; and no word of what it is about.
    """
    faults: dict[str, None] = {}
    mine = _Named(reading, known)
    read = [(text, facts_read(text, reading.language)) for text in texts if text]
    for text, facts in read:
        faults |= dict.fromkeys(mine.strange(facts, text))
        faults |= dict.fromkeys(_against(facts, reading))
    return [*faults, *_missing([facts for _text, facts in read], texts, reading)]


class _Named:
    """What the task and what is known of the user name."""

    def __init__(self, reading: TaskReading, known: Sequence[str]) -> None:
        sources = [reading.facts, *(facts_read(text, reading.language) for text in known)]
        self.numbers = _numbers(" ".join([reading.task, *known]))
        figures = [figure for facts in sources for figure in (*facts.amounts, *facts.durations, *facts.quantities)]
        self.numbers |= {number for figure in figures for number in _numbers(figure)}
        self.words = set(re.findall(r"\w+", fold(" ".join([reading.task, *known]))))
        self.places = {place.partition(":")[2] or place for facts in sources for place in facts.places}
        self.dates = {_bare(day) for facts in sources for day in facts.dates} | set(_last_days(reading.facts))
        self.sums = [amount for facts in sources for amount in facts.amounts if _MONEY.search(amount)]
        self.durations = [duration for facts in sources for duration in facts.durations]
        self.strict = reading.task_type in _lists()["strict"]

    def strange(self, facts: TaskFacts, text: str) -> Iterator[str]:
        for place in facts.places:
            bare = place.partition(":")[2] or place
            if not self._is_place(bare, text):
                yield f"the place {bare!r}"
        for day in facts.dates:
            words = set(_bare(day).split())
            exact = any(any(character.isdigit() for character in word) for word in words) or words & _word_set("dates")
            if exact and _bare(day) not in self.dates and not self._is_part(day):
                yield f"the date {day!r}"
        yield from (f"the sum {amount!r}" for amount in facts.amounts if not self._is_amount(amount))
        yield from (f"the duration {duration!r}" for duration in facts.durations if not self._is_duration(duration))
        for quantity in facts.quantities:
            is_counted = quantity.split()[-1] in _word_set("counted")
            if is_counted and self.strict and not _numbers(quantity) - {"1"} <= self.numbers:
                yield f"the number {quantity!r}"

    def _is_place(self, place: str, text: str) -> bool:
        if place in self.places or set(place.split()) <= self.words:
            return True
        if any(is_within(place, named) or is_within(named, place) for named in self.places):
            return True
        listed = any(of_kind(known_in(place), "place"))
        return not listed and not (self.strict and bool(self.places) and place.title() in text)

    def _is_part(self, day: str) -> bool:
        """Of "monday 2026-12-14" or "18:30" the task may have said more, or the same in other words."""
        return bool(_numbers(day)) and _bare(day) in " ".join(self.dates)

    def _is_amount(self, amount: str) -> bool:
        money = _MONEY.search(amount)
        if not money:
            return not (amount.endswith(" star") and self.strict) or _numbers(amount) <= self.numbers
        if _numbers(amount) <= self.numbers:
            return True
        most = max((float(number) for sum_ in self.sums for number in _numbers(sum_)), default=0.0)
        return not self.strict and all(float(number) <= most for number in _numbers(amount))

    def _is_duration(self, duration: str) -> bool:
        unit = duration.split()[-1]
        if unit not in _STAYS or _numbers(duration) <= self.numbers:
            return True
        stays = [stay for stay in self.durations if stay.split()[-1] == unit]
        most = max((float(number) for stay in stays for number in _numbers(stay)), default=None)
        return not self.strict and (most is None or all(float(number) <= most for number in _numbers(duration)))


def _numbers(text: str) -> set[str]:
    """The numbers in a text as plain ones: "1,200" and "1200.0" are 1200."""
    numbers = set()
    for figure in _NUMBER.findall(text):
        plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", figure).replace(",", ".")
        try:
            numbers.add(f"{float(plain):g}" if float(plain) < 1e6 else str(int(float(plain))))
        except ValueError:
            numbers.add(figure)
    return numbers


def _bare(day: str) -> str:
    return re.sub(r"^(?:before|after|from|to|until) ", "", day)


def _last_days(facts: TaskFacts) -> Iterator[str]:
    """The last day and night of "from Dec 15 for 2 nights"."""
    for day in filter(None, map(_DAY.fullmatch, facts.dates)):
        has_year = len(day[1]) > len("12-15")
        for length in facts.durations:
            number, _, unit = length.rpartition(" ")
            if not number.isdigit() or unit not in _LENGTHS or int(number) >= _LONGEST:
                continue
            for first in [day[1]] if has_year else [f"{year}-{day[1]}" for year in _YEARS]:
                try:
                    end = date.fromisoformat(first) + timedelta(days=int(number) * _LENGTHS[unit])
                except (ValueError, OverflowError):
                    continue
                for last in (end, end - timedelta(days=1)):
                    yield last.isoformat() if has_year else f"{last:%m-%d}"


def _against(facts: TaskFacts, reading: TaskReading) -> Iterator[str]:
    """Verbs that are the opposite of the task's, deny it, or undo what it does not mention."""
    wanted = reading.facts
    harmless, undoing = _word_set("harmless"), _word_set("undoing")
    for verb in facts.verbs:
        if verb in wanted.verbs or verb in wanted.objects:
            continue
        excluded = opposites().get(verb, frozenset()) & set(wanted.verbs)
        if excluded - harmless and verb not in harmless:
            yield f"the opposite verb {verb!r}"
        elif verb in undoing and reading.task_type in _lists()["strict"]:
            yield f"the verb {verb!r}, which the task does not have"
    denied = {word for negation in facts.negations for word in negation.split()}
    if denied & set(wanted.verbs) and not wanted.negations:
        yield "denies what the task wants"


def _missing(read: Sequence[TaskFacts], texts: Sequence[str], reading: TaskReading) -> Iterator[str]:
    """What the task is about has to be named, and what decides it to be done."""
    wanted = reading.facts
    named = {
        value
        for facts in read
        for value in (*facts.objects, *facts.verbs, *facts.qualities, *facts.names, *facts.places)
    }
    named |= {word for facts in read for text in (*facts.quantities, *facts.negations) for word in text.split()}
    stems = {stem(word, reading.language) for text in texts for word in re.findall(r"\w+", fold(text))}
    if wanted.objects and not any(thing in named or thing in stems for thing in wanted.objects):
        yield f"says nothing of {' or '.join(wanted.objects)!r}"
    usual = {verb for step in steps_of(reading) for verb in facts_read(step.description, reading.language).verbs}
    for group in _lists()["deciding"]:
        verbs, things = set(group["verbs"].split()), set(group["objects"].split())
        asked = next((verb for verb in wanted.verbs if verb in verbs), None)
        if asked and asked == wanted.verbs[0] and asked in usual | {asked} and not (verbs | things) & named:
            yield f"does not {asked}"


def criterion_holds(criterion: SuccessCriterion, reading: TaskReading, known: Sequence[str]) -> bool:
    """Whether a model's criterion speaks of what the task, the user or the type's own criteria name, and does not
    demand that something be absent that nobody refused, or there that the task does not want.
    """
    parse = criterion.parse
    if parse is None:
        return False
    ours = criteria_of(reading, known)
    parses = [own.parse for own in ours if own.parse]
    if parse.kind is CriterionKind.VERDICT:
        return any(own.kind is parse.kind for own in parses)
    if any(own.field == parse.field and own.normal != parse.normal for own in parses):
        return False
    refused = [thing for text in (reading.task, *known) for thing in facts_read(text, reading.language).negations]
    if parse.kind is CriterionKind.ABSENCE or parse.operator.value in {"!=", "not in"}:
        words = _content(f"{parse.field} {parse.value or ''}".replace("_", " "), reading)
        return bool(words) and words <= _content(" ".join(refused), reading)
    words = _content(criterion.text, reading)
    if words & _content(" ".join(refused), reading):
        return False
    return words <= _content(" ".join([reading.task, *known, *(own.text for own in ours)]), reading)


def _content(text: str, reading: TaskReading) -> set[str]:
    """The words of a text that say something, by their canonical forms or stems."""
    content = set()
    for word in re.findall(r"\w+", fold(text)):
        if (len(word) > 2 or word.isdigit()) and word not in _word_set("slight"):
            canonical = sorted(known.canonical for known in known_in(word) if known.kind in {"object", "quality"})
            content.add(canonical[0] if canonical else stem(word, reading.language))
    return content
