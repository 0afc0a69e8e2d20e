"""Things that are to be in a state: "order has been delivered", "all tests pass", "the bug is fixed"."""

from typing import Final

from evaluation.contracts import Reason

from .finding import best, candidates
from .lexicon import Phrase
from .naming import Sought, has_phrase, name_read
from .outcome import Outcome, decided, unknown
from .shortfalls import Shortfall, is_negated_form, shortfall_of
from .statements import said_of
from .sums import number_of, total_of
from .things import Thing, kind_values, kinds, lists, same_words, thing_of
from .truth import truth
from .values import is_missing, shown
from .voices import actions
from .walk import Listing, Node, ResultReading
from .words import name_stems

_KIND: Final = "status"
_FLOOR: Final = 0.86
_IMPLIED: Final = (("sent", "delivered"), ("booked", "confirmed"), ("approved", "published"), ("paid", "delivered"))
"""Who is in the second state has been in the first."""


def state_read(reading: ResultReading, about: Sought, state: str) -> Outcome | None:
    """Whether the thing is in the state: a flag of that name, a flag of the opposite, or a status; None: not said."""
    thing = thing_of(state)
    short = _falls_short(reading, about, thing)
    return (
        short
        or _by_flag(reading, about, thing)
        or _by_opposite(reading, about, thing)
        or _by_status(reading, about, thing)
    )


def _by_flag(reading: ResultReading, about: Sought, thing: Thing) -> Outcome | None:
    for phrase in sorted(thing.wholes):
        wanted = Sought(name_read(" ".join(phrase)), about.subject, about.groups)
        for one in best(candidates(reading, wanted, lists().yes_words, _FLOOR)):
            if not _is_listed(one.node) and (met := truth(one.node.value, thing.spoken)) is not None:
                return decided(met, one.node, shown(one.node))
    return None


def _falls_short(reading: ResultReading, about: Sought, thing: Thing) -> Outcome | None:
    """Some that are not in the state: `failed: 3` beside `passed: 7`, 7 passed of a total of 10."""
    opposite = _by_opposite(reading, about, thing)
    if opposite is not None and opposite.met is False and not isinstance(opposite.actual, str):
        return opposite
    for phrase in sorted(thing.wholes):
        wanted = Sought(name_read(" ".join(phrase)), about.subject, about.groups)
        for one in best(candidates(reading, wanted, lists().yes_words, _FLOOR)):
            total = total_of(reading, one.node)
            if total is not None and number_of(total) != number_of(one.node):
                return decided(False, one.node, shown(one.node))
    return None


def _is_listed(node: Node) -> bool:
    return node.is_item or isinstance(node.value, Listing)


def _by_opposite(reading: ResultReading, about: Sought, thing: Thing) -> Outcome | None:
    """`failed: 0` of tests that are to pass; `unpaid: true`."""
    for action in actions().values():
        if not thing.wholes & (action.keys | action.fields):
            continue
        for anti in sorted(action.anti_keys):
            for one in best(
                candidates(reading, Sought(name_read(" ".join(anti)), about.subject, about.groups), floor=_FLOOR)
            ):
                if _is_listed(one.node) or (met := truth(one.node.value)) is None:
                    continue
                return decided(not met, one.node, shown(one.node))
    return None


def _by_status(reading: ResultReading, about: Sought, thing: Thing) -> Outcome | None:
    named = kinds()[_KIND].names
    for node in reading.nodes:
        if isinstance(node.value, str) and node.names and _is_status(node, about, named):
            if is_missing(node.value, soft=False):
                return unknown(Reason.DATA_MISSING, node, shown(node))
            met = _status_says(node.value, thing)
            return (
                unknown(Reason.AMBIGUOUS, node, shown(node), "text") if met is None else decided(met, node, shown(node))
            )
    return None


def _is_status(node: Node, about: Sought, named: frozenset[Phrase]) -> bool:
    """A status, or the thing itself with a word for its state ({"email": "sent"})."""
    key = name_read(node.name)
    if has_phrase(key, named):
        return True
    return set(key.stems) <= set(about.name.stems) | set(about.subject) and bool(
        kind_values(name_stems(node.value if isinstance(node.value, str) else ""))
    )


def _status_says(text: str, thing: Thing) -> bool | None:
    stems = name_stems(text)
    if stems in thing.wholes or kind_values(stems) & thing.kinds:
        return True
    if any(stems in same_words((later,)) and thing.wholes & same_words((sooner,)) for sooner, later in _implied()):
        return True
    if is_negated_form(text, frozenset(one for whole in thing.wholes if len(whole) == 1 for one in whole)):
        return False
    said = said_of(text, thing)
    if said is not False and not shortfall_of(thing.spoken) and (short := shortfall_of(text)):
        return None if short is Shortfall.DOUBTFUL else False
    return said if said is not None else False if len(stems) <= 4 else None


def _implied() -> list[tuple[str, str]]:
    return [(name_stems(sooner)[0], name_stems(later)[0]) for sooner, later in _IMPLIED]
