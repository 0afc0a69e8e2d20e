"""Narrowing, adaptation and coverage know capabilities; no line of them names a tool of the catalog."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from django.conf import settings

from analysis.contracts.requirements import ChartType
from analysis.narrowing.narrow import SAFETY
from tests.analysis.plans import shipped

FOLDERS = ("narrowing", "adaptation", "coverage")


def texts() -> Iterator[tuple[Path, ast.Constant]]:
    """Every string of the code, docstrings and those of the safety set aside, with its file."""
    for folder in FOLDERS:
        for path in (Path(settings.BASE_DIR) / "analysis" / folder).rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            loose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            safety = {part for node in ast.walk(tree) if _is_safety(node) for part in ast.walk(node)}
            for node in ast.walk(tree):
                is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
                if is_text and node not in loose and node not in safety:
                    yield path, node  # type: ignore[misc]


def _is_safety(node: ast.AST) -> bool:
    return isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id == "SAFETY"


def comparisons() -> Iterator[tuple[Path, ast.Compare]]:
    for folder in FOLDERS:
        for path in (Path(settings.BASE_DIR) / "analysis" / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Compare):
                    yield path, node


def test_no_text_is_the_name_of_a_tool() -> None:
    capabilities = {capability for tool in shipped().values() for capability in tool.capabilities}
    names = set(shipped()) - capabilities - set(get_args(ChartType))  # "filter" is a capability too
    assert len(names) > len(SAFETY)
    found = [f"{path.name}:{text.lineno} {text.value}" for path, text in texts() if text.value in names]
    assert found == []


def test_the_name_of_a_tool_is_never_held_against_a_text() -> None:
    found = [
        f"{path.name}:{compared.lineno}"
        for path, compared in comparisons()
        for side in (compared.left, *compared.comparators)
        if isinstance(side, ast.Attribute) and side.attr in ("name", "tool")
        and any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in ast.walk(compared))
    ]  # fmt: skip
    assert found == []
