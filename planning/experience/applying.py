"""What experience changes in a plan. Source: RF-007, scenario 2."""

import re
from dataclasses import dataclass
from typing import Final

from planning.contracts import CriterionSource, Plan
from planning.criteria import CriterionKind, CriterionParse
from planning.experience.conditions import bound_of, parsed
from planning.experience.contracts import Learnings
from planning.experience.editing import Draft
from planning.experience.fields import field_key, field_meant
from planning.experience.placing import Placing
from planning.experience.words import stems
from planning.understanding.contracts import TaskReading

WISHES_AT_MOST: Final = 5
_ORDER: Final = re.compile(r"([^<>=\d]+?) > ([^<>=\d]+)")
_AVOID: Final = re.compile(r"avoid (.+)", re.IGNORECASE)
_ASKED: Final = frozenset((CriterionSource.GIVEN, CriterionSource.TASK))


def learnings_apply(plan: Plan, learnings: Learnings, reading: TaskReading) -> Plan:
    """The plan with what was learned: its steps, constraints, criteria and priority.

    A constraint that cannot hold together with what the task or the caller asks is left out. Where the plan chooses
    nothing, there is nothing to filter or sort, and the steps say what to make sure of. Applied again it changes
    nothing; with nothing learned the plan stays as it was.
    """
    if not learnings.preferences and not learnings.constraints:
        return plan
    draft = Draft(plan)
    placing = Placing(draft, reading)
    constraints = []
    for text in map(str.strip, learnings.constraints):
        if not text or _is_impossible(draft, text):
            continue
        constraints.append(text)
        if draft.constraint_add(text):
            placing.filter_by(text)
        if not _is_spoken_of(draft, text):
            draft.criterion_add(text, CriterionSource.EXPERIENCE)
    _preferences_apply(draft, placing, learnings.preferences)
    metadata = plan.metadata
    return draft.plan(
        influenced_by_experience=True,
        past_learnings=_joined(metadata.past_learnings, learnings.preferences),
        learned_constraints=_joined(metadata.learned_constraints, constraints),
        episodes=_joined(metadata.episodes, learnings.episodes),
    )


def _joined(old: list[str], new: list[str]) -> list[str]:
    return list(dict.fromkeys([*old, *new]))


def _is_impossible(draft: Draft, text: str) -> bool:
    bound = bound_of(parsed(text))
    if bound is None:
        return False
    asked = [criterion.parse for criterion in draft.criteria if criterion.source in _ASKED]
    against = [bound_of(parse) for parse in [*asked, *map(parsed, draft.constraints)]]
    return any(limit is not None and limit.excludes(bound) for limit in against)


def _is_spoken_of(draft: Draft, text: str) -> bool:
    """Whether a criterion speaks of the same thing already, where that is there or not: a preference not to have it
    may be worded in several ways.
    """
    things = _things(parsed(text))
    return any(not things.isdisjoint(_things(criterion.parse)) for criterion in draft.criteria)


def _things(parse: CriterionParse | None) -> set[str]:
    """The nouns of what has to be there or not: "slope" of "advanced slopes"."""
    if parse is None or parse.kind not in (CriterionKind.PRESENCE, CriterionKind.ABSENCE):
        return set()
    noun = 0 if parse.language == "es" else -1
    names = [stems(name.replace("_", " ")) for name in (parse.field, *parse.options)]
    return {name[noun] for name in names if name}


# Preferences


@dataclass(frozen=True)
class _Order:
    first: str
    second: str | None

    @property
    def sorts(self) -> bool:
        """Whether options can be sorted by it."""
        return self.second is None or any(field_meant(side) for side in (self.first, self.second))


def _preferences_apply(draft: Draft, placing: Placing, preferences: list[str]) -> None:
    orders: list[_Order] = []
    wishes: list[tuple[bool, str]] = []
    for text in filter(None, map(str.strip, preferences)):
        order = _order_of(text)
        if order:
            orders.append(order)
        elif match := _AVOID.fullmatch(text):
            wishes.append((False, match[1]))
        else:
            wishes.append((True, text))
    for wanted, wish in wishes[:WISHES_AT_MOST]:
        (placing.prefer if wanted else placing.avoid)(wish)
    top = _top([order for order in orders if order.sorts])
    for order in orders:
        if order != top and order.second:
            placing.prefer_over(order.first, order.second)
    if top is not None:
        draft.priority = top.first
        placing.sort_by(top.first, top.second)


def _order_of(text: str) -> _Order | None:
    match = _ORDER.fullmatch(text.strip())
    if match:
        return _Order(match[1].strip(), match[2].strip())
    return _Order(text.strip(), None) if field_meant(text) else None


def _top(orders: list[_Order]) -> _Order | None:
    """The strongest order, or what the others put above it."""
    if not orders:
        return None
    top, seen = orders[0], {field_key(orders[0].first)}
    while True:
        above = [order for order in orders if order.second and field_key(order.second) == field_key(top.first)]
        if not above or field_key(above[0].first) in seen:
            return top
        top = above[0]
        seen.add(field_key(top.first))
