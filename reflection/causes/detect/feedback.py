"""Causes in the user's feedback, compared with the measurements."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from language.word_lists import rows_of
from memory.contracts import EpisodeOutcome, Memory
from planning.experience import field_key, learnings_of, normalised, stems
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check
from reflection.causes.detect.groups import group_of
from reflection.causes.detect.reading import Case
from reflection.causes.texts import DATA, cue_in, cues, data_read, number_shown, shown

_READ: Final = 400
_NAMED: Final = 0.87
"""A reason that the user names, where criteria failed too: worth more than a guess from two numbers."""
_AFTER: Final = r"(?:any |a |an |the |el |la |los |las |un |una |ningun |ninguna )?"
_THING: Final = r"([a-z]{3,20}(?: (?!porque|because|and|but|y|pero|ni|or)[a-z]{3,20})?)"


@dataclass(frozen=True)
class Topic:
    """Something people complain of, and what would mend it."""

    key: str
    pattern: re.Pattern[str]
    names: dict[str, str]
    field: str
    condition: dict[str, str]
    priority: dict[str, str]


@cache
def topics() -> list[Topic]:
    """The topics of `topics.jsonl`, in order."""
    return rows_of(DATA / "topics.jsonl", _topic)


def _topic(row: dict[str, Any]) -> Topic:
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(row["cues"]) + r")(?!\w)")
    names = {language: row[language] for language in ("en", "es")}
    return Topic(row["key"], pattern, names, row["field"], row.get("condition", {}), row["priority"])


def topics_in(text: str) -> list[Topic]:
    """What a text complains of, what it says first first."""
    plain = normalised(text[:_READ])
    hits = [(match.start(), topic) for topic in topics() if (match := topic.pattern.search(plain))]
    return [topic for _, topic in sorted(hits, key=lambda hit: hit[0])]


def topic_named(key: str) -> Topic | None:
    """The topic by its key."""
    return next((topic for topic in topics() if topic.key == key), None)


def changed_mind(case: Case) -> Iterator[Cause]:
    if not case.feedback or case.confirmed or not cue_in("changed mind", case.feedback):
        return
    feedback = shown(case.feedback, 80)
    score = 0.95 if not case.failed else 0.8
    yield case.cause(CauseKind.CHANGED_MIND, case.rejected, score, [Fact("feedback", feedback)], feedback=feedback)


def voiced_of(case: Case, check: Check) -> str:
    """The words with which the user names what a criterion is about; empty where they do not."""
    if not case.feedback or case.confirmed:
        return ""
    plain, group = normalised(case.feedback[:_READ]), group_of(check.name)
    is_named = check.is_named_in(plain) or any(
        field_key(topic.field) == check.field or (group and group_of(topic.field) == group)
        for topic in topics_in(case.feedback)
    )
    return shown(case.feedback, 80) if is_named or _is_headcount(check, plain) else ""


def _is_headcount(check: Check, feedback: str) -> bool:
    """Whether the criterion counts people, and the user says that number of them: "we are four"."""
    if check.wanted is None or not cues("people").search(normalised(check.name)) or not cues("we are").search(feedback):
        return False
    numbers: dict[str, int] = data_read("words.json")["numbers"]
    words = re.findall(r"[^\W_]+", feedback)
    counts = (int(word) if word.isdecimal() and len(word) < 6 else numbers.get(word) for word in words)
    return any(count == check.wanted for count in counts)


def _unknown_named(case: Case) -> Iterator[Cause]:
    """The user names what a criterion is about, of which the result says nothing."""
    check = next((check for check in case.unknown if not check.is_verdict and voiced_of(case, check)), None)
    if check is None or case.failed:
        return
    count = len(case.counted)
    facts = [Fact("feedback", shown(case.feedback, 80))]
    parts = {"names": check.name, "count": "1", "of": str(count) if count > 1 else "", "last": check.name}
    yield case.cause(CauseKind.DATA_MISSING, check, 0.95, facts, **parts)


def unmeasured_wish(case: Case) -> Iterator[Cause]:
    """The user said no; of what is measured nothing says why."""
    verdict, feedback = case.rejected, case.feedback
    if verdict is None:
        return
    yield from _unknown_named(case)
    topics_named = topics_in(feedback)
    measured = {group_of(check.name) or check.field for check in case.failed}
    other = next((topic for topic in topics_named if (group_of(topic.field) or topic.field) not in measured), None)
    topic = other or (topics_named[0] if topics_named and not case.failed else None)
    loose = _measured_of(case, topic)
    thing = _thing_in(feedback, case)
    if topic is not None:
        score = (0.94 if loose is None else 0.9) if not case.failed else 0.6
        if other is not None and case.failed and not any(voiced_of(case, check) for check in case.failed):
            score = _NAMED  # what the user says is the reason
    elif thing or _learned(feedback):
        score = 0.9 if not case.failed else 0.5
    else:
        score = 0.58 if not case.failed else 0.1
    yield case.cause(
        CauseKind.UNMEASURED_WISH,
        verdict,
        score,
        [Fact(verdict.at, shown(feedback, 80) or "rejected")],
        feedback=shown(feedback, 80),
        topic=topic.names[case.language] if topic else "",
        topic_key=topic.key if topic else "",
        thing=thing if not topic else "",
        loose=loose.result.criterion if loose else "",
        loose_found=number_shown(loose.found) if loose and loose.found is not None else "",
        measured=str(len([check for check in case.met if not check.is_verdict])) if not case.failed else "",
    )


def _measured_of(case: Case, topic: Topic | None) -> Check | None:
    """The criterion that was met and speaks of what the user minds: its limit is not the user's."""
    if topic is None:
        return None
    group, limits = group_of(topic.field), [check for check in case.met if check.side]
    same = [check for check in limits if field_key(check.name) == field_key(topic.field)]
    return next(iter(same + [check for check in limits if group and group_of(check.name) == group]), None)


def _learned(feedback: str) -> list[str]:
    """What planning would learn from the words."""
    if not feedback:
        return []
    learnings = learnings_of([Memory(id="feedback", content=feedback[:_READ], outcome=EpisodeOutcome.FAILURE)])
    return [*learnings.constraints, *learnings.preferences]


def _thing_in(feedback: str, case: Case) -> str:
    """What the user missed by its name: "there was no parking"."""
    match = re.search(rf"{cues('lacking').pattern} {_AFTER}{_THING}", normalised(feedback[:_READ]))
    if match is None:
        return ""
    known = set(stems(" ".join(check.name for check in case.checks)))
    nothing = data_read("words.json")["no thing"]
    words = [word for word in match[1].split() if word not in nothing]
    return " ".join(words) if words and not set(words) <= known else ""
