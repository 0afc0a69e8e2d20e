"""Tasks whose main verb is denied, or is not what a type's template does. Verbs: `data/type_verbs.json`."""

import json
import re
from functools import cache
from typing import Any, Final

from planning.understanding.facts import reading_of
from planning.understanding.facts_items import NAME, OBJECT, PLACE, QUANTITY, VERB, WORD, Item, Reading
from planning.understanding.phrases_core import core_of, opening_end
from planning.understanding.phrases_words import phrase_words
from planning.understanding.text import fold
from planning.understanding.types_words import DATA, verb_base

_CLAUSE: Final = {
    "en": re.compile(r"[,;.:!]+\s*(?:but |instead |rather |just )*|\s+but\s+(?:rather |instead )?|\s+[-–—]\s+"),
    "es": re.compile(r"[,;.:!]+\s*(?:pero |sino |mejor |solo )*|\s+(?:pero|sino)\s+(?:que )?|\s+[-–—]\s+"),
}
_THINGS: Final = frozenset({OBJECT, WORD, PLACE, NAME, QUANTITY})
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@cache
def _verbs() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / "type_verbs.json").read_text(encoding="utf-8"))
    return found


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_verbs()[name].split())


@cache
def _refusal(language: str) -> re.Pattern[str]:
    lines = sorted(_verbs()["refusals"][language], key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, lines))})(?![\w'])\s*")


def affirmed(task: str, language: str) -> str:
    """The task behind what it says not to do at its beginning; empty where it says no more than that."""
    start = opening_end(task, language)
    folded = fold(task).replace("’", "'")
    if len(folded) != len(task):  # signs that become two letters: places would not be the same
        return task
    found = _refusal(language).match(folded, start)
    if not found or not _is_verb_denied(folded[found.end() : found.end() + 80], found.group().strip(), language):
        return task
    end = _CLAUSE[language].search(folded, found.end())
    return task[end.end() :].strip() if end else ""


def _is_verb_denied(rest: str, refusal: str, language: str) -> bool:
    words = [word for word in _WORD.findall(rest)[:5] if word not in _listed("skipped")]
    if not words:
        return refusal not in {"stop", "no", "skip"}
    verb = words[0]
    if verb in _listed("still_wanted"):
        return False
    doing = refusal in _verbs()["with_doing"][language].split("|")
    if language == "en":
        return not doing or verb.endswith("ing") or refusal in {"forget about", "never mind", "nevermind", "skip"}
    if doing or refusal in {"nunca", "jamas", "en ningun caso", "bajo ningun concepto", "de ninguna manera"}:
        return doing is False or verb.endswith(("ar", "er", "ir")) or refusal.startswith("olv")
    base = verb_base(verb, "es")
    if verb in _listed("irregular") or verb == base:
        return True
    endings = ("e", "es", "en", "emos") if (base or "").endswith("ar") else ("a", "as", "an", "amos")
    return base is not None and verb.endswith(endings)


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
        before = [one for one in reading.items if verbs[0].last <= one.first < verb.first]
        joined = words.has("joins", reading.fold(verb.first - 1)) or reading.fold(verb.first - 1) in {",", ";", "then"}
        if joined and verb.value in _others() and any(one.kind in _THINGS for one in before):
            return task[begins : reading.tokens[verb.first - 1].start].strip() or task
    return task[begins:]


@cache
def _others() -> frozenset[str]:
    return _listed("others") | frozenset(_verbs()["instead"])


def type_by_verb(found: str, task: str, language: str) -> str | None:
    """The type that the task's first verb makes of the one found: "review hotel" books none. None: a general one."""
    if found not in _listed("doing"):
        return found
    verb = _first(reading_of(task, language), opening_end(task, language))
    said = next((one for one in verb if one in _others()), None)
    if said is None:
        return found
    return _verbs()["instead"].get(said) if found in _listed("bookings") else None


def _first(reading: Reading, start: int) -> tuple[str, ...]:
    """The task's first word, and the verb that it is."""
    place = next((at for at, token in enumerate(reading.tokens) if token.start >= start), 0)
    item: Item | None = next((one for one in reading.items if one.kind == VERB and one.first == place), None)
    return (item.value, reading.fold(place)) if item else (reading.fold(place),)
