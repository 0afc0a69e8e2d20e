"""How likely each decision about a question is, by the fitted models."""

from collections.abc import Mapping
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.requirements import FUNCTIONS, AnalysisLabel, Function
from analysis.requirements.evidence import Evidence
from analysis.requirements.evidence import models as fitted_models
from analysis.requirements.linking import name_read
from analysis.requirements.models import Model
from analysis.requirements.rows import column_rows, question_row
from gateway.services import texts_embed_locally

Floats = npt.NDArray[np.float32]
ROLES: Final = ("measure", "group", "axis")
LABELS: Final[tuple[AnalysisLabel, ...]] = (
    "total", "compare", "trend", "distribution", "anomaly", "correlation", "share", "rank", "list", "forecast",
)  # fmt: skip
DECISIONS: Final = (
    "count", "bare", "ordered", "descending", "single", "limited", "over time", "divide", "subtract", "add", "multiply",
    *(f"label {label}" for label in LABELS),
)  # fmt: skip
FIGURES: Final[tuple[Function, ...]] = tuple(function for function in FUNCTIONS if function != "count")


class Chances:
    """Probabilities of roles by column, of decisions, and of the function of each column that is a measure.

    `models`: others than those that the product has, where a model is fitted on what others say.
    """

    def __init__(self, evidence: Evidence, models: Mapping[str, Model] | None = None) -> None:
        self.evidence = evidence
        self.models = fitted_models() if models is None else models
        self.question = question_row(evidence)
        columns = column_rows(evidence)
        self.columns = np.hstack([columns, np.repeat(self.question[None, :], len(columns), axis=0)])

    @cached_property
    def roles(self) -> dict[str, list[float]]:
        """For each role the probability of each column."""
        return {role: self.models[role].probabilities(self.columns).tolist() for role in ROLES}

    @cached_property
    def decisions(self) -> dict[str, float]:
        return {name: float(self.models[name].probabilities(self.question[None, :])[0]) for name in DECISIONS}

    def label(self, label: AnalysisLabel) -> float:
        return self.decisions[f"label {label}"]

    def function(self, column: int) -> Function:
        """The likeliest function of a column."""
        shares = self.functions(column)
        return max(shares, key=lambda function: shares[function])

    def functions(self, column: int) -> dict[Function, float]:
        """Each function with its share of the evidence for a column."""
        row = function_row(self, column)[None, :]
        odds = np.array([self.models[f"function {name}"].log_odds(row)[0] for name in FIGURES])
        shares = np.exp(odds - odds.max())
        return dict(zip(FIGURES, (shares / shares.sum()).tolist(), strict=True))


def function_row(chances: Chances, column: int) -> Floats:
    """What says how a column is aggregated: its row, and whether its name is of what adds up."""
    name = name_read(chances.evidence.schema.columns[column].name).text
    adds = chances.models["adds up"].log_odds(texts_embed_locally([name], keep=[name]))
    return np.concatenate([chances.columns[column], adds.astype(np.float32)])
