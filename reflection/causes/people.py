"""Causes in what the user says, read beside what was measured."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from memory.contracts import EpisodeOutcome, Memory
from planning.learning import field_key, folded, learnings_of, stems
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.groups import group_of
from reflection.causes.making import cause
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import cue_in, cues, data_lines, data_read, number_shown, shown

_READ: Final = 400
_NAMED: Final = 0.87
"""A reason that the user names, beside criteria that failed: more than what two numbers let one guess."""
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
    return [_topic(row) for row in data_lines("topics.jsonl")]


def _topic(row: dict[str, Any]) -> Topic:
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(row["cues"]) + r")(?!\w)")
    names = {language: row[language] for language in ("en", "es")}
    return Topic(row["key"], pattern, names, row["field"], row.get("condition", {}), row["priority"])


def topics_in(text: str) -> list[Topic]:
    """What a text complains of, what it says first first."""
    plain = folded(text[:_READ])
    hits = [(match.start(), topic) for topic in topics() if (match := topic.pattern.search(plain))]
    return [topic for _, topic in sorted(hits, key=lambda hit: hit[0])]


def topic_named(key: str) -> Topic | None:
    """The topic by its key."""
    return next((topic for topic in topics() if topic.key == key), None)


def changed_mind(seen: Seen) -> Iterator[Cause]:
    if not seen.feedback or seen.confirmed:
        return
    said = cue_in("changed mind", seen.feedback)
    if said:
        yield cause(
            CauseKind.CHANGED_MIND,
            seen,
            seen.rejected,
            0.95 if not seen.failed else 0.8,
            [Fact("feedback", shown(seen.feedback, 80))],
            feedback=shown(seen.feedback, 80),
        )


def voiced_of(seen: Seen, check: Check) -> str:
    """The words with which the user names what a criterion is about; empty where they do not."""
    if not seen.feedback or seen.confirmed:
        return ""
    plain = folded(seen.feedback[:_READ])
    words, group = set(stems(check.name)), group_of(check.name)
    told = bool(words) and words <= set(stems(plain))
    told = told or any(
        field_key(one.field) == check.field or (group and group_of(one.field) == group)
        for one in topics_in(seen.feedback)
    )
    counted = check.wanted is not None and cues("people").search(folded(check.name)) and cues("we are").search(plain)
    if counted and not told:
        known: dict[str, int] = data_read("words.json")["numbers"]
        told = any(_count(word, known) == check.wanted for word in re.findall(r"[^\W_]+", plain))
    return shown(seen.feedback, 80) if told else ""


def _count(word: str, known: dict[str, int]) -> int | None:
    return int(word) if word.isdecimal() and len(word) < 6 else known.get(word)


def _unknown_named(seen: Seen) -> Iterator[Cause]:
    """The user names what a criterion is about, of which the result says nothing."""
    check = next((one for one in seen.unknown if not one.is_verdict and voiced_of(seen, one)), None)
    if check is None or seen.failed:
        return
    counted = [one for one in seen.checks if not one.is_verdict]
    yield cause(
        CauseKind.DATA_MISSING,
        seen,
        check,
        0.95,
        [Fact("feedback", shown(seen.feedback, 80))],
        names=check.name,
        count="1",
        of=str(len(counted)) if len(counted) > 1 else "",
        last=check.name,
    )


def unmeasured_wish(seen: Seen) -> Iterator[Cause]:
    """The user said no; of what is measured nothing says why."""
    verdict = seen.rejected
    if verdict is None:
        return
    yield from _unknown_named(seen)
    feedback = seen.feedback
    found = topics_in(feedback)
    measured = {group_of(one.name) or one.field for one in seen.failed}
    other = next((one for one in found if (group_of(one.field) or one.field) not in measured), None)
    topic = other or (found[0] if found and not seen.failed else None)
    loose = _measured_of(seen, topic)
    facts = [Fact(verdict.at, shown(feedback, 80) or "rejected")]
    thing = _thing_in(feedback, seen)
    if topic is not None:
        score = (0.94 if loose is None else 0.9) if not seen.failed else 0.6
        if other is not None and seen.failed and not any(voiced_of(seen, one) for one in seen.failed):
            score = _NAMED  # what the user says is the reason
    elif thing or _learned(feedback):
        score = 0.9 if not seen.failed else 0.5
    else:
        score = 0.58 if not seen.failed else 0.1
    yield cause(
        CauseKind.UNMEASURED_WISH,
        seen,
        verdict,
        score,
        facts,
        feedback=shown(feedback, 80),
        topic=topic.names[seen.language] if topic else "",
        topic_key=topic.key if topic else "",
        thing=thing if not topic else "",
        loose=loose.result.criterion if loose else "",
        loose_found=number_shown(loose.found) if loose and loose.found is not None else "",
        measured=str(len([one for one in seen.met if not one.is_verdict])) if not seen.failed else "",
    )


def _measured_of(seen: Seen, topic: Topic | None) -> Check | None:
    """The criterion that was met and speaks of what the user minds: its limit is not the user's."""
    if topic is None:
        return None
    group = group_of(topic.field)
    same = [one for one in seen.met if one.side and field_key(one.name) == field_key(topic.field)]
    return next(iter(same), None) or next(
        (one for one in seen.met if one.side and group and group_of(one.name) == group), None
    )


def _learned(feedback: str) -> list[str]:
    """What planning would learn from the words."""
    if not feedback:
        return []
    found = learnings_of([Memory(id="feedback", content=feedback[:_READ], outcome=EpisodeOutcome.FAILURE)])
    return [*found.constraints, *found.preferences]


def _thing_in(feedback: str, seen: Seen) -> str:
    """What the user missed by its name: "there was no parking"."""
    match = re.search(rf"{cues('lacking').pattern} {_AFTER}{_THING}", folded(feedback[:_READ]))
    if match is None:
        return ""
    known = set(stems(" ".join(one.name for one in seen.checks)))
    nothing = data_read("words.json")["no thing"]
    words = [word for word in match[1].split() if word not in nothing]
    return " ".join(words) if words and not set(words) <= known else ""
