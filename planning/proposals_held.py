"""What a model proposes, held against what the task says: its facts, its object and its verb. Source: docs/plans.md."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Final

from planning.contracts import CriterionKind, SuccessCriterion
from planning.templates import criteria_of, steps_of
from planning.understanding import facts_read
from planning.understanding.contracts import TaskFacts, TaskReading
from planning.understanding.facts_stems import stem_of
from planning.understanding.known import is_within, known_in, of_kind, opposites
from planning.understanding.text import fold

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_DAY: Final = re.compile(r"(?:(?:before|after|from|to|until) )?((?:\d{4}-)?\d{2}-\d{2})")
_ADDRESS: Final = re.compile(
    r"@|\bat\b.{1,40}\bdot\b|\b(?:arroba|\[at\]|\(at\))|\bwww\.|\b[\w-]{2,}\s?(?:\.|\bdot\b|\bpunto\b)\s?"
    r"(?:com|net|org|info|biz|ru|xyz|onion)\b"
)
_MONEY: Final = re.compile(r" ([A-Z]{3})(?:/|$)")
_STAYS: Final = frozenset({"night", "day", "week", "month"})


@cache
def _lists() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "proposal_words.json").read_text(encoding="utf-8"))
    return found


@cache
def _secrets() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _lists()['secrets']))})\b")


@cache
def _said_set(name: str) -> frozenset[str]:
    return frozenset(_lists()[name].split())


def text_faults(texts: Sequence[str], reading: TaskReading) -> list[str]:
    """Invisible characters; addresses and secrets that the task does not name."""
    faults = []
    if any(unicodedata.category(one) in {"Cf", "Co", "Cs", "Zl", "Zp"} for text in texts for one in text):
        faults.append("invisible characters")
    task = fold(reading.task)
    said = [fold(text) for text in texts]
    for called, pattern in (("an address", _ADDRESS), ("a secret", _secrets())):
        if any(match.group() not in task for text in said for match in pattern.finditer(text)):
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
        facts = [reading.facts, *(facts_read(text, reading.language) for text in known)]
        self.numbers = _numbers(" ".join([reading.task, *known]))
        self.numbers |= {number for one in facts for said in _figures(one) for number in _numbers(said)}
        self.words = set(re.findall(r"\w+", fold(" ".join([reading.task, *known]))))
        self.places = {place.partition(":")[2] or place for one in facts for place in one.places}
        self.dates = {_bare(said) for one in facts for said in one.dates} | set(_ends(reading.facts))
        self.sums = [said for one in facts for said in one.amounts if _MONEY.search(said)]
        self.durations = [said for one in facts for said in one.durations]
        self.strict = reading.task_type in _lists()["strict"]

    def strange(self, facts: TaskFacts, text: str) -> Iterator[str]:
        for place in facts.places:
            bare = place.partition(":")[2] or place
            if not self._is_place(bare, text):
                yield f"the place {bare!r}"
        for said in facts.dates:
            words = set(_bare(said).split())
            exact = any(any(one.isdigit() for one in word) for word in words) or words & _said_set("dates")
            if exact and _bare(said) not in self.dates and not self._is_part(said):
                yield f"the date {said!r}"
        yield from (f"the sum {said!r}" for said in facts.amounts if not self._is_amount(said))
        yield from (f"the duration {said!r}" for said in facts.durations if not self._is_duration(said))
        for said in facts.quantities:
            if said.split()[-1] in _said_set("counted") and self.strict and not _numbers(said) - {"1"} <= self.numbers:
                yield f"the number {said!r}"

    def _is_place(self, place: str, text: str) -> bool:
        if place in self.places or set(place.split()) <= self.words:
            return True
        if any(is_within(place, one) or is_within(one, place) for one in self.places):
            return True
        listed = any(of_kind(known_in(place), "place"))
        return not listed and not (self.strict and bool(self.places) and place.title() in text)

    def _is_part(self, said: str) -> bool:
        """Of "monday 2026-12-14" or "18:30" the task may have said more, or the same in other words."""
        return bool(_numbers(said)) and _bare(said) in " ".join(self.dates)

    def _is_amount(self, said: str) -> bool:
        money = _MONEY.search(said)
        if not money:
            return not (said.endswith(" star") and self.strict) or _numbers(said) <= self.numbers
        if _numbers(said) <= self.numbers:
            return True
        most = max((float(one) for sum_ in self.sums for one in _numbers(sum_)), default=0.0)
        return not self.strict and all(float(one) <= most for one in _numbers(said))

    def _is_duration(self, said: str) -> bool:
        unit = said.split()[-1]
        if unit not in _STAYS or _numbers(said) <= self.numbers:
            return True
        most = max((float(n) for one in self.durations if one.split()[-1] == unit for n in _numbers(one)), default=None)
        return not self.strict and (most is None or all(float(n) <= most for n in _numbers(said)))


def _numbers(text: str) -> set[str]:
    """The numbers in a text as plain ones: "1,200" and "1200.0" are 1200."""
    found = set()
    for said in _NUMBER.findall(text):
        plain = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", said).replace(",", ".")
        try:
            found.add(f"{float(plain):g}" if float(plain) < 1e6 else str(int(float(plain))))
        except ValueError:
            found.add(said)
    return found


def _figures(facts: TaskFacts) -> list[str]:
    return [*facts.amounts, *facts.durations, *facts.quantities]


def _bare(said: str) -> str:
    return re.sub(r"^(?:before|after|from|to|until) ", "", said)


def _ends(facts: TaskFacts) -> Iterator[str]:
    """The last day of "from Dec 15 for 2 nights"."""
    lengths = {"night": 1, "day": 1, "week": 7}
    for said in facts.dates:
        if not (match := _DAY.fullmatch(said)):
            continue
        for length in facts.durations:
            number, _, unit = length.rpartition(" ")
            if number.isdigit() and unit in lengths and int(number) < 400:
                whole = match[1] if len(match[1]) > 5 else f"2027-{match[1]}"
                try:
                    end = date.fromisoformat(whole) + timedelta(days=int(number) * lengths[unit])
                except (ValueError, OverflowError):
                    continue
                for day in (end, end - timedelta(days=1)):
                    yield day.isoformat() if len(match[1]) > 5 else day.isoformat()[5:]


def _against(facts: TaskFacts, reading: TaskReading) -> Iterator[str]:
    """Verbs that are the opposite of the task's, deny it, or undo what it does not mention."""
    wanted = reading.facts
    harmless, undoing = _said_set("harmless"), _said_set("undoing")
    for verb in facts.verbs:
        if verb in wanted.verbs or verb in wanted.objects:
            continue
        excluded = opposites().get(verb, frozenset()) & set(wanted.verbs)
        if excluded - harmless and verb not in harmless:
            yield f"the opposite verb {verb!r}"
        elif verb in undoing and reading.task_type in _lists()["strict"]:
            yield f"the verb {verb!r}, which the task does not have"
    denied = {word for said in facts.negations for word in said.split()}
    if denied & set(wanted.verbs) and not wanted.negations:
        yield "denies what the task wants"


def _missing(read: Sequence[TaskFacts], texts: Sequence[str], reading: TaskReading) -> Iterator[str]:
    """What the task is about has to be named, and what decides it to be done."""
    wanted = reading.facts
    said = {value for one in read for value in (*one.objects, *one.verbs, *one.qualities, *one.names, *one.places)}
    said |= {word for one in read for text in (*one.quantities, *one.negations) for word in text.split()}
    stems = {stem_of(word, reading.language) for text in texts for word in re.findall(r"\w+", fold(text))}
    if wanted.objects and not any(one in said or one in stems for one in wanted.objects):
        yield f"says nothing of {' or '.join(wanted.objects)!r}"
    usual = {verb for step in steps_of(reading) for verb in facts_read(step.description, reading.language).verbs}
    for group in _lists()["deciding"]:
        verbs, things = set(group["verbs"].split()), set(group["objects"].split())
        asked = next((verb for verb in wanted.verbs if verb in verbs), None)
        if asked and asked == wanted.verbs[0] and asked in usual | {asked} and not (verbs | things) & said:
            yield f"does not {asked}"


def criterion_holds(criterion: SuccessCriterion, reading: TaskReading, known: Sequence[str]) -> bool:
    """Whether a model's criterion speaks of what the task, the user or the type's own criteria name, and does not
    demand that something be absent that nobody refused, or there that the task does not want.
    """
    parse = criterion.parse
    if parse is None:
        return False
    ours = criteria_of(reading, known)
    parses = [one.parse for one in ours if one.parse]
    if parse.kind is CriterionKind.VERDICT:
        return any(one.kind is parse.kind for one in parses)
    if any(one.field == parse.field and one.normal != parse.normal for one in parses):
        return False
    refused = [said for text in (reading.task, *known) for said in facts_read(text, reading.language).negations]
    if parse.kind is CriterionKind.ABSENCE or parse.operator.value in {"!=", "not in"}:
        words = _content(f"{parse.field} {parse.value or ''}".replace("_", " "), reading)
        return bool(words) and words <= _content(" ".join(refused), reading)
    words = _content(criterion.text, reading)
    if words & _content(" ".join(refused), reading):
        return False
    return words <= _content(" ".join([reading.task, *known, *(one.text for one in ours)]), reading)


def _content(text: str, reading: TaskReading) -> set[str]:
    """The words of a text that say something, by their canonical forms or stems."""
    found = set()
    for word in re.findall(r"\w+", fold(text)):
        if (len(word) > 2 or word.isdigit()) and word not in _said_set("slight"):
            known = sorted(one.canonical for one in known_in(word) if one.kind in {"object", "quality"})
            found.add(known[0] if known else stem_of(word, reading.language))
    return found
