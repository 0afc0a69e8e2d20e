"""Web processes of the application and of the floor, started as `make run` starts them, and the load beside them."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psutil

from config.launcher import checks, child, children, console, places

HOST = "127.0.0.1"
_START_SECONDS = 120.0


class Site:
    """One set of web processes behind one socket."""

    def __init__(self, name: str, processes: int, lifeline: int, variables: dict[str, str]) -> None:
        self._socket = checks.bound_to((HOST, 0), socket.AF_INET)
        self.port = int(self._socket.getsockname()[1])
        inherited = {child.LIFELINE: lifeline, child.SOCKET: self._socket.fileno()}
        with _environment(variables):
            self.processes = [children.Child(f"{name}-{n}", "web", inherited) for n in range(1, processes + 1)]

    def wait(self) -> None:
        """Until it answers. Not by `/readyz`: that asks for a worker too, and none is measured here."""
        deadline = time.monotonic() + _START_SECONDS
        while not self._answers():
            children.check_start(self.processes)
            if time.monotonic() > deadline:
                raise console.Problem(f"The web processes do not answer after {_START_SECONDS:.0f} s.")
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://{HOST}:{self.port}/healthz", timeout=5) as response:
                return bool(response.status == 200)
        except OSError:
            return False

    def cpu_seconds(self) -> list[float]:
        """What each process has used so far."""
        return [_cpu(psutil.Process(one.process.pid)) for one in self.processes]


class Load:
    """The load generator's process; see `benchmarks.load`."""

    def __init__(self, turns_port: int, floor_port: int, learners: int) -> None:
        arguments = [str(number) for number in (turns_port, floor_port, learners)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.load", *arguments],
            cwd=places.PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._read()

    def round(self, target: str, learners: int, seconds: float) -> dict[str, Any]:
        """One round; what `benchmarks.load.Crowd.round` returns."""
        assert self._process.stdin is not None
        print(json.dumps({"target": target, "learners": learners, "seconds": seconds}), file=self._process.stdin)
        self._process.stdin.flush()
        return dict(self._read())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the load generator ended; what it said is above")
        return json.loads(line)


def postgres_cpu_seconds() -> float:
    """What the embedded server's processes have used so far, together."""
    folder = places.database_folder()
    assert folder is not None
    server = psutil.Process(int((folder / "postmaster.pid").read_text().split()[0]))
    return sum(_cpu(process) for process in [server, *server.children()])


def stop(sites: Sequence[Site]) -> None:
    """End all web processes."""
    children.stop_all([one for site in sites for one in site.processes], lambda: False)


def _cpu(process: psutil.Process) -> float:
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return float(times.user + times.system)


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
