"""Lock files, Makefile and import contracts say what the rest of the project relies on."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent.parent
INSIDE = ("admin", "api", "forms", "tasks", "views")


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
    shown = subprocess.run(["make"], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    named = {line.split(":")[0] for line in shown.splitlines()}
    assert named == {f"make {name}" for name in ("help", "run", "test", "test-hard", "check", "bench", "lock")}


def test_the_inside_of_every_app_is_protected() -> None:
    config = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]
    protected = {name for contract in config["contracts"] for name in contract.get("protected_modules", [])}
    apps = [app for app in config["root_packages"] if app != "config"]
    assert protected == {f"{app}.{part}" for app in apps for part in INSIDE if _is_module(PROJECT / app / part)}


def _is_module(path: Path) -> bool:
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()
