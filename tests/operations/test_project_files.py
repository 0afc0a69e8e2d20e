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
    benches = ("bench", "bench-large", "bench-grading", "bench-plans", "bench-reflections", "bench-routing")
    targets = ("help", "run", "test", "test-hard", "check", *benches, "lock")
    assert named == {f"make {name}" for name in targets}


def test_the_inside_of_every_app_is_protected() -> None:
    config = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
    protected = {name for contract in config["contracts"] for name in contract.get("protected_modules", [])}
    assert protected == {f"{app}.*" for app in config["root_packages"] if app != "config"}


def test_importing_the_inside_of_another_app_is_found(tmp_path: Path) -> None:
    apps = (
        "accounts",
        "config",
        "core",
        "evaluation",
        "gateway",
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
    planted = ("accounts.forms", "core.readiness_checks", "gateway.embeddings", "telemetry.chain")
    inside = "".join(f"import {name}\n" for name in planted)
    (tmp_path / "lesson_engine" / "planted.py").write_text(f"{inside}import accounts.services\n")
    (tmp_path / "config" / "planted.py").write_text("import lesson_engine.catalogue\n")
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    found = set(re.findall(r"^- (\S+) -> (\S+)", done.stdout, re.MULTILINE))
    expected = {("lesson_engine.planted", name) for name in planted} | {("config.planted", "lesson_engine.catalogue")}
    assert done.returncode == 1
    assert found == expected, done.stdout
