"""deploy/bootstrap.py: from any state of `.venv` to a complete one, or one clear line."""

import ast
import hashlib
import json
import re
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy import bootstrap
from deploy.bootstrap import Place, Problem

PROJECT = Path(__file__).resolve().parent.parent.parent


def write_wheel(folder: Path) -> str:
    """A package small enough to install in no time; returns its line for a lock file."""
    wheel = folder / "andamio_probe-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("andamio_probe.py", "")
        info = "andamio_probe-1.0.dist-info"
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: andamio-probe\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return f"andamio-probe==1.0 --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, pytest.MonkeyPatch]]:
    """A project with a finished `.venv`; packages come from a folder, not from the network."""
    root = tmp_path_factory.mktemp("project")
    (root / "requirements").mkdir()
    line = write_wheel(root)
    for kind in ("base", "dev"):
        (root / "requirements" / f"{kind}.txt").write_text(line)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL"):
            patch.delenv(name, raising=False)
        patch.setenv("PIP_CONFIG_FILE", "/dev/null")
        patch.setenv("PIP_NO_INDEX", "1")
        patch.setenv("PIP_FIND_LINKS", str(root))
        bootstrap.ensure(str(root), "base")
        yield root, patch


@pytest.fixture
def project(made: tuple[Path, pytest.MonkeyPatch], tmp_path: Path) -> Path:
    """A copy that the test may break."""
    return shutil.copytree(made[0], tmp_path / "project", symlinks=True)


def test_an_old_python_can_read_the_file() -> None:
    ast.parse((PROJECT / "deploy" / "bootstrap.py").read_text(), feature_version=(3, 6))


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 0), (2, 7, 18)])
def test_an_old_python_is_told_in_one_line_what_is_needed(version: tuple[int, int, int]) -> None:
    problem = bootstrap.python_problem(version)
    assert problem is not None
    assert "3.11" in problem
    assert f"{version[0]}.{version[1]}" in problem
    assert "\n" not in problem


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 2), (4, 0, 0)])
def test_a_new_enough_python_is_taken(version: tuple[int, int, int]) -> None:
    assert bootstrap.python_problem(version) is None


@pytest.mark.hard
def test_a_finished_venv_is_left_alone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bootstrap.ensure(str(project), "base", free=0)
    assert capsys.readouterr().out == ""


def test_the_stamp_names_the_lock_and_the_python(project: Path) -> None:
    stamp = json.loads(Path(Place(str(project)).stamp).read_text())
    digest = hashlib.sha256((project / "requirements" / "base.txt").read_bytes()).hexdigest()
    assert stamp == {"base": digest, "python": f"{sys.version_info[0]}.{sys.version_info[1]}"}


def test_what_running_needs_is_not_what_tests_need(project: Path) -> None:
    assert bootstrap.is_ready(Place(str(project)), "base")
    assert not bootstrap.is_ready(Place(str(project)), "dev")


def test_installing_for_tests_serves_running_too(project: Path) -> None:
    bootstrap.ensure(str(project), "dev")
    assert bootstrap.is_ready(Place(str(project)), "base")


def test_a_changed_lock_is_installed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = project / "requirements" / "base.txt"
    lock.write_text(f"# changed\n{lock.read_text()}")
    bootstrap.ensure(str(project), "base")
    assert "bringing .venv up to date" in capsys.readouterr().out
    assert bootstrap.is_ready(Place(str(project)), "base")


def test_an_interrupted_install_is_finished(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(str(project))
    Path(place.stamp).unlink()
    (package,) = project.glob(".venv/lib/*/site-packages/andamio_probe.py")
    shutil.rmtree(package.with_name("andamio_probe-1.0.dist-info"))
    bootstrap.ensure(str(project), "base")
    assert "unfinished: finishing it" in capsys.readouterr().out
    assert package.with_name("andamio_probe-1.0.dist-info").is_dir()


def test_a_package_left_half_unpacked_has_the_venv_made_anew(project: Path) -> None:
    (record,) = project.glob(".venv/lib/*/site-packages/andamio_probe-1.0.dist-info/RECORD")
    record.unlink()
    assert not bootstrap.is_repairable(Place(str(project)))


@pytest.mark.hard
def test_a_venv_without_a_working_python_is_made_anew(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = Place(str(project))
    Path(place.python).unlink()
    bootstrap.ensure(str(project), "base")
    assert "half-made or broken: making it anew" in capsys.readouterr().out
    assert bootstrap.is_ready(place, "base")


def test_a_full_disk_is_said_in_one_line_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "base.txt").touch()
    with pytest.raises(Problem, match=r"^Not enough room on the disk: 3 MB free in .*, 2000 MB needed\.$"):
        bootstrap.ensure(str(tmp_path), "base", free=3_000_000)
    assert not (tmp_path / ".venv").exists()


def test_a_failing_install_gives_one_line_with_its_error_and_the_log(project: Path) -> None:
    lock = project / "requirements" / "base.txt"
    lock.write_text("andamio-absent==9.9 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(Problem) as raised:
        bootstrap.ensure(str(project), "base")
    assert re.fullmatch(r"Installing packages failed: ERROR: .*andamio-absent.*bootstrap\.log", str(raised.value))
    assert "andamio-absent" in (project / "var" / "log" / "bootstrap.log").read_text()
    assert not bootstrap.is_ready(Place(str(project)), "base")


def test_a_package_that_is_not_the_locked_one_is_refused(project: Path) -> None:
    Path(Place(str(project)).stamp).unlink()
    for installed in project.glob(".venv/lib/*/site-packages/andamio_probe*"):
        shutil.rmtree(installed) if installed.is_dir() else installed.unlink()
    (project / "requirements" / "base.txt").write_text("andamio-probe==1.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(Problem, match="Installing packages failed"):
        bootstrap.ensure(str(project), "base")
