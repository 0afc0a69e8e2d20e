"""Finds code that nothing uses: functions, methods, classes and imports that the product, its templates and its
benchmarks never name. What only a test uses counts as unused.

Usage: `python deploy/dead_code.py`. vulture reads the sources; names in templates and strings (`list_display`, dotted
settings) count as used. What a library calls is named in `HOOKS`.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent
HOOKS = [
    "__*__",
    # Django: admin, forms, views, models, commands
    "Command", "add_*", "app_name", "changelist_view", "change_view", "choices", "clean*", "expected_parameters",
    "file_complete", "formfield_for_*", "get_*", "handle*", "has_*", "lookups", "password_change*", "process_*",
    "queryset", "ready",
    "receive_data_chunk", "save_*", "urlpatterns", "validate_*", "value_from_datadict",
    # Django REST framework, drf-spectacular, Pydantic
    "*Scheme", "allow_request", "authenticate*", "delete", "field_title_should_be_set", "get", "list",
    "model_parametrized_name", "patch", "post", "put", "target_class", "wait",
    # logging, ASGI, threads
    "application", "emit", "filter", "run",
    # what tests hold data files against
    "task_types_known",
    # names that the sources or docs/developer.md promise to people who call Andamio from Python
    "ReflectionImprovementLoop", "ReflectionLayer",
    "a*_quality_reflection", "actual_value", "astream", "astructured", "adecompose_task",
    "check_budget_before_operation", "decompose_task", "enforce_quality", "expected_value",
    "generate_quality_reflection", "raise_for_violations", "require_fits", "retrieve_experience",
]  # fmt: skip
DECORATORS = [
    "@*.connect*", "@*_validator*", "@*_serializer*", "@admin.*", "@app.*", "@cached_property", "@checks.*",
    "@computed_field*", "@override*", "@property", "@receiver*", "@register*", "@shared_task*", "@system_check*",
]  # fmt: skip
KINDS = ("function", "method", "class", "import", "property", "unreachable_code")


def main() -> int:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    apps = config["tool"]["importlinter"]["root_packages"]
    paths = [ROOT / name for name in (*apps, "benchmarks", "manage.py")]
    finder = Vulture(ignore_names=HOOKS, ignore_decorators=DECORATORS)
    finder.scavenge(paths, exclude=["*/migrations/*"])
    finder.used_names.update(_named_in_templates(), _named_in_strings(paths))
    unused = [item for item in finder.get_unused_code(min_confidence=60) if item.typ in KINDS]
    unused = [item for item in unused if "benchmarks" not in item.filename.parts]
    for item in unused:
        print(f"{item.filename.relative_to(ROOT)}:{item.first_lineno}: nothing uses the {item.typ} '{item.name}'")
    return 1 if unused else 0


def _named_in_templates() -> Iterator[str]:
    for path in (ROOT / "templates").rglob("*.html"):
        yield from re.findall(r"\w+", path.read_text(encoding="utf-8"))


def _named_in_strings(paths: list[Path]) -> Iterator[str]:
    """Identifiers in string constants: columns of the admin, relations of a query, dotted names of settings."""
    for path in (file for folder in paths for file in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
                yield from re.findall(r"[A-Za-z_]\w*", node.value)


if __name__ == "__main__":
    sys.exit(main())
