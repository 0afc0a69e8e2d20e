"""Causes of failures. Source: RF-008 ("reach the strategy flaw, not the symptom")."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class CauseKind(StrEnum):
    """Why plans fail: a closed list."""

    PRIORITY_AGAINST = "priority_against"  # options are sorted by what pulls against the criterion
    PASSED_OVER = "passed_over"  # an option that met it was there, and another was chosen
    NONE_FIT = "none_fit"  # nothing that was looked at met it
    NOT_HELD = "not_held"  # no constraint and no step speaks of it
    NOT_VERIFIED = "not_verified"  # a constraint or step does, and the result was not held to it
    TRADE_OFF = "trade_off"  # two criteria pull apart, and the plan never weighed them
    NEAR_MISS = "near_miss"  # aimed at the limit itself, without a margin
    ASSUMED = "assumed"  # the type of task brought the criterion; the user is content without
    UNMEASURED_WISH = "unmeasured_wish"  # no criterion is about what the user minds
    CHANGED_MIND = "changed_mind"  # the wish changed, and the plan asked only at the end
    OVERSHOT = "overshot"  # an earlier adjustment went too far
    NO_HELP = "no_help"  # an adjustment was in force, and the same criterion failed again
    MISTAUGHT = "mistaught"  # a lesson of experience does not hold here
    CACHE_MISFIT = "cache_misfit"  # a plan for a similar task, which this one is not
    WRONG_THING = "wrong_thing"  # another place, date, thing or number than the task's
    CUT_SHORT = "cut_short"  # execution ended before its last steps
    TOOL_FAILED = "tool_failed"  # something outside failed, and there was no other way
    DATA_MISSING = "data_missing"  # the values that the criteria look at were not collected
    UNIT_MIXED = "unit_mixed"  # another unit or currency
    PART_OVERRAN = "part_overran"  # one part of a sum used up the whole limit
    LESSON_GIVEN_UP = "lesson_given_up"
    LESSON_SKIPPED = "lesson_skipped"
    LESSON_SHOWN = "lesson_shown"
    LESSON_HINTS = "lesson_hints"
    LESSON_ATTEMPTS = "lesson_attempts"
    LESSON_TOO_HARD = "lesson_too_hard"


LESSON_KINDS = frozenset(kind for kind in CauseKind if kind.value.startswith("lesson_"))


@dataclass(frozen=True)
class Fact:
    """A stored fact: its place ("plan.config.priority", "result.hotel.quality"), and its value, short to show."""

    place: str
    value: str


@dataclass(frozen=True)
class Cause:
    """Why a plan failed. `about` is the criterion that failed, in normal form; `field` its key, as
    `planning.experience.field_key` has it. `score` is 0 to 1, and so are those of `others`, the next candidates, best
    first. `parts` fill the slots of sentences about it, by name, in the language of the plan; clean and short.
    """

    kind: CauseKind
    about: str
    field: str
    score: float
    facts: tuple[Fact, ...] = ()
    others: tuple[tuple[CauseKind, float], ...] = ()
    parts: Mapping[str, str] = dataclasses.field(default_factory=dict)
