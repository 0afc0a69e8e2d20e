"""Lock files, Makefile and import contracts say what the rest of the project relies on."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent


def pins(kind: str) -> dict[str, str]:
    text = (PROJECT / "requirements" / f"{kind}.txt").read_text()
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE))


def test_the_lock_for_running_is_part_of_the_lock_for_tests() -> None:
    base = pins("base")
    assert base
    assert base.items() <= pins("dev").items()


@pytest.mark.parametrize("kind", ["base", "dev"])
def test_every_locked_package_has_a_hash_and_none_an_address(kind: str) -> None:
    text = (PROJECT / "requirements" / f"{kind}.txt").read_text()
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    assert not [line for line in lines if "://" in line or line.startswith("-")]
    entries = re.split(r"^(?=[A-Za-z0-9])", "\n".join(lines), flags=re.MULTILINE)[1:]
    assert not [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry]


def test_make_alone_explains_every_target_in_a_line() -> None:
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    shown = subprocess.run(["make"], cwd=PROJECT, env=alone, capture_output=True, text=True, check=True).stdout
    named = {line.split(":")[0] for line in shown.splitlines()}
    benches = ("large", "grading", "plans", "reflections", "routing", "analyze")
    measured = ("bench", *(f"bench-{name}" for name in benches), "soak")
    targets = ("help", "run", "test", "test-hard", "test-faults", "check", *measured, "lock")
    assert named == {f"make {name}" for name in targets}


def test_the_inside_of_every_app_is_protected() -> None:
    config = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
    protected = {name for contract in config["contracts"] for name in contract.get("protected_modules", [])}
    assert protected == {f"{app}.*" for app in config["root_packages"] if app not in ("config", "language")}


def test_importing_the_inside_of_another_app_is_found(tmp_path: Path) -> None:
    apps = (
        "accounts",
        "analysis",
        "config",
        "core",
        "evaluation",
        "gateway",
        "language",
        "lesson_engine",
        "memory",
        "planning",
        "reflection",
        "routing",
        "telemetry",
    )
    for app in apps:
        shutil.copytree(PROJECT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    planted = (
        "accounts.views.forms",
        "core.operations.logs",
        "gateway.embedding.local",
        "telemetry.rollups.advancing",
    )
    inside = "".join(f"import {name}\n" for name in planted)
    (tmp_path / "lesson_engine" / "planted.py").write_text(f"{inside}import accounts.services\n")
    (tmp_path / "config" / "planted.py").write_text("import lesson_engine.lesson_file.catalogue\n")
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = set(re.findall(r"^- (\S+) -> (\S+)", done.stdout, re.MULTILINE))
    expected = {("lesson_engine.planted", name) for name in planted} | {
        ("config.planted", "lesson_engine.lesson_file.catalogue")
    }
    assert done.returncode == 1
    assert found == expected, done.stdout


ROOT_OF_AN_APP = {
    *("__init__", "apps", "models", "contracts", "services", "selectors", "errors", "events", "api", "views", "admin"),
    *("urls", "tasks", "receivers", "signals"),
}
NAMED_BY_THE_DESIGN = {
    "evaluation.layer",
    "memory.manager",
    "planning.layer",
    "reflection.improvement",
    "reflection.layer",
    "routing.router",
}


def test_an_apps_root_holds_what_every_app_has_and_the_rest_stands_in_rooms() -> None:
    apps = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
    for app in set(apps) - {"config", "language"}:
        files = {path.stem for path in (PROJECT / app).glob("*.py")}
        strange = {name for name in files - ROOT_OF_AN_APP if f"{app}.{name}" not in NAMED_BY_THE_DESIGN}
        assert not strange, f"{app} has {strange} in its root: put it into a folder named for what it does"
        assert len(files) <= 15, f"{app} has {len(files)} files in its root"
