"""What type of task a task is. Types, their rules and examples are in `data/types.json`, the words in `type_words.txt`.

Two signals: rules, and the sentence's meaning (`types_meaning`). A rule names groups of words. One of two groups
("book hotel") speaks for its type where both stand near each other; so does one with "!" ("translate!"). Of several
the one counts most that is complete first, since what a task is about stands near its verb. A single group ("hotel")
counts a little.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from planning.understanding.phrases_core import opening_end
from planning.understanding.text import Token, fold, tokens
from planning.understanding.types_denied import affirmed, main_clause, type_by_verb
from planning.understanding.types_meaning import type_probabilities
from planning.understanding.types_words import DATA, LANGUAGES, Hit, groups_in, words

GENERAL: Final = "general"
GIVEN_ONLY: Final = ("lesson",)  # taken when given, never found

NEAR: Final = 9  # words between the parts of a rule, at most
READ_WORDS, READ_LENGTH = 80, 600  # a task says what it is at its beginning
FLOOR: Final = 0.33  # the share that the best type must have, or the task is a general one
HEAD, FIRST, FURTHER, ALONE = 2000.0, 100.0, 2.0, 4.0
"""How much likelier a rule makes its type than the meaning alone does: one that is complete first and whose verb
begins the task; one that is complete first; a later one; a group by itself. "Write an email to cancel my hotel" is
about an email. Chosen on the labelled tasks and on CLINC150 (`benchmarks.task_types`)."""

_LEAST: Final = 1e-4  # a type that rules speak for is never out of the question
_BACKWARDS: Final = 2  # how much later a rule counts as complete when its thing stands before its verb
_ALONE: Final = 2  # the same for a verb that decides alone
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_NEGATION: Final = {
    "en": re.compile(r"\b(?:don'?t|do not|not|without|instead of|rather than|no)\s+(?:\w+\s+(?=hotel|flight|car)|)\w+"),
    "es": re.compile(r"\b(?:sin|en vez de|en lugar de|no)\s+\w+"),
}
_BUDGET: Final = re.compile(
    r"\b(?:with(?:in)?|on|for) (?:an?|my|our|the) (?:\w+ )?budget\b|\bbudget(?: of|:)? (?=[$€£\d])|"
    r"\b(?:con|de|dentro de|en) (?:un |el |mi |nuestro )?presupuesto\b|\bpresupuesto(?: maximo)?(?: de|:)? (?=[$€£\d])"
)


class Rule(NamedTuple):
    """Groups that speak for a type. `alone`: one group that decides by itself."""

    task_type: str
    groups: tuple[str, ...]
    alone: bool


@cache
def types_read() -> dict[str, dict[str, list[str]]]:
    """Types with their rules and examples. Raises `ValueError` naming the type whose entry cannot be read."""
    found: dict[str, dict[str, list[str]]] = json.loads((DATA / "types.json").read_text(encoding="utf-8"))
    for name, entry in found.items():
        if not _NAME.fullmatch(name) or set(entry) != {"rules", *LANGUAGES}:
            raise ValueError(f"types.json, {name}: expected rules and examples in {', '.join(LANGUAGES)}")
        for rule in entry["rules"]:
            groups = rule.removesuffix("!").split()
            unknown = set(groups) - words().groups
            if unknown or not 1 <= len(groups) <= 2:
                raise ValueError(
                    f"types.json, {name}: cannot read the rule “{rule}” ({', '.join(unknown) or 'length'})"
                )
    return found


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
    """The types that a task may be of, the likeliest first; empty where none fits, or where it says what not to do."""
    wanted = affirmed(task, language)
    if not wanted:
        return []
    clause = main_clause(wanted, language)
    ranked = _ranked(clause, language)
    first = type_by_verb(ranked[0], clause, language) if ranked else None
    return [first, *(name for name in ranked if name != first)] if first else []


def _ranked(task: str, language: str) -> list[str]:
    found = _unspoken(tokens(task)[:READ_WORDS], language, task)
    hits = _outermost(groups_in(found, language))
    matches = sorted(_matches(hits, language))
    first, *further = dict.fromkeys(match.task_type for match in matches) or [""]
    starts = opening_end(task, language)
    leads = bool(matches) and (matches[0].verb == 0 or found[matches[0].verb].start <= starts)
    said = {hit.group for hit in hits}
    alone = {rule.task_type for rule in _rules() if len(rule.groups) == 1 and rule.groups[0] in said}
    weights = {**dict.fromkeys(alone, ALONE), **dict.fromkeys(further, FURTHER), first: HEAD if leads else FIRST}
    meant = type_probabilities(" ".join(task.split()[:READ_WORDS])[:READ_LENGTH])
    chances = meant or dict.fromkeys(types_read(), 1 / len(types_read()))
    scores = {name: (chance + _LEAST) * weights.get(name, 1.0) for name, chance in chances.items()}
    ranked = sorted(scores, key=lambda name: (-scores[name], name))
    enough = FLOOR * sum(scores.values())
    return ranked if ranked[0] != GENERAL and scores[ranked[0]] >= enough else []


def _unspoken(found: list[Token], language: str, task: str) -> list[Token]:
    """The words without those that are denied, and without a budget that only sets a limit."""
    folded = fold(task)
    spans = [one.span() for pattern in (_NEGATION[language], _BUDGET) for one in pattern.finditer(folded)]
    return [token for token in found if not any(start <= token.start < end for start, end in spans)]


def _outermost(hits: list[Hit]) -> list[Hit]:
    """Hits without those inside a longer phrase: "party" is not said in "dinner party" of its own."""
    return [
        hit
        for hit in hits
        if not any(
            one.start <= hit.start and hit.end <= one.end and one.end - one.start > hit.end - hit.start for one in hits
        )
    ]


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
