"""Refuses a second definition of what `language/` defines: folding, stems, the unit registry, logistic curves.

Run from the project's folder; prints each place at fault and exits with 1 where there is one. A frozen version of
the grader keeps what it needs in a folder of its own.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

APPS = (
    "accounts", "analysis", "benchmarks", "config", "core", "evaluation", "gateway", "lesson_engine", "memory",
    "planning", "reflection", "routing", "telemetry",
)  # fmt: skip
NAMES = {
    "fold": "language.fold", "folded": "language.fold", "stem": "language.stems", "singular": "language.stems",
    "sigmoid": "language.calibration", "logistic": "language.calibration", "split_camel": "language.names",
    "language_of": "language.detect", "without_plural": "language.stems",
}  # fmt: skip
ENDINGS = {"stem": "language.stems", "singular": "language.stems"}
"""Last words of names of functions; `NAMES` are whole names. A leading underscore does not count."""
CALLS = {
    "normalize": "language.fold", "combining": "language.fold", "UnitRegistry": "language.units",
    "SnowballStemmer": "language.stems", "PorterStemmer": "language.stems", "stemmer": "language.stems",
}  # fmt: skip
ALLOWED = {
    "lesson_engine/grading/andamio_3/": "verdicts of andamio-3 rest on how it folds and stems",
    "routing/engine/lexical.py": "the router's coefficients are fitted on keywords compared by its stem",
}
"""Folders and modules that may define one of these, each with its reason."""


def faults_of(source: str) -> Iterator[tuple[int, str]]:
    """The lines of a module that define what is defined already, each with the module to take it from."""
    tree = ast.parse(source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (place := _place_of(node.name)):
            yield node.lineno, place
    for inner in ast.walk(tree):
        if isinstance(inner, ast.Call) and (place := CALLS.get(_name(inner.func))) and _is_foundation(inner.func):
            yield inner.lineno, place
        elif isinstance(inner, ast.BinOp) and _is_logistic(inner):
            yield inner.lineno, "language.calibration"


def _place_of(function: str) -> str | None:
    bare = function.lstrip("_")
    return NAMES.get(bare) or ENDINGS.get(bare.rpartition("_")[2])


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_foundation(function: ast.expr) -> bool:
    """Whether `normalize` and `combining` are those of unicodedata: a Decimal has a `normalize` too."""
    if isinstance(function, ast.Attribute) and function.attr in {"normalize", "combining"}:
        return isinstance(function.value, ast.Name) and function.value.id == "unicodedata"
    return True


def _is_logistic(node: ast.BinOp) -> bool:
    """1 / (1 + exp(...))."""
    below = node.right
    return (
        isinstance(node.op, ast.Div)
        and isinstance(below, ast.BinOp)
        and isinstance(below.op, ast.Add)
        and isinstance(below.right, ast.Call)
        and _name(below.right.func) == "exp"
    )


def main() -> int:
    """Print the faults of all apps. 1 where there is one, or where what is allowed has none any more."""
    lines, used = [], set()
    for path in sorted(path.as_posix() for app in APPS for path in Path(app).rglob("*.py")):
        faults = [] if "/migrations/" in path else list(faults_of(Path(path).read_text(encoding="utf-8")))
        allowed = next((folder for folder in ALLOWED if path.startswith(folder)), None)
        if allowed and faults:
            used.add(allowed)
        else:
            lines += [f"{path}:{line}: take it from {place}" for line, place in faults]
    lines += [f"deploy/one_definition.py: {name} is not needed any more" for name in sorted(ALLOWED.keys() - used)]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main())
