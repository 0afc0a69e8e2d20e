"""Things that are this and nothing else: "advanced-only resorts"."""

from typing import Final

from .evidence import FLOOR, of_kind
from .finding import best, candidates
from .naming import sought
from .outcome import MISSING, Outcome, decided
from .scopes import Scope
from .things import ONLY, Thing, values_in
from .truth import truth
from .values import shown
from .walk import ResultReading
from .words import text_words

_HARDER: Final = {"level": {2: 3}}
"""What goes with a value without making it less of it: slopes for experts are no relief from advanced ones."""


def is_the_only(scope: Scope, thing: Thing) -> Outcome:
    """Whether there is this and nothing else of its kind: by a flag, by the values of that kind, by a text."""
    return _by_flag(scope, thing) or _by_values(scope, thing) or MISSING


def _by_flag(scope: Scope, thing: Thing) -> Outcome | None:
    for name in ((*thing.stems, "only"), (*thing.stems[:1], "only")):
        found = best(candidates(ResultReading(scope.nodes, False), sought(" ".join(name), None), floor=FLOOR))
        if found and (met := truth(found[0].node.value)) is not None:
            return decided(met, found[0].node, shown(found[0].node))
    return None


def _by_values(scope: Scope, thing: Thing) -> Outcome | None:
    for kind, wanted in sorted(thing.kinds):
        if named := of_kind(scope, kind):
            every = frozenset[int]().union(*(values for _, values in named))
            fine = {wanted, _HARDER.get(kind, {}).get(wanted, wanted)}
            return decided(wanted in every and every <= fine, named[0][0], shown(named[0][0]))
        for node in scope.nodes:
            if isinstance(node.value, str) and (values := values_in(node.value, kind)):
                says_only = bool(ONLY.intersection(text_words(node.value)))
                return decided(values == {wanted} and says_only, node, shown(node))
    return None
