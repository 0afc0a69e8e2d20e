"""The benchmarks that fill tables past the application's rights do so, and measure."""

import subprocess
import sys

import pytest

from tests.browser.server import PROJECT

_SMALL = {
    "benchmarks": ("--turns-only", "--learners", "1", "--rounds", "1", "--seconds", "0.3"),
    "benchmarks.dashboard": ("--events", "3000", "--tail", "300", "--rounds", "2"),
    "benchmarks.memories": ("--users", "5", "--each", "20", "--rounds", "3"),
}


@pytest.mark.hard
@pytest.mark.parametrize("name", _SMALL)
def test_benchmark_measures(name: str) -> None:
    command = [sys.executable, "-m", name, *_SMALL[name]]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert not done.returncode, f"{done.stdout}\n{done.stderr}"
    assert "p95 ms" in done.stdout
