"""What a check found, before it is put into words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from evaluation.contracts import Reason

from .finding import Candidate
from .values import json_value
from .walk import Node


class Quantifier(StrEnum):
    """Of how many things in a list a criterion must be true; ONE where it speaks of one thing."""

    ONE = "one"
    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`actual` is the value as the result has it; `paths` the places that were read, the one that decided first.

    `note` is the key of a sentence of its own, where the usual one would not do.
    """

    met: bool | None
    reason: Reason | None = None
    actual: Any = None
    paths: tuple[str, ...] = ()
    note: str = ""

    @property
    def path(self) -> str | None:
        """The place that decided."""
        return self.paths[0] if self.paths else None


MISSING = Outcome(None, Reason.DATA_MISSING)
Judge = Callable[[Node], Outcome]


def unknown(reason: Reason, node: Node, note: str = "", *, actual: Any = None) -> Outcome:
    """Unknown, with the reason; `actual` where that is not the value of the node."""
    return Outcome(None, reason, json_value(node) if actual is None else actual, (node.path,), note)


def decided(met: bool, node: Node, note: str = "", *, actual: Any = None) -> Outcome:
    """Met or not, by the value of the node; `actual` where that is not the value of the node."""
    return Outcome(met, None, json_value(node) if actual is None else actual, (node.path,), note)


def opposite(outcome: Outcome) -> Outcome:
    """The opposite outcome, for things that must not be there; unknown stays unknown."""
    return replace(outcome, met=None if outcome.met is None else not outcome.met)


def combined(readings: Sequence[Candidate], judge: Judge, quantifier: Quantifier) -> Outcome:
    """One outcome of several equally good readings. Values of one list are held together by the quantifier; others
    must agree, and where they do not, it is unknown.
    """
    outcomes = [judge(reading.node) for reading in readings]
    if not outcomes:
        return MISSING
    known = [outcome for outcome in outcomes if outcome.met is not None]
    if not known:
        return next((outcome for outcome in outcomes if outcome.reason is not Reason.DATA_MISSING), outcomes[0])
    of_a_list = len(readings) > 1 and len({reading.node.pattern for reading in readings}) == 1
    if of_a_list and quantifier is not Quantifier.ONE:
        return _of_list(outcomes, known, quantifier)
    outcome = agreed(known)
    return outcome if len(known) == 1 or outcome.met is None else _same(known)


def agreed(outcomes: Sequence[Outcome]) -> Outcome:
    """The first of some outcomes that say the same; of others, that it is unknown, with both places."""
    first = outcomes[0]
    other = next((outcome for outcome in outcomes if outcome.met is not first.met), None)
    return first if other is None else Outcome(None, Reason.AMBIGUOUS, None, (*first.paths, *other.paths))


def _of_list(outcomes: list[Outcome], known: list[Outcome], quantifier: Quantifier) -> Outcome:
    """Every one must be met (or one of them); a value that cannot be read might decide otherwise."""
    deciding = quantifier is Quantifier.ANY
    for outcome in known:
        if outcome.met is deciding:
            return outcome
    unread = next((outcome for outcome in outcomes if outcome.met is None), None)
    return unread or _same(known)


def _same(known: list[Outcome]) -> Outcome:
    """All agree: the first speaks for them, with every value where they differ."""
    first = known[0]
    values = [outcome.actual for outcome in known]
    differ = any(value != first.actual for value in values)
    paths = tuple(path for outcome in known for path in outcome.paths)
    return Outcome(first.met, None, values[:20] if differ else first.actual, paths, first.note)
