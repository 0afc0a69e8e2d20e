"""What a fitted network must say to be sure, from lessons that it has not seen; and the files of a version."""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.optimize import minimize
from scipy.special import softmax
from torch import nn

from benchmarks.grading.data import NOT_RIGHT, PARTLY, RIGHT, WRONG, Row
from lesson_engine.grading.meaning.network import VERSION

FOLDER = Path(__file__).parents[2] / "lesson_engine/grading/data"
MOST_ERRORS = 0.05
"""Of the wrong answers called sure at most so many are called right, and the other way round (asked for)."""
LEAST_NAMED = 0.75
"""Of the misconceptions named at least so many are those that the answer says."""
Floats = Any


def calibrated(odds: Floats, slope: float, offsets: Sequence[float]) -> Floats:
    """Probabilities (rows, 3) of log odds."""
    return softmax(slope * odds + np.asarray(offsets), axis=1)


def slope_and_offsets(odds: Floats, rows: Sequence[Row]) -> tuple[float, list[float]]:
    """The likeliest ones; each dataset counts as much as another."""
    labels = np.array([row.label for row in rows])
    sets = np.array([row.dataset for row in rows])
    weights = np.array([1 / (sets == name).sum() for name in sets])

    def cost(guess: Floats) -> float:
        shares = calibrated(odds, guess[0], (guess[1], 0.0, guess[2]))
        told = np.where(labels == NOT_RIGHT, shares[:, PARTLY:].sum(axis=1), shares[np.arange(len(rows)), labels % 3])
        return float(-(weights * np.log(told + 1e-9)).sum())

    found = minimize(cost, np.array([0.7, 0.2, 0.2]), method="Nelder-Mead").x
    return float(found[0]), [float(found[1]), 0.0, float(found[2])]


@dataclass(frozen=True)
class Cuts:
    """A verdict is sure with at least a share of right, or of wrong, of both together, and not more of partly right."""

    right: float
    wrong: float
    partly: float

    def zones(self, shares: Floats) -> Floats:
        """Labels (rows,): right, wrong, or partly right for not sure."""
        ratio = shares[:, RIGHT] / (shares[:, RIGHT] + shares[:, WRONG])
        told = shares[:, PARTLY] <= self.partly
        return np.where(told & (ratio >= self.right), RIGHT, np.where(told & (1 - ratio >= self.wrong), WRONG, PARTLY))


def cuts(shares: Floats, labels: Floats) -> Cuts:
    """Those with which most answers are judged as by the teacher, with few errors among the sure ones."""
    best, chosen = -1.0, Cuts(0.99, 0.99, 0.0)
    grid = np.arange(0.6, 0.99, 0.01)
    for partly, right, wrong in itertools.product(np.arange(0.15, 0.6, 0.05), grid, grid):
        tried = Cuts(round(float(right), 2), round(float(wrong), 2), round(float(partly), 2))
        zones = tried.zones(shares)
        errors = max(_errors(zones, labels, RIGHT, WRONG), _errors(zones, labels, WRONG, RIGHT))
        if errors <= MOST_ERRORS and (agreement := float((zones == labels).mean())) > best:
            best, chosen = agreement, tried
    return chosen


def _errors(zones: Floats, labels: Floats, said: int, true: int) -> float:
    """Of the answers of a label that are judged as sure, how many are judged as the opposite."""
    return float(((zones == said) & (labels == true)).sum() / max(1, ((zones != PARTLY) & (labels == true)).sum()))


def naming_cut(rows: Sequence[Row], named: Sequence[dict[str, float]], is_wrong: Floats) -> float:
    """The least probability from which most misconceptions that are named are the ones said."""
    told = [
        (max(says.values()), max(says, key=lambda code: says[code]) == row.misconception)
        for row, says, wrong in zip(rows, named, is_wrong, strict=True)
        if wrong and says and row.label == WRONG
    ]
    for cut in np.arange(0.1, 0.95, 0.01):
        hits = [hit for chance, hit in told if chance >= cut]
        if hits and np.mean(hits) >= LEAST_NAMED:
            return round(float(cut), 2)
    return 0.95


def write(networks: Sequence[nn.Module], calibration: dict[str, Any]) -> None:
    """The files of the version that `lesson_engine.grading.meaning` reads."""
    arrays = {
        f"{at}/{name}": weights.detach().numpy().astype(np.float16)
        for at, network in enumerate(networks)
        for name, weights in network.state_dict().items()
    }
    np.savez_compressed(FOLDER / f"{VERSION}.npz", allow_pickle=False, **arrays)
    told = {"version": VERSION, "calibration": calibration}
    (FOLDER / f"{VERSION}.json").write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def of_file(path: Path) -> dict[str, torch.Tensor]:
    """The weights that a fit kept."""
    weights: dict[str, torch.Tensor] = torch.load(path)
    return weights
