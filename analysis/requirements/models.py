"""Fitted models as they run here: trees and logistic regressions over named features, stored as arrays."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from language.calibration import sigmoids

Floats = npt.NDArray[np.float32]
_LEAF: Final = -1


class Forest(NamedTuple):
    """Boosted trees of one output, all of them stepped through at once. Arrays are trees by nodes.

    `feature` is -1 for a leaf; a value up to and with `threshold` goes left, a missing one where `missing_left` says.
    """

    feature: npt.NDArray[np.int16]
    threshold: Floats
    left: npt.NDArray[np.int16]
    right: npt.NDArray[np.int16]
    value: Floats
    missing_left: npt.NDArray[np.bool_]
    base: float
    depth: int

    def log_odds(self, rows: Floats) -> npt.NDArray[np.float64]:
        """A number for each row of features."""
        if not len(rows):
            return np.zeros(0)
        trees = np.arange(len(self.feature))[None, :]
        nodes = np.zeros((len(rows), len(self.feature)), dtype=np.int16)
        at = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[trees, nodes]
            values = rows[at, np.maximum(feature, 0)]
            goes_left = np.where(
                np.isnan(values), self.missing_left[trees, nodes], values <= self.threshold[trees, nodes]
            )
            following = np.where(goes_left, self.left[trees, nodes], self.right[trees, nodes])
            nodes = np.where(feature == _LEAF, nodes, following)
        sums: npt.NDArray[np.float64] = self.value[trees, nodes].sum(axis=1, dtype=np.float64) + self.base
        return sums

    def probabilities(self, rows: Floats) -> npt.NDArray[np.float64]:
        return sigmoids(self.log_odds(rows))


class Linear(NamedTuple):
    """A logistic regression over features that are centred and scaled first."""

    means: Floats
    scales: Floats
    weights: Floats
    base: float

    def log_odds(self, rows: Floats) -> npt.NDArray[np.float64]:
        """A number for each row of features."""
        scaled = (rows - self.means) / self.scales
        sums: npt.NDArray[np.float64] = scaled.astype(np.float64) @ self.weights.astype(np.float64) + self.base
        return sums

    def probabilities(self, rows: Floats) -> npt.NDArray[np.float64]:
        return sigmoids(self.log_odds(rows))


Model = Forest | Linear
_KINDS: Final[dict[str, type[Forest] | type[Linear]]] = {"forest": Forest, "linear": Linear}


def models_read(path: Path) -> dict[str, Model]:
    """The models of a file by name. Raises `FileNotFoundError`."""
    models: dict[str, Model] = {}
    with np.load(path, allow_pickle=False) as arrays:
        for name, kind in zip(arrays["names"], arrays["kinds"], strict=True):
            fields = _KINDS[str(kind)]._fields
            parts: dict[str, Any] = {part: arrays[f"{name}.{part}"] for part in fields}
            parts |= {part: parts[part].item() for part in ("base", "depth") if part in parts}
            models[str(name)] = _KINDS[str(kind)](**parts)
    return models


def models_write(path: Path, models: Mapping[str, Model]) -> None:
    """Store models by name, for `models_read`."""
    arrays: dict[str, Any] = {
        f"{name}.{part}": value for name, model in models.items() for part, value in model._asdict().items()
    }
    kinds = ["forest" if isinstance(model, Forest) else "linear" for model in models.values()]
    np.savez_compressed(path, names=np.array(list(models)), kinds=np.array(kinds), **arrays)
