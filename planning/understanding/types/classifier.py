"""What type of task a task is. Types, their rules and examples are in `data/types.json`, the words in `type_words.txt`.

Two signals: rules, and the sentence's meaning (`meaning`). A rule names groups of words. A rule of two groups ("book
hotel") holds where both are near each other, a rule of one group with "!" ("translate!") by itself; the rule that is
complete first counts most, since the object of a task is near its verb. Other rules of one group count a little. The
main verb may make another type of it (`data/type_verbs.json`).
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from language import LANGUAGES
from language.fold import fold_in_place
from language.tokens import Token, tokens_of
from language.word_lists import json_file
from planning.understanding.facts.items import NAME, OBJECT, PLACE, QUANTITY, VERB, WORD, Item, Reading
from planning.understanding.facts.reading import reading_of
from planning.understanding.phrases.core import core_of, opening_end
from planning.understanding.phrases.denial import affirmed
from planning.understanding.phrases.words import phrase_words
from planning.understanding.types.meaning import type_probabilities
from planning.understanding.vocabulary import DATA, Hit, groups_in, words

_VERBS: Final = DATA / "type_verbs.json"
_THINGS: Final = frozenset({OBJECT, WORD, PLACE, NAME, QUANTITY})


def main_clause(task: str, language: str) -> str:
    """The task from the last of verbs that belong together ("find and book a hotel"), and up to a second clause that
    undoes or does something else: "buy apples and cancel the hotel".
    """
    reading, words = reading_of(task, language), phrase_words(language)
    if not reading.tokens:
        return task
    core = core_of(reading, words)
    begins = reading.tokens[core.verb].start if core.verb is not None and core.verb > core.start else 0
    verbs = [item for item in reading.items if item.kind == VERB]
    for verb in verbs[1:]:
        before = [item for item in reading.items if verbs[0].last <= item.first < verb.first]
        joined = words.has("joins", reading.fold(verb.first - 1)) or reading.fold(verb.first - 1) in {",", ";", "then"}
        if joined and verb.value in _others() and any(item.kind in _THINGS for item in before):
            return task[begins : reading.tokens[verb.first - 1].start].strip() or task
    return task[begins:]


@cache
def _others() -> frozenset[str]:
    return _listed("others") | frozenset(json_file(_VERBS)["instead"])


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(json_file(_VERBS)[name].split())


def type_by_verb(task_type: str, task: str, language: str) -> str | None:
    """The type, corrected by the first verb of the task: "review hotel" books none. None: a general task."""
    if task_type not in _listed("doing"):
        return task_type
    verb = _first(reading_of(task, language), opening_end(task, language))
    verb_said = next((word for word in verb if word in _others()), None)
    if verb_said is None:
        return task_type
    return json_file(_VERBS)["instead"].get(verb_said) if task_type in _listed("bookings") else None


def _first(reading: Reading, start: int) -> tuple[str, ...]:
    """The task's first word, and the verb that it is."""
    place = next((at for at, token in enumerate(reading.tokens) if token.start >= start), 0)
    item: Item | None = next((item for item in reading.items if item.kind == VERB and item.first == place), None)
    return (item.value, reading.fold(place)) if item else (reading.fold(place),)


GENERAL: Final = "general"
GIVEN_ONLY: Final = ("lesson",)  # never found by reading

NEAR: Final = 9  # words between the parts of a rule, at most
READ_WORDS, READ_LENGTH = 80, 600  # the beginning of a task decides its type
FLOOR: Final = 0.33  # the share that the best type must have, or the task is a general one
HEAD, FIRST, FURTHER, ALONE = 2000.0, 100.0, 2.0, 4.0
"""How much likelier a rule makes its type than the meaning alone does: one that is complete first and whose verb
begins the task; one that is complete first; a later one; a group by itself. "Write an email to cancel my hotel" is
about an email. Chosen on the labelled tasks and on CLINC150 (`benchmarks.task_types`)."""

_LEAST: Final = 1e-4  # a type that rules speak for is never out of the question
_BACKWARDS: Final = 2  # how much later a rule counts as complete when its thing is before its verb
_ALONE: Final = 2  # the same for a verb that decides alone
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")


class Rule(NamedTuple):
    """Groups that speak for a type. `alone`: one group that decides by itself."""

    task_type: str
    groups: tuple[str, ...]
    alone: bool


@cache
def types_read() -> dict[str, dict[str, list[str]]]:
    """Types with their rules and examples. Raises `ValueError` naming the type whose entry cannot be read."""
    types: dict[str, dict[str, list[str]]] = json_file(DATA / "types.json")
    for name, entry in types.items():
        if not _NAME.fullmatch(name) or set(entry) != {"rules", *LANGUAGES}:
            raise ValueError(f"types.json, {name}: expected rules and examples in {', '.join(LANGUAGES)}")
        for rule in entry["rules"]:
            groups = rule.removesuffix("!").split()
            unknown = set(groups) - words().groups
            if unknown or not 1 <= len(groups) <= 2:
                raise ValueError(
                    f"types.json, {name}: cannot read the rule “{rule}” ({', '.join(unknown) or 'length'})"
                )
    return types


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(
        Rule(name, tuple(rule.removesuffix("!").split()), rule.endswith("!"))
        for name, entry in types_read().items()
        for rule in entry["rules"]
    )


def task_type_of(task: str, language: str) -> str:
    """The type of a task; "general" where none fits."""
    ranked = types_ranked(task, language)
    return ranked[0] if ranked else GENERAL


def types_ranked(task: str, language: str) -> list[str]:
    """The types that a task may be of, the likeliest first; empty where none fits, or where the task is denied."""
    wanted = affirmed(task, language)
    if not wanted:
        return []
    clause = main_clause(wanted, language)
    ranked = _ranked(clause, language)
    first = type_by_verb(ranked[0], clause, language) if ranked else None
    return [first, *(name for name in ranked if name != first)] if first else []


def _ranked(task: str, language: str) -> list[str]:
    tokens = _unspoken(tokens_of(task)[:READ_WORDS], language, task)
    hits = _outermost(groups_in(tokens, language))
    matches = sorted(_matches(hits, language))
    first, *further = dict.fromkeys(match.task_type for match in matches) or [""]
    starts = opening_end(task, language)
    leads = bool(matches) and (matches[0].verb == 0 or tokens[matches[0].verb].start <= starts)
    groups = {hit.group for hit in hits}
    alone = {rule.task_type for rule in _rules() if len(rule.groups) == 1 and rule.groups[0] in groups}
    weights = {**dict.fromkeys(alone, ALONE), **dict.fromkeys(further, FURTHER), first: HEAD if leads else FIRST}
    meant = type_probabilities(" ".join(task.split()[:READ_WORDS])[:READ_LENGTH])
    chances = meant or dict.fromkeys(types_read(), 1 / len(types_read()))
    scores = {name: (chance + _LEAST) * weights.get(name, 1.0) for name, chance in chances.items()}
    ranked = sorted(scores, key=lambda name: (-scores[name], name))
    enough = FLOOR * sum(scores.values())
    return ranked if ranked[0] != GENERAL and scores[ranked[0]] >= enough else []


def _unspoken(tokens: list[Token], language: str, task: str) -> list[Token]:
    """The words without those that are denied, and without a budget that only sets a limit."""
    folded = fold_in_place(task)
    spans = [match.span() for pattern in _set_aside(language) for match in pattern.finditer(folded)]
    return [token for token in tokens if not any(start <= token.start < end for start, end in spans)]


@cache
def _set_aside(language: str) -> tuple[re.Pattern[str], ...]:
    patterns = json_file(DATA / "denials.json")["unwanted"][language], json_file(DATA / "type_verbs.json")["budget"]
    return tuple(map(re.compile, patterns))


def _outermost(hits: list[Hit]) -> list[Hit]:
    """Hits without those inside a longer phrase: "party" in "dinner party"."""
    spans = {range(hit.start, hit.end) for hit in hits}
    inside = {span for span in spans for other in spans if span != other and {*span} <= {*other}}
    return [hit for hit in hits if range(hit.start, hit.end) not in inside]


class Match(NamedTuple):
    """A rule that is complete: behind which word, where its thing begins (later ones first), and where its verb."""

    complete: int
    thing: int
    rule: int
    verb: int
    task_type: str


def _matches(hits: list[Hit], language: str) -> Iterator[Match]:
    by_group: dict[str, list[Hit]] = {}
    for hit in hits:
        by_group.setdefault(hit.group, []).append(hit)
    chains = _chains(hits) if language == "en" else {}
    for number, rule in enumerate(_rules()):
        if rule.alone:
            for hit in by_group.get(rule.groups[0], ())[:1]:
                yield Match(hit.end + _ALONE, -hit.start, number, hit.start, rule.task_type)
        elif len(rule.groups) == 2:
            yield from _pairs(rule, number, by_group, chains)


def _pairs(rule: Rule, number: int, by_group: dict[str, list[Hit]], chains: dict[int, int]) -> Iterator[Match]:
    for verb in by_group.get(rule.groups[0], ())[:4]:
        for thing in by_group.get(rule.groups[1], ())[:8]:
            if verb.end <= thing.start <= verb.end + NEAR:
                end = chains.get(thing.end, thing.end)
                yield Match(end, -thing.start, number, verb.start, rule.task_type)
            elif thing.end <= verb.start <= thing.end + NEAR:
                yield Match(verb.end + _BACKWARDS, -verb.start, number, verb.start, rule.task_type)


def _chains(hits: list[Hit]) -> dict[int, int]:
    """Where hits stand side by side, as in "biology exam", the end of each with the end of the last, the head."""
    longest = {hit.start: hit.end for hit in sorted(hits, key=lambda hit: hit.end)}
    ends: dict[int, int] = {}
    for end in sorted({hit.end for hit in hits}, reverse=True):
        following = longest.get(end, end)
        ends[end] = ends.get(following, following)
    return ends
