"""`python -m benchmarks.analyze --fit`: fits the models of requirements on `questions/` and stores them.

With a folder of nvBench its charts are learnt from too, those of `databases` (all where they are left out); only
coefficients come of it.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from analysis.requirements import cues, evidence
from analysis.requirements.chances import Chances
from analysis.requirements.evidence import Evidence
from analysis.requirements.models import Model, models_write
from benchmarks.analyze.charts_corpus import chart_rows
from benchmarks.analyze.corpus import Row, rows_read
from benchmarks.analyze.fit_decisions import decisions_fit
from benchmarks.analyze.fit_pairs import pairs_fit
from benchmarks.analyze.fit_words import cues_fit, links_fit, values_fit
from benchmarks.analyze.fitting import folds_of


def fit(data: Path | None = None, databases: Sequence[str] | None = None) -> None:
    """Fit everything and store it; each model on what those before it say of tables that they have not seen."""
    marked = [row for row in rows_read() if row.mentions]
    others = [row for row in rows_read() if not row.mentions]
    others += chart_rows(data, databases) if data else []
    fold = folds_of([row.group for row in marked])
    arrays, cues_by_row = cues_fit(marked, fold)
    np.savez_compressed(cues.FILE, allow_pickle=False, **arrays)
    cues.model_read.cache_clear()
    link, links = links_fit(marked, fold)
    value, values = values_fit(marked, fold)
    words: dict[str, Model] = {"link": link, "value": value}
    models_write(evidence.MODELS, words)
    evidence.models.cache_clear()
    evidences = [
        Evidence(row.question, row.schema, cues=cues_by_row[place], links=links[place], values=values[place])
        for place, row in enumerate(marked)
    ] + [Evidence(row.question, row.schema) for row in others]
    models_write(evidence.MODELS, {**words, **decided_fit([*marked, *others], evidences)})
    evidence.models.cache_clear()


def decided_fit(rows: Sequence[Row], evidences: Sequence[Evidence]) -> Mapping[str, Model]:
    """The models of decisions, and of pairs on what decisions fitted on other tables say."""
    half = folds_of([row.group for row in rows]) % 2
    chances: dict[int, Chances] = {}
    for number in (0, 1):
        chosen: list[int] = np.flatnonzero(half != number).tolist()
        decisions = decisions_fit([rows[place] for place in chosen], [evidences[place] for place in chosen])
        others: list[int] = np.flatnonzero(half == number).tolist()
        chances |= {place: Chances(evidences[place], decisions) for place in others}
    pair = pairs_fit(rows, [chances[place] for place in range(len(rows))])
    return {**decisions_fit(rows, evidences), "pair": pair}
