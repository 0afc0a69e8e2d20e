"""Whether a result has a thing, or has none of it.

What decides, in this order: a value of that name; the state that the thing is to be in; a list or text that names it,
denials read; a value of a kind that excludes it ("level": "advanced" is not for beginners); a list of that kind of
thing that does not name it, which says no. A result that says nothing of it leaves it open: None, with its reason.
"""

import re
from collections.abc import Iterable
from typing import Final

from evaluation.checking.booleans import truth
from evaluation.checking.concepts import Concept, concept_of, values_in
from evaluation.checking.evaluators.base import GrammarEvaluator, quantifier_of
from evaluation.checking.evaluators.verdict import verdict_read
from evaluation.checking.evidence import FLOOR, by_catalogue, by_kind, by_name, by_none, by_price, by_text, of_kind
from evaluation.checking.finding import best, candidates
from evaluation.checking.lexicon import words
from evaluation.checking.naming import Target, name_read, target_of
from evaluation.checking.outcome import MISSING, Outcome, Quantifier, agreed, decided, opposite
from evaluation.checking.result_parts import ResultPart, result_parts_of
from evaluation.checking.speakers import action_of, person_of
from evaluation.checking.status import state_read
from evaluation.checking.walk import ResultReading
from evaluation.checking.words import plain_text, text_words
from evaluation.contracts import Reason
from planning.criteria import CriterionKind, CriterionParse

_GRATIS: Final = re.compile(
    r"\b(?:free(?!-| from| of (?!charge))|included|includes|complimentary|inclu(?:id[oa]s?|ye)|gratis|gratuit[oa]s?|"
    r"sin coste|sin cargo|at no (?:extra )?c(?:ost|harge))\b"
)
_HARDER: Final = {"level": {2: 3}}
"""What goes with a value without making it less of it: slopes for experts are no relief from advanced ones."""


class Presence(GrammarEvaluator):
    """A thing that is to be there: "hotel has pool", "breakfast included", "order has been delivered"."""

    name, version = "presence", 1
    kinds = frozenset({CriterionKind.PRESENCE})

    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        return present(reading, parse, quantifier_of(text, parse), gratis=bool(_GRATIS.search(plain_text(text))))


class Absence(GrammarEvaluator):
    """A thing of which there is to be none: "no advanced-only resorts"."""

    name, version = "absence", 1
    kinds = frozenset({CriterionKind.ABSENCE})

    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        return opposite(present(reading, parse, Quantifier.ANY))


def present(reading: ResultReading, parse: CriterionParse, quantifier: Quantifier, *, gratis: bool = False) -> Outcome:
    """Whether one of the things that the criterion names is there; `gratis`: at no charge."""
    named = parse.options or [parse.field]
    outcomes = [_over_parts(reading, parse, thing, quantifier, gratis) for thing in named]
    outcome = _first(outcomes, True) or _first(outcomes, None) or outcomes[0]  # one is enough
    if outcome.met is None and outcome.reason is Reason.DATA_MISSING and parse.state:
        return _decided_by_somebody(reading, parse) or outcome
    return outcome


def _decided_by_somebody(reading: ResultReading, parse: CriterionParse) -> Outcome | None:
    """A state may be a decision: {"loan": {"decision": "denied"}}. Not one of the user."""
    if action_of(parse.state or "") is None:
        return None
    outcome = verdict_read(reading, parse.model_copy(update={"field": parse.state, "subject": None}))
    if outcome.met is None or not outcome.path:
        return None
    names = [name_read(name) for name in outcome.path.replace("[", ".").split(".")]
    return None if any(person_of(name) is not None for name in names) else outcome


def _over_parts(
    reading: ResultReading, parse: CriterionParse, text: str, quantifier: Quantifier, gratis: bool
) -> Outcome:
    thing = concept_of(text, parse.subject or "")
    about = target_of(text, parse.subject)
    state = parse.state if parse.state and not parse.options else None
    outcomes = [
        (part, _in_part(reading, part, thing, about, state, gratis)) for part in result_parts_of(reading, about)
    ]
    items = [outcome for part, outcome in outcomes if part.path]
    shared = next((outcome for part, outcome in outcomes if not part.path), MISSING)
    known = [outcome for outcome in items if outcome.met is not None]
    if not known:
        return shared if shared.met is not None or not items else (items[0] if len(items) == 1 else shared)
    if parse.kind is CriterionKind.ABSENCE or quantifier is not Quantifier.ONE:
        deciding = parse.kind is CriterionKind.ABSENCE or quantifier is Quantifier.ANY
        return _first(known, deciding) or _first(items, None) or known[0]
    return agreed(known)


def _first(outcomes: Iterable[Outcome], met: bool | None) -> Outcome | None:
    return next((outcome for outcome in outcomes if outcome.met is met), None)


def _in_part(
    reading: ResultReading, part: ResultPart, thing: Concept, about: Target, state: str | None, gratis: bool
) -> Outcome:
    if thing.only:
        return _only_by_flag(part, thing) or _only_by_values(part, thing) or MISSING
    within = ResultReading(part.nodes, reading.cut, memo=reading.memo)
    named = by_name(within, about, gratis=gratis)
    stated = state_read(within, about, state) if state else None
    if stated is not None and named is not None and named.met and not stated.met:
        return stated  # "9/10 passed" of tests that pass: the thing is there, and not in the state
    if named is not None and (named.met is not None or (gratis and not isinstance(named.actual, str))):
        return named
    return (
        stated
        or by_price(within, thing, about)
        or by_none(within, thing, about)
        or by_text(part, thing, is_state=bool(state))
        or by_kind(part, thing)
        or by_catalogue(part, thing)
        or named
        or MISSING
    )


def _only_by_flag(part: ResultPart, thing: Concept) -> Outcome | None:
    """{"advanced_only": true}."""
    for name in ((*thing.stems, "only"), (*thing.stems[:1], "only")):
        flags = best(candidates(ResultReading(part.nodes, False), target_of(" ".join(name), None), floor=FLOOR))
        if flags and (met := truth(flags[0].node.value)) is not None:
            return decided(met, flags[0].node)
    return None


def _only_by_values(part: ResultPart, thing: Concept) -> Outcome | None:
    """{"slopes": ["advanced"]}: values of its kind, and no other; else a text that names it and says "only"."""
    for kind, wanted in sorted(thing.kinds):
        if named := of_kind(part, kind):
            every = frozenset[int]().union(*(values for _, values in named))
            fine = {wanted, _HARDER.get(kind, {}).get(wanted, wanted)}
            return decided(wanted in every and every <= fine, named[0][0])
        for node in part.nodes:
            if isinstance(node.value, str) and (values := values_in(node.value, kind)):
                says_only = bool(words().only.intersection(text_words(node.value)))
                return decided(values == {wanted} and says_only, node)
    return None
