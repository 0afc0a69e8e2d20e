"""Measures the narrowing of tools on MetaTool, beside one cosine of question and description on the same embedder.

Every figure is of queries that its coefficients were not fitted with; each line says what was held out. With `--fit`
the coefficients of the product are fitted, on all rows.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from analysis.contracts.plans import Tool
from analysis.narrowing.index import ToolIndex
from analysis.narrowing.narrow import tools_for_text
from analysis.narrowing.ranker import Ranker, ranker_fitted
from benchmarks.analyze import tools_fit as fit
from benchmarks.analyze.tools_data import ToolRows, examples_of, folds_of
from benchmarks.analyze.tools_rankers import Rankers
from gateway.services import texts_embed_locally

FIVE, TEN, TWELVE = 5, 10, 12
_FOLDS, _MANY, _TIMED = 5, 1_000, 300
Flags = npt.NDArray[np.bool_]
Retrieve = Callable[[str, int], Sequence[str]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.analyze.tools", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with tools/ and routing/")
    parser.add_argument("--fit", action="store_true", help="fit the coefficients of the product, write them and end")
    chosen = parser.parse_args()
    if chosen.fit:
        fit.ranker_write(Rankers(ToolRows.load(chosen.data)).of_product())
        print("fitted; run again to measure")
        return
    report(chosen.data)


def report(folder: Path) -> None:
    """Print the figures."""
    data = ToolRows.load(folder)
    _Bench(data, Rankers(data)).report()


class _Bench:
    def __init__(self, data: ToolRows, rankers: Rankers) -> None:
        self._data, self._rankers, self._tools = data, rankers, data.tools()
        self._labels, self._count = rankers.rows.labels, len(data.single)

    def report(self) -> None:
        every = np.ones(self._count, dtype=np.bool_)
        floor = _floor(self._tools)
        print(f"{len(self._tools)} tools, {self._count:,} queries of one tool, {len(self._data.double)} of two")
        print(f"{'':<66}{'ranked':>8}{'floor':>8}")
        of_floor = self._recall(floor, every, TEN)
        _line("recall@10, descriptions only, held out by tool", self._folded(by_tool=True), of_floor)
        _line("recall@10, descriptions only, held out by query", self._folded(by_tool=False), of_floor)
        _line("recall@5 in a catalog of the other half of the tools", *self._other_catalog())
        _line("recall@10, ten examples a tool, half of the queries held out", *self._with_examples())
        for name, index in (("held out", self._without_tools_of_two()), ("fitted by other queries", self._whole())):
            ranked = _retrieve(ToolIndex(self._tools, ranker=index))
            _line(f"both in 12, queries of two tools, the tools {name}", self._both(ranked), self._both(floor))
        self._times()

    def _folded(self, *, by_tool: bool) -> float:
        folds = np.array(folds_of(len(self._tools) if by_tool else self._count, _FOLDS))
        hits = 0.0
        for fold in range(_FOLDS):
            held = folds[self._labels] == fold if by_tool else folds == fold
            tools = np.flatnonzero(folds != fold) if by_tool else self._rankers.every
            ranked = _retrieve(ToolIndex(self._tools, ranker=self._rankers.described(~held, tools)))
            hits += self._recall(ranked, held, TEN) * held.sum()
        return hits / self._count

    def _other_catalog(self) -> tuple[float, float]:
        figures = []
        for seed in range(2):
            halves = np.array(folds_of(len(self._tools), 2, seed))
            for half in range(2):
                held, tools = halves[self._labels] == half, [self._tools[at] for at in np.flatnonzero(halves == half)]
                ranker = self._rankers.described(~held, np.flatnonzero(halves != half))
                ways = (_retrieve(ToolIndex(tools, ranker=ranker)), _floor(tools))
                figures.append([self._recall(way, held, FIVE) for way in ways])
        ranked, floor = np.mean(figures, axis=0)
        return float(ranked), float(floor)

    def _with_examples(self) -> tuple[float, float]:
        quarters = np.array(folds_of(self._count, 4))
        half = quarters < 2
        ranker = self._rankers.exemplified(quarters == 0, quarters == 1, self._rankers.described(half))
        tools = self._data.tools(examples_of(self._rankers.rows_of(half)))
        ways = (_retrieve(ToolIndex(tools, ranker=ranker)), _floor(tools))
        ranked, floor = (self._recall(way, ~half, TEN) for way in ways)
        return ranked, floor

    def _whole(self) -> Ranker:
        return self._rankers.described(np.ones(self._count, dtype=np.bool_))

    def _without_tools_of_two(self) -> Ranker:
        names = {name for _, tools in self._data.double for name in tools}
        held = np.array([tool.name in names for tool in self._tools])
        return self._rankers.described(~held[self._labels], np.flatnonzero(~held))

    def _recall(self, retrieve: Retrieve, rows: Flags, limit: int) -> float:
        return float(np.mean([tool in retrieve(query, limit) for query, tool in self._rankers.rows_of(rows)]))

    def _both(self, retrieve: Retrieve) -> float:
        return float(np.mean([set(tools) <= set(retrieve(query, TWELVE)) for query, tools in self._data.double]))

    def _times(self) -> None:
        """Milliseconds of a query, with its embedding and where that is known; of the product's ranker."""
        many = [tool.model_copy(update={"name": f"{tool.name} {at}"}) for at in range(6) for tool in self._tools]
        for tools in (self._tools, many[:_MANY]):
            retrieve = _retrieve(ToolIndex(tools, ranker=ranker_fitted()))
            queries = [f"please: {query}" for query, _ in self._data.single[:_TIMED]]
            new, known = (_milliseconds(retrieve, queries) for _ in range(2))
            texts_embed_locally([query for query, _ in self._data.single])
            print(f"{len(tools):>6,} tools: {new:.2f} ms a query, {known:.2f} ms beyond its embedding")


def _line(name: str, ranked: float, floor: float) -> None:
    print(f"{name:<66}{ranked:>8.3f}{floor:>8.3f}", flush=True)


def _retrieve(index: ToolIndex) -> Retrieve:
    return lambda question, limit: tools_for_text(question, index=index, limit=limit).names


def _floor(tools: Sequence[Tool]) -> Retrieve:
    """One cosine of the whole question and the description, or the nearest example where there are examples."""
    texts = [(place, text) for place, tool in enumerate(tools) for text in (tool.description, *tool.examples)]
    vectors, starts = texts_embed_locally([text for _, text in texts]), [0]
    starts += [at for at in range(1, len(texts)) if texts[at][0] != texts[at - 1][0]]

    def retrieve(question: str, limit: int) -> Sequence[str]:
        cosines = np.maximum.reduceat(vectors @ texts_embed_locally([question])[0], starts)
        return [tools[place].name for place in np.argsort(-cosines, kind="stable")[:limit]]

    return retrieve


def _milliseconds(retrieve: Retrieve, queries: Sequence[str]) -> float:
    began = time.perf_counter()
    for query in queries:
        retrieve(query, TEN)
    return 1_000 * (time.perf_counter() - began) / len(queries)
