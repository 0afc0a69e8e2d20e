"""Measures the grader on answers held out, and may fit its model.

Held out are answers, whole questions, and whole domains (SciEntsBank's modules; BEETLE is one field, so its questions).
For each, the model is fitted on the rest and the whole grader judges what was held out: rules, tricks and model.
"""

import argparse
import sys
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score
from sklearn.model_selection import GroupKFold, StratifiedKFold

from benchmarks.grading import data, models
from gateway.services import texts_embed_locally
from lesson_engine.contracts import Reply, VerdictResult
from lesson_engine.grading import evidence, grade
from lesson_engine.grading.meaning import MODEL_VERSION, compare
from lesson_engine.grading.plain import plain_ask
from lesson_engine.grading.wording import ACCEPT_CUT

FOLDS = 5
HELD_OUT = {"answers": None, "questions": "group", "domains": "domain"}
AIMS = {
    ("beetle", "answers"): 0.84,
    ("beetle", "questions"): 0.77,
    ("scientsbank", "answers"): 0.73,
    ("scientsbank", "questions"): 0.75,
    ("scientsbank", "domains"): 0.71,
}
"""Two-way macro-F1 wanted on the sealed test parts, which are other rows than these."""
OVERLAP = "covered"
"""The floor: how much of the reference's words the answer has, cut where that fits the rest best."""
MODEL_FILE = Path(__file__).parents[2] / "lesson_engine/grading/data" / f"{MODEL_VERSION}.npz"
Floats = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grading", description=__doc__)
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with beetle_train.jsonl, scientsbank_train.jsonl"
    )
    parser.add_argument("--fit", action="store_true", help="fit on everything and write the model file")
    chosen = parser.parse_args()
    rows = [*data.public_rows(chosen.data), *data.lesson_rows()]
    names, numbers, products = _compared(rows)
    right = np.array([row.right for row in rows])
    public = np.array([row.dataset in data.SETS for row in rows])
    calibration = None
    for kind in ("questions", "answers", "domains"):
        raw = _held_out(rows, numbers, products, right, public, kind)
        if calibration is None:
            calibration = models.calibrate(raw[public], right[public])
        probabilities = models.calibrated(raw, calibration)
        floor = _floor(numbers[:, names.index(OVERLAP)], right, rows, kind)
        _report(kind, rows, probabilities, floor, right)
    assert calibration is not None
    if chosen.fit:
        fitted = models.fit(numbers, products, right)
        np.savez_compressed(MODEL_FILE, allow_pickle=False, **fitted.arrays(names, calibration))
        print(f"written: {MODEL_FILE.name}")
    _speed(rows)


def _compared(rows: list[data.Row]) -> tuple[list[str], Floats, Floats]:
    found = []
    for at, row in enumerate(rows):
        found.append(compare(row.question, row.references, row.answer, row.language, texts_embed_locally))
        if at % 500 == 0 and sys.stderr.isatty():
            print(f"\rcompared {at:,} of {len(rows):,}", end="", file=sys.stderr)
    names = list(found[0].numbers)
    numbers = np.array([[one.numbers[name] for name in names] for one in found])
    return names, numbers, np.array([one.products for one in found])


def _splits(rows: list[data.Row], kind: str) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    field, right = HELD_OUT[kind], np.array([row.right for row in rows])
    if field is None:
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(right, right))
    return list(GroupKFold(FOLDS).split(right, right, data.column(rows, field)))


def _held_out(
    rows: list[data.Row],
    numbers: Floats,
    products: Floats,
    right: NDArray[np.bool_],
    public: NDArray[np.bool_],
    kind: str,
) -> Floats:
    """For each row the probability by a model that did not see it, nor others of its group."""
    raw = np.zeros(len(rows))
    for known, unseen in _splits(rows, kind):
        raw[unseen] = models.fit(numbers[known], products[known], right[known]).probabilities(
            numbers[unseen], products[unseen]
        )
    return raw


def _floor(overlap: Floats, right: NDArray[np.bool_], rows: list[data.Row], kind: str) -> NDArray[np.bool_]:
    accepted = np.zeros(len(rows), dtype=bool)
    cuts = np.linspace(0.05, 0.95, 19)
    for known, unseen in _splits(rows, kind):
        best = max(cuts, key=lambda cut: f1_score(right[known], overlap[known] >= cut, average="macro"))
        accepted[unseen] = overlap[unseen] >= best
    return accepted


def _report(
    kind: str, rows: list[data.Row], probabilities: Floats, floor: NDArray[np.bool_], right: NDArray[np.bool_]
) -> None:
    sets, verdicts = data.column(rows, "dataset"), []
    for row, probability in zip(rows, probabilities, strict=True):
        with patch.object(evidence, "probability", return_value=float(probability)):
            verdicts.append(
                grade(
                    plain_ask(row.question, tuple(row.references)),
                    Reply(text=row.answer),
                    language=row.language,
                    embed=texts_embed_locally,
                )
            )
    accepted = np.array([verdict.result is VerdictResult.ACCEPT for verdict in verdicts])
    doubtful = np.array([verdict.doubtful for verdict in verdicts])
    print(f"\nUnseen {kind}: two-way macro-F1, {FOLDS} folds")
    for name in data.SETS:
        mine = sets == name
        f1 = f1_score(right[mine], accepted[mine], average="macro")
        alone = f1_score(right[mine], probabilities[mine] >= ACCEPT_CUT, average="macro")
        least = f1_score(right[mine], floor[mine], average="macro")
        sure, unsure = mine & ~doubtful, mine & doubtful
        print(
            f"  {name:12} {mine.sum():5} answers: grader {f1:.3f}, model alone {alone:.3f}, word overlap {least:.3f}"
            f" (aim on the sealed part: {AIMS.get((name, kind), '-')})"
        )
        print(
            f"  {'':12} agreement {_share(right[sure] == accepted[sure])} where sure,"
            f" {_share(right[unsure] == accepted[unsure])} in the unsure band ({_share(doubtful[mine])} of answers);"
            f" ECE {_calibration_error(probabilities[mine], right[mine]):.3f}"
        )
    if kind == "questions":
        _reliability(probabilities[sets != "lessons"], right[sets != "lessons"])


def _share(values: NDArray[np.bool_]) -> str:
    return f"{100 * values.mean():.1f} %" if len(values) else "-"


def _bins(probabilities: Floats) -> list[NDArray[np.bool_]]:
    return [(probabilities >= low / 10) & (probabilities < low / 10 + 0.1 + (low == 9)) for low in range(10)]


def _calibration_error(probabilities: Floats, right: NDArray[np.bool_]) -> float:
    """Expected calibration error over ten bins of equal width."""
    parts = [
        (own.mean(), abs(probabilities[own].mean() - right[own].mean())) for own in _bins(probabilities) if own.any()
    ]
    return float(sum(weight * gap for weight, gap in parts))


def _reliability(probabilities: Floats, right: NDArray[np.bool_]) -> None:
    print("  said   were right   answers")
    for own in _bins(probabilities):
        if own.any():
            said, were = probabilities[own].mean(), right[own].mean()
            print(f"  {said:.2f}   {were:.2f} {'#' * round(40 * were):40} {own.sum():5}")


def _speed(rows: list[data.Row]) -> None:
    """What a grade costs on one core, once the embedder remembers the texts."""
    sample = rows[:: max(1, len(rows) // 600)]
    costs: list[float] = []
    for _ in range(2):
        costs = []
        for row in sample:
            begun = time.process_time()
            ask = plain_ask(row.question, tuple(row.references))
            grade(ask, Reply(text=row.answer), language=row.language, embed=texts_embed_locally)
            costs.append(time.process_time() - begun)
    median, most = 1000 * np.median(costs), 1000 * np.quantile(costs, 0.95)
    print(f"\nA grade: median {median:.1f} ms of one core, 95th percentile {most:.1f} ms;")
    print(f"{1 / np.mean(costs):.0f} answers a second of one core, vectors remembered.")
