"""Whether a result has a thing, or has none of it.

What decides, in this order: a value of that name; the state that the thing is to be in; a list or text that names it,
denials read; a value of a kind that excludes it ("level": "advanced" is not for beginners); a list of that kind of
thing that does not name it, which says no. A result that says nothing of it leaves it open: None, with its reason.
"""

from collections.abc import Iterable

from evaluation.contracts import Reason
from planning.grammar import CriterionKind, CriterionParse

from .evidence import by_catalogue, by_kind, by_name, by_none, by_price, by_text
from .exclusive import is_the_only
from .naming import Sought, name_read, sought
from .outcome import MISSING, Outcome, Quantifier
from .scopes import Scope, scopes_of
from .states import state_read
from .things import Thing, thing_of
from .verdicts import verdict_read
from .voices import action_of, person_of
from .walk import ResultReading


def present(reading: ResultReading, parse: CriterionParse, quantifier: Quantifier, *, gratis: bool = False) -> Outcome:
    """Whether one of the things that the criterion names is there; `gratis`: at no charge."""
    named = parse.options or [parse.field]
    outcome = _combined_any([_over_scopes(reading, parse, one, quantifier, gratis) for one in named])
    if outcome.met is None and outcome.reason is Reason.DATA_MISSING and parse.state:
        return _decided_by_somebody(reading, parse) or outcome
    return outcome


def _decided_by_somebody(reading: ResultReading, parse: CriterionParse) -> Outcome | None:
    """A state may stand as a decision: {"loan": {"decision": "denied"}}. Not as the word of whoever is served."""
    if action_of(parse.state or "") is None:
        return None
    outcome = verdict_read(reading, parse.model_copy(update={"field": parse.state, "subject": None}))
    if outcome.met is None or not outcome.path:
        return None
    names = [name_read(name) for name in outcome.path.replace("[", ".").split(".")]
    return None if any(person_of(name) is not None for name in names) else outcome


def _combined_any(outcomes: list[Outcome]) -> Outcome:
    """One is enough; that none is there takes that every one is known not to be."""
    for one in outcomes:
        if one.met:
            return one
    return next((one for one in outcomes if one.met is None), outcomes[0] if outcomes else MISSING)


def _over_scopes(
    reading: ResultReading, parse: CriterionParse, text: str, quantifier: Quantifier, gratis: bool
) -> Outcome:
    thing = thing_of(text, parse.subject or "")
    about = sought(text, parse.subject)
    state = parse.state if parse.state and not parse.options else None
    found = [(scope, _in_scope(reading, scope, thing, about, state, gratis)) for scope in scopes_of(reading, about)]
    items = [outcome for scope, outcome in found if scope.path]
    shared = next((outcome for scope, outcome in found if not scope.path), MISSING)
    known = [one for one in items if one.met is not None]
    if not known:
        return shared if shared.met is not None or not items else (items[0] if len(items) == 1 else shared)
    if parse.kind is CriterionKind.ABSENCE or quantifier is Quantifier.ANY:
        return _first(known, True) or (known[0] if len(known) == len(items) else _unread(items))
    if quantifier is Quantifier.ALL:
        return _first(known, False) or (known[0] if len(known) == len(items) else _unread(items))
    if len({one.met for one in known}) > 1:
        other = _first(known, not known[0].met) or known[0]
        return Outcome(None, Reason.AMBIGUOUS, None, (*known[0].paths, *other.paths))
    return known[0]


def _first(known: Iterable[Outcome], met: bool) -> Outcome | None:
    return next((one for one in known if one.met is met), None)


def _unread(items: Iterable[Outcome]) -> Outcome:
    return next((one for one in items if one.met is None), MISSING)


def _in_scope(
    reading: ResultReading, scope: Scope, thing: Thing, about: Sought, state: str | None, gratis: bool = False
) -> Outcome:
    if thing.only:
        return is_the_only(scope, thing)
    within = ResultReading(scope.nodes, reading.cut, reading.memo)
    named = by_name(within, about, gratis=gratis)
    stated = state_read(within, about, state) if state else None
    if stated is not None and named is not None and named.met and not stated.met:
        return stated  # "9/10 passed" of tests that pass: the thing is there, and not in the state
    if named is not None and (named.met is not None or (gratis and not isinstance(named.actual, str))):
        return named
    found = stated
    found = found or by_price(within, thing, about) or by_none(within, thing, about)
    found = found or by_text(scope, thing, is_state=bool(state)) or by_kind(scope, thing) or by_catalogue(scope, thing)
    return found or named or MISSING
