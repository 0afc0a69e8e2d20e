"""Rankers fitted on parts of the rows, whose signals are computed once."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from analysis.contracts.plans import Tool
from analysis.narrowing.ranker import Ranker
from analysis.narrowing.signals import Signals
from analysis.narrowing.texts import parts_of, tool_text
from benchmarks.analyze import tools_fit as fit
from benchmarks.analyze.tools_data import ToolRows, examples_of, folds_of
from gateway.services import texts_embed_locally

Flags = npt.NDArray[np.bool_]
Places = npt.NDArray[np.int64]


class Rankers:
    """The rows of MetaTool, ready to be fitted on."""

    def __init__(self, data: ToolRows) -> None:
        self._data = data
        tools = data.tools()
        self._places = {tool.name: place for place, tool in enumerate(tools)}
        self.every = np.arange(len(tools))
        queries = [query for query, _ in data.single]
        texts_embed_locally([part for query in queries for part in parts_of(query)])
        vectors, signals = texts_embed_locally(queries), _signals(tools)
        labels = np.array([self._places[tool] for _, tool in data.single])
        self.rows = fit.Rows(signals.described(queries, vectors), vectors, labels, signals.documents)
        intents = sorted({intent for _, intent in data.intents})
        self._texts = texts_embed_locally([text for text, _ in data.intents])
        self._intents = texts_embed_locally(intents)
        self._text_labels = np.array([intents.index(intent) for _, intent in data.intents])

    def rows_of(self, rows: Flags) -> list[tuple[str, str]]:
        """Some of the queries with their tools."""
        return [row for row, is_in in zip(self._data.single, rows, strict=True) if is_in]

    def described(self, rows: Flags, tools: Places | None = None) -> Ranker:
        """A ranker of some queries over some tools. Of other tools it sees nothing, not even other descriptions."""
        tools = self.every if tools is None else tools
        known = set(tools.tolist())
        pairs = [pair for pair in self._data.pairs if self._places.get(pair[0], tools[0]) in known]
        left, right = (texts_embed_locally([pair[side] for pair in pairs]) for side in (1, 2))
        others = fit.Others(self._texts, self._text_labels, self._intents, left, right)
        return fit.described_fitted(self.rows.of(rows, tools), others)

    def exemplified(self, shown: Flags, weighed: Flags, described: Ranker) -> Ranker:
        """That ranker with weights for examples. They are fitted on the rows of `weighed`, beside examples that are
        rows of `shown` and a ranker of those: one that had seen the rows would be trusted too much.
        """
        signals = _signals(self._data.tools(examples_of(self.rows_of(shown))))
        tools = signals.exemplified
        own = self.rows.of(weighed & np.isin(self.rows.labels, tools), tools)
        queries = [query for query, _ in self.rows_of(weighed & np.isin(self.rows.labels, tools))]
        of_shown = self.described(shown)
        scores = own.signals @ of_shown.described + of_shown.projected(own.vectors, own.documents)
        weights = fit.exemplified_fitted(of_shown, scores, signals.shown(queries, own.vectors), own)
        return described._replace(exemplified=weights.exemplified, typical=weights.typical)

    def of_product(self) -> Ranker:
        """A ranker of all rows."""
        half = np.array(folds_of(len(self._data.single), 2)) == 0
        return self.exemplified(half, ~half, self.described(np.ones(len(half), dtype=np.bool_)))


def _signals(tools: Sequence[Tool]) -> Signals:
    return Signals([tool_text(tool) for tool in tools], texts_embed_locally)
