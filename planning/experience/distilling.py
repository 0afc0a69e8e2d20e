"""From what memories say to what they teach together: said once, and without what contradicts something stronger."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC
from typing import Final

from memory.contracts import Memory
from planning.criteria import CriterionKind
from planning.experience.conditions import bound_of, covers
from planning.experience.contracts import Learnings
from planning.experience.reading import sayings_of
from planning.experience.sayings import Saying

MEMORIES_AT_MOST: Final = 100
EACH_AT_MOST: Final = 10


@dataclass
class _Finding:
    """A saying with the memories that say so, the strongest first."""

    saying: Saying
    by: list[Memory] = field(default_factory=list)


def learnings_of(memories: Sequence[Memory]) -> Learnings:
    """What the memories teach, the strongest first.

    What somebody says outweighs what merely follows from a refusal; then the more recent memory wins, then the higher
    score. What contradicts something stronger is dropped. The condition of a refusal, turned round, is a constraint;
    that of a success is among the preferences, where nothing stricter is said. Read are at most 100 memories, and kept
    10 preferences and 10 constraints.
    """
    findings = _gathered(memories[:MEMORIES_AT_MOST])
    strongest = sorted(findings, key=_strength, reverse=True)
    dropped: list[_Finding] = []
    kept: list[_Finding] = []
    for finding in strongest:
        against = any(contradict(finding.saying, other.saying) for other in kept) or _closes_a_circle(finding, kept)
        (dropped if against else kept).append(finding)
    constraints = _strictest([finding for finding in kept if finding.saying.kind == "hard"])[:EACH_AT_MOST]
    preferences = _preferences(kept, constraints)[:EACH_AT_MOST]
    taught = {memory.id for finding in kept if finding.saying.spoken for memory in finding.by}
    return Learnings(
        preferences=_texts(preferences),
        constraints=_texts(constraints),
        episodes=list(dict.fromkeys(memory.id for memory in memories if memory.id in taught)),
        dropped=_texts(finding for finding in dropped if finding.saying.spoken),
    )


def _gathered(memories: Sequence[Memory]) -> list[_Finding]:
    findings: dict[tuple[str, ...], _Finding] = {}
    for memory in sorted(memories, key=_weight, reverse=True):
        for saying in sayings_of(memory):
            identity = (saying.kind, *saying.key, saying.text if saying.parse else "")
            finding = findings.setdefault(identity, _Finding(saying))
            if finding.saying.implied and not saying.implied:
                finding.saying, finding.by = saying, [memory, *finding.by]
            else:
                finding.by.append(memory)
    return list(findings.values())


def _weight(memory: Memory) -> tuple[float, float, str]:
    """How recent, then how near; the text decides between equals, so that their order does not."""
    return moment_of(memory), memory.score, memory.content


def moment_of(memory: Memory) -> float:
    """Seconds since 1970; less than any other where the memory has no time."""
    time = memory.timestamp
    if time is None:
        return float("-inf")
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _strength(finding: _Finding) -> tuple[bool, float, float, bool, str]:
    moment, score, _ = _weight(finding.by[0])
    return not finding.saying.implied, moment, score, finding.saying.kind != "weak", finding.saying.text


def contradict(saying: Saying, other: Saying) -> bool:
    if saying.fits and other.fits:
        return _order_contradicts(saying, other) or _order_contradicts(other, saying)
    if saying.parse and other.parse:
        mine, theirs = bound_of(saying.parse), bound_of(other.parse)
        if mine and theirs:
            return mine.excludes(theirs)
    return saying.key == other.key and saying.key[0] == "thing" and _is_wanted(saying) != _is_wanted(other)


def _order_contradicts(saying: Saying, other: Saying) -> bool:
    if saying.kind == "over" and other.kind == "over":
        return saying.key == other.key[::-1]
    if saying.kind == "first" and other.kind == "over":
        return saying.key[0] == other.key[1]
    return saying.kind == "first" and other.kind == "first" and saying.key != other.key


def _is_wanted(saying: Saying) -> bool:
    absent = saying.kind == "hard" and (saying.parse is None or saying.parse.kind == CriterionKind.ABSENCE)
    return saying.kind != "avoid" and not absent


def _closes_a_circle(finding: _Finding, kept: Sequence[_Finding]) -> bool:
    """Whether what it puts second already counts for more, by what others say together."""
    if finding.saying.kind != "over":
        return False
    below: dict[str, list[str]] = {}
    for other in kept:
        if other.saying.kind == "over":
            below.setdefault(other.saying.key[0], []).append(other.saying.key[1])
    visited, left = set[str](), [finding.saying.key[1]]
    while left:
        field = left.pop()
        if field == finding.saying.key[0]:
            return True
        if field not in visited:
            visited.add(field)
            left += below.get(field, [])
    return False


def _strictest(findings: Sequence[_Finding]) -> list[_Finding]:
    """Without those that another one covers."""
    out: list[_Finding] = []
    for finding in findings:
        if any(_covered(finding, other) for other in out):
            continue
        out = [other for other in out if not _covered(other, finding)] + [finding]
    return out


def _covered(finding: _Finding, other: _Finding) -> bool:
    mine, theirs = finding.saying.parse, other.saying.parse
    return mine is not None and theirs is not None and covers(theirs, mine)


def _preferences(kept: Sequence[_Finding], constraints: Sequence[_Finding]) -> list[_Finding]:
    """Orders first, then wishes; without what an order or a constraint says already."""
    orders = [finding for finding in kept if finding.saying.kind == "over"]
    first = {order.saying.key[0] for order in orders}
    fields = [finding for finding in kept if finding.saying.kind == "first" and finding.saying.key[0] not in first]
    first |= {finding.saying.key[0] for finding in fields}
    weak = _strictest([finding for finding in kept if finding.saying.kind == "weak" and finding.saying.spoken])
    ruled = {constraint.saying.key for constraint in constraints}
    wishes = [
        finding
        for finding in kept
        if (finding.saying.kind in ("like", "avoid") and finding.saying.key not in ruled)
        or (finding in weak and not _is_said(finding, first, constraints))
    ]
    return [*orders, *fields, *wishes]


def _is_said(finding: _Finding, first: set[str], constraints: Sequence[_Finding]) -> bool:
    bound = bound_of(finding.saying.parse)
    return (bound is not None and bound.field in first) or any(_covered(finding, other) for other in constraints)


def _texts(findings: Iterable[_Finding]) -> list[str]:
    sayings = (finding.saying for finding in findings)
    return list(dict.fromkeys(f"avoid {saying.text}" if saying.kind == "avoid" else saying.text for saying in sayings))
