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
UNLIMITED = dict.fromkeys(("NEWCOMERS_ADDRESS", "WORK_RATE_USER", "WORK_RATE_ADDRESS"), "1000000000")
"""All learners of a benchmark come from one address, and click as quickly as they can."""


class Site:
    """One set of web processes behind one socket."""

    def __init__(self, name: str, processes: int, lifeline: int, variables: dict[str, str]) -> None:
        self._socket = checks.bound_to((HOST, 0), socket.AF_INET)
        self.port = int(self._socket.getsockname()[1])
        inherited = {child.LIFELINE: lifeline, child.SOCKET: self._socket.fileno()}
        with _environment(UNLIMITED | variables):
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


class Ordered:
    """A process that says when it is ready and then answers each order, a line of JSON, with one."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            cwd=places.PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.read()

    def order(self, **order: Any) -> dict[str, Any]:
        """One order, carried out."""
        self.send(**order)
        return dict(self.read())

    def send(self, **order: Any) -> None:
        """One order, whose lines are to be read."""
        assert self._process.stdin is not None
        print(json.dumps(order), file=self._process.stdin)
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def read(self) -> Any:
        """The next line."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the load generator ended; what it said is above")
        return json.loads(line)


class Load(Ordered):
    """The load generator's process; see `benchmarks.load`."""

    def __init__(self, turns_port: int, floor_port: int, learners: int) -> None:
        super().__init__("benchmarks.load", *(str(number) for number in (turns_port, floor_port, learners)))

    def round(self, target: str, learners: int, seconds: float) -> dict[str, Any]:
        """One round; what `benchmarks.load.Crowd.round` returns."""
        return self.order(target=target, learners=learners, seconds=seconds)


class Provider:
    """The provider of models of the tests, in a process of its own; every answer of it is `reply`, after `delay`."""

    def __init__(self, *, delay: float, reply: str, faults: float = 0.0) -> None:
        command = [sys.executable, "-m", "tests.provider", "--delay", str(delay), "--reply", reply]
        command += ["--faults", str(faults)]
        self._process = subprocess.Popen(command, cwd=places.PROJECT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError("the provider ended; what it said is above")

    def calls(self) -> int:
        """How often it was asked so far."""
        return int(self._told("")["calls"])

    def bill(self) -> dict[str, tuple[int, int]]:
        """The tokens that each call is charged for, in and out, by the id of its hold."""
        return {name: (prompt, completion) for name, (prompt, completion) in self._told("bill").items()}

    def _told(self, path: str) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url.removesuffix('v1')}{path}", timeout=30) as response:
            return dict(json.load(response))

    def cpu_seconds(self) -> float:
        """What it has used so far."""
        return _cpu(psutil.Process(self._process.pid))

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()


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
