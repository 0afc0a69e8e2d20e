"""`manage.py narrow`."""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from analysis.management.commands.narrow import Command


def narrowed(monkeypatch: pytest.MonkeyPatch, rows: Sequence[Any], **options: Any) -> list[Any]:
    lines = "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    out = io.StringIO()
    Command(stdout=out).handle(**{"catalog": None, "limit": 10, **options})
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_questions_and_requirements_are_answered_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    requirements = {
        "metrics": ["cost"], "group_by": [], "time": {"column": "unknown", "grain": "unknown"},
        "analysis": ["anomaly"], "outputs": [], "constraints": [],
    }  # fmt: skip
    rows = [{"question": "draw a pie chart", "id": 3}, {"requirements": requirements}, {"question": " "}, "{"]
    pie, anomaly, blank, broken = narrowed(monkeypatch, rows)
    assert pie["tools"][0] == "plot_pie"
    assert len(pie["tools"]) == 10
    assert "detect_anomalies" in anomaly["tools"][:3]
    assert "expected" in blank["error"]
    assert "not JSON" in broken["error"]


def test_a_catalog_of_names_and_descriptions_is_enough(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "tools.json"
    path.write_text(json.dumps({"Oven": "Bake bread", "Choir": "Sing songs"}), encoding="utf-8")
    assert narrowed(monkeypatch, [{"question": "a loaf of bread"}], catalog=str(path), limit=1) == [{"tools": ["Oven"]}]


def test_a_catalog_that_cannot_be_read_and_a_limit_of_none_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="cannot be used"):
        narrowed(monkeypatch, [], catalog=str(tmp_path / "none.yaml"))
    with pytest.raises(CommandError, match="limit"):
        narrowed(monkeypatch, [], limit=0)
