"""Things that are to be in a state: "order has been delivered", "all tests pass", "the bug is fixed"."""

from typing import Final

from evaluation.checking.assertions import is_asserted
from evaluation.checking.booleans import Shortfall, is_negated_form, shortfall_of, truth
from evaluation.checking.concepts import Concept, concept_of, kind_values, kinds, lists, same_words
from evaluation.checking.finding import nodes_named
from evaluation.checking.lexicon import Phrase
from evaluation.checking.naming import Target, has_phrase, name_read
from evaluation.checking.outcome import Outcome, decided, unknown
from evaluation.checking.speakers import actions
from evaluation.checking.sums import number_of, total_of
from evaluation.checking.values import is_missing
from evaluation.checking.walk import Listing, Node, ResultReading
from evaluation.checking.words import name_stems
from evaluation.contracts import Reason

_KIND: Final = "status"
_FLOOR: Final = 0.86
_IMPLIED: Final = tuple(
    (name_stems(sooner)[0], name_stems(later)[0])
    for sooner, later in (
        ("sent", "delivered"),
        ("booked", "confirmed"),
        ("approved", "published"),
        ("paid", "delivered"),
    )
)
"""What is in the second state has been in the first."""


def state_read(reading: ResultReading, about: Target, state: str) -> Outcome | None:
    """Whether the thing is in the state: a flag of that name, a flag of the opposite, or a status; None: not said."""
    thing = concept_of(state)
    return (
        _falls_short(reading, about, thing)
        or _by_flag(reading, about, thing)
        or _by_opposite(reading, about, thing)
        or _by_status(reading, about, thing)
    )


def _by_flag(reading: ResultReading, about: Target, thing: Concept) -> Outcome | None:
    for phrase in sorted(thing.wholes):
        for node in nodes_named(reading, " ".join(phrase), about, lists().yes_words, _FLOOR):
            if not _is_listed(node) and (met := truth(node.value, thing.spoken)) is not None:
                return decided(met, node)
    return None


def _falls_short(reading: ResultReading, about: Target, thing: Concept) -> Outcome | None:
    """Some that are not in the state: `failed: 3` with `passed: 7`, 7 passed of a total of 10."""
    opposite = _by_opposite(reading, about, thing)
    if opposite is not None and opposite.met is False and not isinstance(opposite.actual, str):
        return opposite
    for phrase in sorted(thing.wholes):
        for node in nodes_named(reading, " ".join(phrase), about, lists().yes_words, _FLOOR):
            total = total_of(reading, node)
            if total is not None and number_of(total) != number_of(node):
                return decided(False, node)
    return None


def _is_listed(node: Node) -> bool:
    return node.is_item or isinstance(node.value, Listing)


def _by_opposite(reading: ResultReading, about: Target, thing: Concept) -> Outcome | None:
    """`failed: 0` of tests that are to pass; `unpaid: true`."""
    for action in actions().values():
        if not thing.wholes & (action.keys | action.fields):
            continue
        for anti in sorted(action.anti_keys):
            for node in nodes_named(reading, " ".join(anti), about, floor=_FLOOR):
                if not _is_listed(node) and (met := truth(node.value)) is not None:
                    return decided(not met, node)
    return None


def _by_status(reading: ResultReading, about: Target, thing: Concept) -> Outcome | None:
    named = kinds()[_KIND].names
    for node in reading.nodes:
        if isinstance(node.value, str) and node.names and _is_status(node, about, named):
            if is_missing(node.value, soft=False):
                return unknown(Reason.DATA_MISSING, node)
            met = _status_says(node.value, thing)
            return unknown(Reason.AMBIGUOUS, node, "text") if met is None else decided(met, node)
    return None


def _is_status(node: Node, about: Target, named: frozenset[Phrase]) -> bool:
    """A status, or the thing itself with a word for its state ({"email": "sent"})."""
    key = name_read(node.name)
    if has_phrase(key, named):
        return True
    return set(key.stems) <= set(about.name.stems) | set(about.subject) and bool(
        kind_values(name_stems(node.value if isinstance(node.value, str) else ""))
    )


def _status_says(text: str, thing: Concept) -> bool | None:
    stems = name_stems(text)
    if stems in thing.wholes or kind_values(stems) & thing.kinds:
        return True
    if any(stems in same_words((later,)) and thing.wholes & same_words((sooner,)) for sooner, later in _IMPLIED):
        return True
    if is_negated_form(text, frozenset(stem for phrase in thing.wholes if len(phrase) == 1 for stem in phrase)):
        return False
    answer = is_asserted(text, thing)
    if answer is not False and not shortfall_of(thing.spoken) and (short := shortfall_of(text)):
        return None if short is Shortfall.DOUBTFUL else False
    return answer if answer is not None else False if len(stems) <= 4 else None
