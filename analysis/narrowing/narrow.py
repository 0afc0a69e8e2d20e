"""A catalog of any size narrowed to what a plan of a question may need. See spec 5, section 3."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from analysis.contracts.plans import Template, Tool
from analysis.contracts.requirements import Reading
from analysis.narrowing.candidates import Candidate, Narrowed, Reason
from analysis.narrowing.index import ToolIndex
from analysis.narrowing.queries import Query, queries_of, queries_of_missing, queries_of_text

LEAST, MOST = 8, 12
"""How many tools a plan is made from, where the catalog has them."""
SAFETY: Final = ("aggregate", "plot_line", "compute_summary_stats")
"""Tools that are always among them, where the catalog has them."""
_OF_MISSING: Final = 2
"""Tools that a missing requirement brings."""
Array = npt.NDArray[np.float32]


def tools_narrow(
    reading: Reading, *, index: ToolIndex, template: Template | None, question: str = "", limit: int = MOST
) -> Narrowed:
    """The tools of the safety set and those that the template cannot do without, the best for each requirement, the
    others of the template, and then the likeliest.

    Raises `ValueError` for a limit outside 8 to 12.
    """
    if not LEAST <= limit <= MOST:
        raise ValueError(f"between {LEAST} and {MOST} tools, not {limit}")
    ranked = _ranked(queries_of(reading, question), index)
    reasons: dict[int, Reason] = dict.fromkeys(_places(SAFETY, index), "safety")
    for place in _places(template.tools if template else (), index):
        reasons.setdefault(place, "template")
    optional = _places(template.optional if template else (), index)
    first = [place for place, reason in reasons.items() if reason == "safety" or place not in optional]
    chosen = dict.fromkeys([*first, *ranked.best_of_each(1), *optional, *ranked.order])
    return ranked.narrowed(list(chosen)[:limit], reasons)


def tools_widen(
    missing: Mapping[str, Sequence[str]], *, index: ToolIndex, narrowed: Narrowed, limit: int = MOST
) -> Narrowed:
    """The tools again, and with them the best for each requirement that coverage misses, by field as it has them.

    The limit holds: what was retrieved makes room first, then what the template brought.
    """
    ranked = _ranked(queries_of_missing(missing), index)
    there = {candidate.tool.name for candidate in narrowed.candidates}
    added = [place for place in ranked.best_of_each(_OF_MISSING) if index.tools[place].name not in there]
    new = ranked.narrowed(added, {}).candidates
    of_reason = {reason: [old for old in narrowed.candidates if old.reason == reason] for reason in get_args(Reason)}
    chosen = [*of_reason["safety"], *new, *of_reason["template"], *of_reason["retrieved"]][:limit]
    return Narrowed(candidates=tuple(sorted(chosen, key=lambda candidate: -candidate.score)))


def tools_for_text(question: str, *, index: ToolIndex, limit: int = 10) -> Narrowed:
    """The likeliest tools for a bare question and its parts; nothing is added to them."""
    return tools_for_queries(queries_of_text(question), index=index, limit=limit)


def tools_for_queries(queries: tuple[Query, ...], *, index: ToolIndex, limit: int) -> Narrowed:
    """The likeliest tools for all queries together."""
    ranked = _ranked(queries, index)
    return ranked.narrowed(ranked.order[:limit], {})


class _Ranked(NamedTuple):
    """How much each query means each tool, and all of them `together`, by which the places of tools are in `order`."""

    tools: tuple[Tool, ...]
    queries: tuple[Query, ...]
    scores: Array
    together: Array
    order: list[int]

    def best_of_each(self, count: int) -> list[int]:
        """The first tools of each query: the first of all, then the second of all."""
        firsts = np.argsort(-self.scores, axis=1, kind="stable")[:, :count]
        return list(dict.fromkeys(firsts.T.ravel().tolist()))

    def narrowed(self, places: Sequence[int], reasons: Mapping[int, Reason]) -> Narrowed:
        """These tools, the likeliest first."""
        ordered = sorted(places, key=lambda place: -self.together[place])
        return Narrowed(candidates=tuple(self._candidate(place, reasons.get(place, "retrieved")) for place in ordered))

    def _candidate(self, place: int, reason: Reason) -> Candidate:
        source = self.queries[int(self.scores[:, place].argmax())].source if self.queries else ""
        score = float(self.together[place])
        return Candidate(tool=self.tools[place], score=score, query=source, reason=reason)


def _ranked(queries: tuple[Query, ...], index: ToolIndex) -> _Ranked:
    scores = index.scores([query.text for query in queries])
    weights = np.array([query.weight for query in queries], dtype=np.float32)
    together: Array = weights @ scores / max(float(weights.sum()), 1.0)
    return _Ranked(index.tools, queries, scores, together, np.argsort(-together, kind="stable").tolist())


def _places(names: Sequence[str], index: ToolIndex) -> list[int]:
    return [index.places[name] for name in names if name in index.places]
