"""Fits with scikit-learn, given back as the models that run in the product."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from analysis.requirements.models import Forest, Linear

Floats = npt.NDArray[Any]
FOLDS: Final = 5
_LEAST_SCALE: Final = 0.1
"""A feature that hardly varied must not decide alone where it does."""


def forest_fit(
    rows: Floats, wanted: Floats, weights: Floats | None = None, *, trees: int = 120, leaves: int = 12
) -> Forest:
    """Boosted trees for a yes or no."""
    model = HistGradientBoostingClassifier(
        max_iter=trees, max_leaf_nodes=leaves, min_samples_leaf=20, learning_rate=0.08, l2_regularization=1.0,
        max_features=0.5, random_state=0, early_stopping=False,
    )  # fmt: skip
    model.fit(rows, wanted, sample_weight=weights)
    trees_fitted = [iteration[0].nodes for iteration in model._predictors]
    width = max(len(nodes) for nodes in trees_fitted)
    filled = np.zeros((len(trees_fitted), width), dtype=trees_fitted[0].dtype)
    for place, nodes in enumerate(trees_fitted):
        filled[place, : len(nodes)] = nodes
    is_leaf = filled["is_leaf"].astype(bool)
    return Forest(
        feature=np.where(is_leaf, -1, filled["feature_idx"]).astype(np.int16),
        threshold=filled["num_threshold"].astype(np.float32),
        left=filled["left"].astype(np.int16),
        right=filled["right"].astype(np.int16),
        value=np.where(is_leaf, filled["value"], 0).astype(np.float32),
        missing_left=filled["missing_go_to_left"].astype(bool),
        base=float(model._baseline_prediction.ravel()[0]),
        depth=int(filled["depth"].max()) + 1,
    )


def linear_fit(rows: Floats, wanted: Floats, weights: Floats | None = None, *, strength: float = 0.02) -> Linear:
    """A logistic regression for a yes or no; `strength` is the inverse of its penalty."""
    means, scales = rows.mean(axis=0), rows.std(axis=0)
    scales = np.maximum(scales, _LEAST_SCALE)
    model = LogisticRegression(C=strength, max_iter=400)
    model.fit((rows - means) / scales, wanted, sample_weight=weights)
    return Linear(
        means.astype(np.float32),
        scales.astype(np.float32),
        model.coef_[0].astype(np.float32),
        float(model.intercept_[0]),
    )


def folds_of(groups: list[str]) -> npt.NDArray[np.int64]:
    """A fold for each row; all rows of a group have the same."""
    names = sorted(set(groups))
    number = {name: place % FOLDS for place, name in enumerate(names)}
    return np.array([number[group] for group in groups])
