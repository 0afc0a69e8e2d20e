"""From what memories say to what they teach together: said once, and without what contradicts something stronger."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from memory.contracts import Memory
from planning.grammar import CriterionKind
from planning.learning.conditions import bound_of, covers
from planning.learning.contracts import Learnings
from planning.learning.reading import sayings_of
from planning.learning.sayings import Saying

MEMORIES_AT_MOST: Final = 100
EACH_AT_MOST: Final = 10
_NEVER: Final = float("-inf")


@dataclass
class _Said:
    """A saying with the memories that say so, the strongest first."""

    saying: Saying
    by: list[Memory] = field(default_factory=list)
    kept: bool = True


def learnings_of(memories: Sequence[Memory]) -> Learnings:
    """What the memories teach, the strongest first.

    What somebody says outweighs what merely follows from a refusal; then the more recent memory wins, then the higher
    score. What contradicts something stronger is dropped. The condition of a refusal, turned round, is a constraint;
    that of a success is among the preferences, where nothing stricter is said. Read are at most 100 memories, and kept
    10 preferences and 10 constraints.
    """
    said = _gathered(memories[:MEMORIES_AT_MOST])
    strongest = sorted(said, key=_strength, reverse=True)
    dropped: list[_Said] = []
    kept: list[_Said] = []
    for one in strongest:
        against = any(contradict(one.saying, other.saying) for other in kept) or _closes_a_circle(one, kept)
        (dropped if against else kept).append(one)
    constraints = _strictest([one for one in kept if one.saying.kind == "hard"])[:EACH_AT_MOST]
    preferences = _preferences(kept, constraints)[:EACH_AT_MOST]
    taught = {memory.id for one in kept if one.saying.spoken for memory in one.by}
    return Learnings(
        preferences=_texts(preferences),
        constraints=_texts(constraints),
        episodes=list(dict.fromkeys(memory.id for memory in memories if memory.id in taught)),
        dropped=_texts(one for one in dropped if one.saying.spoken),
    )


def _gathered(memories: Sequence[Memory]) -> list[_Said]:
    found: dict[tuple[str, ...], _Said] = {}
    for memory in sorted(memories, key=_weight, reverse=True):
        for saying in sayings_of(memory):
            identity = (saying.kind, *saying.key, saying.text if saying.parse else "")
            one = found.setdefault(identity, _Said(saying))
            if one.saying.implied and not saying.implied:
                one.saying, one.by = saying, [memory, *one.by]
            else:
                one.by.append(memory)
    return list(found.values())


def _weight(memory: Memory) -> tuple[float, float, str]:
    """How recent, then how near; the text decides between equals, so that their order does not."""
    return _moment(memory.timestamp), memory.score, memory.content


def _moment(time: datetime | None) -> float:
    if time is None:
        return _NEVER
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _strength(one: _Said) -> tuple[bool, float, float, bool, str]:
    moment, score, _ = _weight(one.by[0])
    return not one.saying.implied, moment, score, one.saying.kind != "weak", one.saying.text


def contradict(one: Saying, other: Saying) -> bool:
    """Whether both cannot hold."""
    if one.fits and other.fits:
        return _order_contradicts(one, other) or _order_contradicts(other, one)
    if one.parse and other.parse:
        mine, theirs = bound_of(one.parse), bound_of(other.parse)
        if mine and theirs:
            return mine.excludes(theirs)
    return one.key == other.key and one.key[0] == "thing" and _is_wanted(one) != _is_wanted(other)


def _order_contradicts(one: Saying, other: Saying) -> bool:
    if one.kind == "over" and other.kind == "over":
        return one.key == other.key[::-1]
    if one.kind == "first" and other.kind == "over":
        return one.key[0] == other.key[1]
    return one.kind == "first" and other.kind == "first" and one.key != other.key


def _is_wanted(saying: Saying) -> bool:
    absent = saying.kind == "hard" and (saying.parse is None or saying.parse.kind == CriterionKind.ABSENCE)
    return saying.kind != "avoid" and not absent


def _closes_a_circle(one: _Said, kept: Sequence[_Said]) -> bool:
    """Whether what it puts second already counts for more, by what others say together."""
    if one.saying.kind != "over":
        return False
    below: dict[str, list[str]] = {}
    for other in kept:
        if other.saying.kind == "over":
            below.setdefault(other.saying.key[0], []).append(other.saying.key[1])
    seen, left = set[str](), [one.saying.key[1]]
    while left:
        here = left.pop()
        if here == one.saying.key[0]:
            return True
        if here not in seen:
            seen.add(here)
            left += below.get(here, [])
    return False


def _strictest(said: Sequence[_Said]) -> list[_Said]:
    """Without those that another one covers."""
    out: list[_Said] = []
    for one in said:
        if any(_covered(one, other) for other in out):
            continue
        out = [other for other in out if not _covered(other, one)] + [one]
    return out


def _covered(one: _Said, other: _Said) -> bool:
    mine, theirs = one.saying.parse, other.saying.parse
    return mine is not None and theirs is not None and covers(theirs, mine)


def _preferences(kept: Sequence[_Said], constraints: Sequence[_Said]) -> list[_Said]:
    """Orders first, then wishes; without what an order or a constraint says already."""
    orders = [one for one in kept if one.saying.kind == "over"]
    first = {one.saying.key[0] for one in orders}
    fields = [one for one in kept if one.saying.kind == "first" and one.saying.key[0] not in first]
    first |= {one.saying.key[0] for one in fields}
    weak = _strictest([one for one in kept if one.saying.kind == "weak" and one.saying.spoken])
    ruled = {one.saying.key for one in constraints}
    rest = [
        one
        for one in kept
        if (one.saying.kind in ("like", "avoid") and one.saying.key not in ruled)
        or (one in weak and not _is_said(one, first, constraints))
    ]
    return [*orders, *fields, *rest]


def _is_said(one: _Said, first: set[str], constraints: Sequence[_Said]) -> bool:
    bound = bound_of(one.saying.parse)
    return (bound is not None and bound.field in first) or any(_covered(one, other) for other in constraints)


def _texts(said: Iterable[_Said]) -> list[str]:
    return list(dict.fromkeys(_text(one.saying) for one in said))


def _text(saying: Saying) -> str:
    return f"avoid {saying.text}" if saying.kind == "avoid" else saying.text
