"""The first minutes of somebody who cloned the project: nothing there but the tracked files, and `make run`."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.hard
PROJECT = Path(__file__).resolve().parent.parent.parent
READY = "Ctrl-C stops everything."
INSTALL_SECONDS, STOP_SECONDS = 900, 40
KEPT = ("PATH", "LANG", "TMPDIR", "SSL_CERT_FILE")


@pytest.fixture
def clone() -> Iterator[Path]:
    """A folder with what a clone of the present state would hold, and beside it a home without anything."""
    git = shutil.which("git")
    if git is None or not (PROJECT / ".git").exists():
        pytest.skip("needs git and a working copy")
    command = [git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout.split("\0")
    folder = Path(tempfile.mkdtemp(prefix="andamio-"))
    (folder / "home").mkdir()
    for name in names:
        if (PROJECT / name).is_file():
            (folder / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(PROJECT / name, folder / "clone" / name)
    yield folder / "clone"
    for process in processes_in(folder):
        process.kill()
    shutil.rmtree(folder)


def processes_in(folder: Path) -> list[psutil.Process]:
    """Whatever runs from or on the folder."""
    found = psutil.process_iter(["cmdline", "cwd"])
    return [one for one in found if str(folder) in " ".join([*(one.info["cmdline"] or ()), one.info["cwd"] or ""])]


def make_run(clone: Path, port: int) -> subprocess.Popen[str]:
    """As from a terminal of its own; only what says where packages come from is taken along."""
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("PIP_")}
    return subprocess.Popen(
        ["make", "run", f"PORT={port}"],
        cwd=clone,
        env={**kept, "HOME": str(clone.parent / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def read_until_ready(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    overdue = threading.Timer(INSTALL_SECONDS, os.killpg, [process.pid, signal.SIGKILL])
    overdue.start()
    output = ""
    for line in process.stdout:
        output += line
        if READY in line:
            overdue.cancel()
            return output
    overdue.cancel()
    pytest.fail(f"It ended before it was ready:\n{output}")


def test_a_fresh_clone_serves_with_one_command_and_stops_without_a_trace(clone: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    process = make_run(clone, port)
    output = read_until_ready(process)
    assert f"http://127.0.0.1:{port}" in output
    assert "Traceback" not in output
    for path in ("/", "/readyz"):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
            assert response.status == 200

    running = processes_in(clone)
    assert running
    os.killpg(process.pid, signal.SIGINT)
    last_words = process.communicate(timeout=STOP_SECONDS)[0]
    assert "Stopped; your data is kept in var/" in last_words
    assert "Traceback" not in last_words
    psutil.wait_procs(running, timeout=STOP_SECONDS)
    assert [one.cmdline() for one in processes_in(clone)] == []
