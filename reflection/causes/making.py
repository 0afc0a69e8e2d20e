"""Causes put together the same way everywhere."""

from collections.abc import Callable, Iterator

from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.reading import Check, Seen
from reflection.causes.wording import shown

Finder = Callable[[Seen], Iterator[Cause]]


def cause(
    kind: CauseKind, seen: Seen, check: Check | None, score: float, facts: list[Fact] | None = None, **parts: str
) -> Cause:
    """A cause of this failure, about the criterion, or about the first one that failed."""
    about = check or seen.main
    known = [check_fact(about)] if about else []
    return Cause(
        kind=kind,
        about=about.result.criterion if about else shown(seen.plan.task, 80),
        field=about.field if about else "",
        score=round(max(0.0, min(score, 0.99)), 3),
        facts=(*known, *(facts or [])),
        parts={name: text for name, text in parts.items() if text},
    )


def check_fact(check: Check) -> Fact:
    """What a criterion came to."""
    outcome = {True: "met", False: "not met", None: "unknown"}[check.result.met]
    found = shown(check.result.actual, 40)
    where = f" (result.{check.result.path})" if check.result.path else ""
    return Fact(check.at, f"{check.result.criterion}: {outcome}{f', {found}' if found else ''}{where}")
