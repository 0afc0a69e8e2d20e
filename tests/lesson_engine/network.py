"""The network that judges free words with weights that give every answer the same shares.

What it says of a sentence changes with each fit. These run the whole network; only its last layer is set. What the
grader knows word for word it says without it.
"""

from typing import Final

import numpy as np
import pytest
from pytest_django import Settings

from language.layers import Weights, stored_weights
from lesson_engine.grading.meaning import network
from lesson_engine.grading.meaning.network import Network

UNSURE_SCORE: Final = 0.5


@pytest.fixture
def unsure_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Never sure: all is partly right. What has a long word of the objective is on topic."""
    _always(monkeypatch, settings, right=0, partly=20, wrong=0)


@pytest.fixture
def right_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Sure that it is right."""
    _always(monkeypatch, settings, right=20, partly=0, wrong=0)


@pytest.fixture
def wrong_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Sure that it is wrong. What has a long word of the objective is on topic."""
    _always(monkeypatch, settings, right=0, partly=0, wrong=20)


def _always(monkeypatch: pytest.MonkeyPatch, settings: Settings, *, right: float, partly: float, wrong: float) -> None:
    """Weights whose log odds are these, and that never name a misconception."""
    arrays = dict(stored_weights(network.FILE)[0].arrays)
    for name, odds in (("result.3", [right, partly, wrong]), ("says.2", [-20.0])):
        arrays[f"{name}.weight"] = np.zeros_like(arrays[f"{name}.weight"])
        arrays[f"{name}.bias"] = np.array(odds, dtype=np.float32)
    networks = (Network(Weights(arrays)),)
    monkeypatch.setattr(network, "networks", lambda: networks)
    settings.DEVIATION_POLICY = "word_ratio"
