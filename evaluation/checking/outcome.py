"""What a check found, before it is put into words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from evaluation.contracts import Reason

from .finding import Candidate
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


def unknown(reason: Reason, node: Node, actual: Any = None, note: str = "") -> Outcome:
    """Nobody knows, and this is why."""
    return Outcome(None, reason, actual, (node.path,), note)


def decided(met: bool, node: Node, actual: Any, note: str = "") -> Outcome:
    """A value was read, and it decides."""
    return Outcome(met, None, actual, (node.path,), note)


def turned(outcome: Outcome) -> Outcome:
    """The same seen from the other side: what is found is what must not be there."""
    return replace(outcome, met=None if outcome.met is None else not outcome.met)


def together(readings: Sequence[Candidate], judge: Judge, quantifier: Quantifier) -> Outcome:
    """One outcome of several equally good readings. Values of one list are held together by the quantifier; others
    must agree, and where they do not, nobody knows.
    """
    outcomes = [judge(one.node) for one in readings]
    if not outcomes:
        return MISSING
    known = [one for one in outcomes if one.met is not None]
    if not known:
        return next((one for one in outcomes if one.reason is not Reason.DATA_MISSING), outcomes[0])
    of_a_list = len(readings) > 1 and len({one.node.pattern for one in readings}) == 1
    if of_a_list and quantifier is not Quantifier.ONE:
        return _of_list(outcomes, known, quantifier)
    met = known[0].met
    if any(one.met is not met for one in known):
        other = next(one for one in known if one.met is not met)
        return Outcome(None, Reason.AMBIGUOUS, None, (*known[0].paths, *other.paths))
    return known[0] if len(known) == 1 else _same(known)


def _of_list(outcomes: list[Outcome], known: list[Outcome], quantifier: Quantifier) -> Outcome:
    """Every one must be met (or one of them); a value that cannot be read might decide otherwise."""
    deciding = quantifier is Quantifier.ANY
    for one in known:
        if one.met is deciding:
            return one
    unread = next((one for one in outcomes if one.met is None), None)
    return unread or _same(known)


def _same(known: list[Outcome]) -> Outcome:
    """All agree: the first speaks for them, with every value where they differ."""
    first = known[0]
    values = [one.actual for one in known]
    differ = any(value != first.actual for value in values)
    paths = tuple(path for one in known for path in one.paths)
    return Outcome(first.met, None, values[:20] if differ else first.actual, paths, first.note)
