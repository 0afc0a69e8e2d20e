"""The network that judges free words as tests need it: its weights change, and what it says of a sentence with them.

It reads as ever, and then says the same of every answer. What the grader knows word for word it says without it.
"""

from dataclasses import replace
from typing import Any, Final

import pytest
from pytest_django import Settings

from lesson_engine.grading import wording
from lesson_engine.grading.meaning import Judgement, judge

UNSURE_SCORE: Final = 0.5


@pytest.fixture
def unsure_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Never sure. What has a long word of the objective is on topic."""
    _always(monkeypatch, settings, right=0.3, partly=0.4, wrong=0.3)


@pytest.fixture
def right_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Sure that it is right."""
    _always(monkeypatch, settings, right=0.98, partly=0.01, wrong=0.01)


@pytest.fixture
def wrong_network(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Sure that it is wrong. What has a long word of the objective is on topic."""
    _always(monkeypatch, settings, right=0.01, partly=0.01, wrong=0.98)


def _always(monkeypatch: pytest.MonkeyPatch, settings: Settings, **shares: float) -> None:
    def judged(*told: Any, **more: Any) -> Judgement:
        found = judge(*told, **more)
        changes: dict[str, Any] = {**shares, "says": dict.fromkeys(found.says, 0.0)}
        return replace(found, **changes)

    monkeypatch.setattr(wording, "judge", judged)
    settings.DEVIATION_POLICY = "word_ratio"
