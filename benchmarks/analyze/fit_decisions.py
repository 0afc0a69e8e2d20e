"""Fits the decisions about a question: roles of columns, functions, labels, orders."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analysis.requirements.chances import FIGURES, LABELS, ROLES
from analysis.requirements.evidence import Evidence
from analysis.requirements.linking import name_read
from analysis.requirements.models import Model
from analysis.requirements.rows import column_rows, question_row
from benchmarks.analyze.corpus import Row
from benchmarks.analyze.fitting import forest_fit, linear_fit
from gateway.services import texts_embed_locally

Floats = npt.NDArray[Any]
_OF_CHARTS: Final = 0.3
"""The weight of a question of nvBench, whose wordings are much alike."""
_ONLY_OURS: Final = ("single", "limited", "divide", "subtract", "add", "multiply")
Sketch = dict[str, Any]


def measures(sketch: Sketch) -> list[dict[str, Any]]:
    return sketch.get("measures") or []


def _direction(sketch: Sketch) -> str | None:
    return (sketch.get("order") or {}).get("direction")


def _has_expression(operator: str) -> Callable[[Sketch], bool]:
    return lambda sketch: any(measure.get("expr", [""])[0] == operator for measure in measures(sketch))


def _has_label(label: str) -> Callable[[Sketch], bool]:
    return lambda sketch: label in (sketch.get("analysis") or ())


QUESTIONS: dict[str, Callable[[Sketch], bool]] = {
    "count": lambda sketch: any(
        "expr" not in measure and measure.get("column") is None and measure["func"] == "count"
        for measure in measures(sketch)
    ),
    "bare": lambda sketch: (
        all(measure["func"] == "none" for measure in measures(sketch)) and not sketch.get("group_by")
    ),
    "ordered": lambda sketch: bool(sketch.get("order")),
    "single": lambda sketch: sketch.get("limit") == 1,
    "limited": lambda sketch: (sketch.get("limit") or 0) > 1,
    "over time": lambda sketch: bool(sketch.get("time")),
    **{operator: _has_expression(operator) for operator in ("divide", "subtract", "add", "multiply")},
    **{f"label {label}": _has_label(label) for label in LABELS},
}


def roles_wanted(row: Row) -> dict[str, Floats]:
    """For each role 1 for the columns that have it."""
    wanted = {role: np.zeros(len(row.schema.columns)) for role in ROLES}
    named: list[tuple[str, str | None]] = [("group", name) for name in row.sketch.get("group_by") or ()]
    named += [("axis", (row.sketch.get("time") or {}).get("column"))]
    for measure in measures(row.sketch):
        named += [
            ("measure", name) for name in measure.get("expr", ["", measure.get("column")])[1:] if isinstance(name, str)
        ]
    for role, name in named:
        if name is not None and (at := row.place(name)) is not None:
            wanted[role][at] = 1
    return wanted


def decisions_fit(rows: Sequence[Row], evidences: Sequence[Evidence]) -> dict[str, Model]:
    """All models of decisions by name."""
    of_question = np.array([question_row(evidence) for evidence in evidences])
    of_columns = [column_rows(evidence) for evidence in evidences]
    owner = np.concatenate([np.full(len(own), place) for place, own in enumerate(of_columns)])
    wide = np.hstack([np.vstack(of_columns), of_question[owner]])
    wanted = [roles_wanted(row) for row in rows]
    models: dict[str, Model] = {}
    own = np.array([row.is_labelled for row in rows])
    weight = np.where(own, 1.0, _OF_CHARTS)
    for role in ROLES:
        models[role] = forest_fit(wide, np.concatenate([each[role] for each in wanted]), weight[owner], trees=150)
    for name, is_meant in QUESTIONS.items():
        learnt = own if name.startswith("label") or name in _ONLY_OURS else np.ones(len(rows), dtype=bool)
        yes = _yes([row for row, is_learnt in zip(rows, learnt, strict=True) if is_learnt], is_meant)
        models[name] = linear_fit(of_question[learnt], yes, weight[learnt])
    ordered = np.array([bool(_direction(row.sketch)) for row in rows])
    descending = np.array([_direction(row.sketch) == "desc" for row in rows], dtype=float)
    models["descending"] = linear_fit(of_question[ordered], descending[ordered])
    return models | _functions_fit(rows, of_columns, of_question)


def _yes(rows: Sequence[Row], is_meant: Callable[[Sketch], bool]) -> Floats:
    yes = np.array([is_meant(row.sketch) for row in rows], dtype=float)
    yes[0] = yes[0] if yes.any() else 1.0  # a decision that no row has is hardly ever taken
    return yes


def _functions_fit(rows: Sequence[Row], of_columns: Sequence[Floats], of_question: Floats) -> dict[str, Model]:
    """What a measure's function is, from the row of its column; first, which names are of what adds up."""
    features, functions, vectors = [], [], []
    for place, row in enumerate(rows):
        for measure in measures(row.sketch):
            at = row.place(measure.get("column") or "")
            if at is None or measure["func"] not in FIGURES:
                continue
            name = name_read(row.schema.columns[at].name).text
            features.append(np.concatenate([of_columns[place][at], of_question[place]]))
            functions.append(measure["func"])
            vectors.append(texts_embed_locally([name])[0])
    names, kinds = np.array(vectors), np.array(functions)
    sums = np.isin(kinds, ("sum", "mean"))
    adds_up = linear_fit(names[sums], (kinds[sums] == "sum").astype(float), strength=0.005)
    wide = np.hstack([np.array(features), adds_up.log_odds(names.astype(np.float32))[:, None]]).astype(np.float32)
    models: dict[str, Model] = {"adds up": adds_up}
    for function in FIGURES:
        yes = (kinds == function).astype(float)
        yes[0] = yes[0] if yes.any() else 1.0
        models[f"function {function}"] = linear_fit(wide, yes)
    return models
