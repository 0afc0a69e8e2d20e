"""The two models, as scikit-learn fits them, and their coefficients as `lesson_engine.grading.meaning` applies them."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from language.calibration import sigmoids

Floats = NDArray[np.float64]
NETWORKS, HIDDEN, PENALTY, EPOCHS = 4, 32, 3.0, 14
TREES, DEPTH, LEAST_LEAF, RATE = 260, 4, 30, 0.05
_CUT = 5.0


@dataclass(frozen=True)
class Fit:
    """The fitted models; `probabilities` is their average before calibration."""

    trees: GradientBoostingClassifier
    networks: list[MLPClassifier]
    network_scaler: StandardScaler

    def parts(self, numbers: Floats, products: Floats) -> tuple[Floats, Floats]:
        """Trees, networks: the probability of right by each."""
        inputs = np.clip(self.network_scaler.transform(np.hstack([numbers, products])), -_CUT, _CUT)
        return (
            self.trees.predict_proba(numbers)[:, 1],
            np.mean([network.predict_proba(inputs)[:, 1] for network in self.networks], axis=0),
        )

    def probabilities(self, numbers: Floats, products: Floats) -> Floats:
        """The average of the two."""
        average: Floats = np.mean(self.parts(numbers, products), axis=0)
        return average

    def arrays(self, names: list[str], calibration: tuple[float, float]) -> dict[str, NDArray[Any]]:
        """What the model file holds, by name.

        `tree_*`: the nodes of all trees in one row; a
        leaf points to itself. `net_*`: mean and scale of each input; hidden weights (network, input, unit).
        """
        nodes = _nodes(self.trees)
        hidden = np.stack([network.coefs_[0] for network in self.networks])
        return {
            "names": np.array(names),
            **nodes,
            "net_mean": self.network_scaler.mean_,
            "net_scale": self.network_scaler.scale_,
            "net_hidden": hidden.astype(np.float32),
            "net_hidden_bias": np.stack([network.intercepts_[0] for network in self.networks]),
            "net_out": np.stack([network.coefs_[1][:, 0] for network in self.networks]),
            "net_out_bias": np.array([network.intercepts_[1][0] for network in self.networks]),
            "calibration": np.array(calibration),
        }


def fit(numbers: Floats, products: Floats, right: NDArray[np.bool_]) -> Fit:
    """Both on the same rows."""
    trees = GradientBoostingClassifier(
        n_estimators=TREES,
        max_depth=DEPTH,
        min_samples_leaf=LEAST_LEAF,
        learning_rate=RATE,
        subsample=0.6,
        max_features=0.3,
        random_state=0,
    )
    trees.fit(numbers, right)
    inputs = np.hstack([numbers, products])
    network_scaler = StandardScaler().fit(inputs)
    scaled = np.clip(network_scaler.transform(inputs), -_CUT, _CUT)
    warnings.simplefilter("ignore", ConvergenceWarning)  # stopping early is what keeps them general
    networks = [
        MLPClassifier((HIDDEN,), alpha=PENALTY, max_iter=EPOCHS, batch_size=128, random_state=seed).fit(scaled, right)
        for seed in range(NETWORKS)
    ]
    return Fit(trees, networks, network_scaler)


def calibrate(raw: Floats, right: NDArray[np.bool_]) -> tuple[float, float]:
    """Slope and offset on the log-odds (Platt), from probabilities of rows that were held out."""
    odds = np.log(np.clip(raw, 1e-6, 1 - 1e-6) / (1 - np.clip(raw, 1e-6, 1 - 1e-6)))
    fitted = LogisticRegression(C=1e6).fit(odds[:, None], right)
    return float(fitted.coef_[0, 0]), float(fitted.intercept_[0])


def calibrated(raw: Floats, calibration: tuple[float, float]) -> Floats:
    """The probabilities after `calibrate`."""
    odds = np.log(np.clip(raw, 1e-6, 1 - 1e-6) / (1 - np.clip(raw, 1e-6, 1 - 1e-6)))
    return sigmoids(calibration[0] * odds + calibration[1])


def _nodes(trees: GradientBoostingClassifier) -> dict[str, NDArray[Any]]:
    columns: dict[str, list[NDArray[Any]]] = {name: [] for name in ("feature", "threshold", "left", "right", "value")}
    roots, start, depth = [], 0, 0
    for (one,) in trees.estimators_:
        tree = one.tree_
        own = np.arange(start, start + tree.node_count)
        leaf = tree.children_left < 0
        columns["feature"].append(np.where(leaf, 0, tree.feature))
        columns["threshold"].append(np.where(leaf, 0.0, tree.threshold))
        columns["left"].append(np.where(leaf, own, tree.children_left + start))
        columns["right"].append(np.where(leaf, own, tree.children_right + start))
        columns["value"].append(tree.value[:, 0, 0] * trees.learning_rate)
        roots.append(start)
        start, depth = start + tree.node_count, max(depth, tree.max_depth)
    prior = trees.init_.class_prior_[1]
    return {
        "tree_roots": np.array(roots, dtype=np.int32),
        "tree_depth": np.array([depth], dtype=np.int32),
        "tree_bias": np.array([np.log(prior / (1 - prior))]),
        "tree_feature": np.concatenate(columns["feature"]).astype(np.int16),
        "tree_threshold": np.concatenate(columns["threshold"]),
        "tree_left": np.concatenate(columns["left"]).astype(np.int32),
        "tree_right": np.concatenate(columns["right"]).astype(np.int32),
        "tree_value": np.concatenate(columns["value"]),
    }
