"""The processes that `make run` starts and watches."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from config.launcher import child, places
from config.launcher.console import Problem, say

STABLE_SECONDS = 60.0  # a process that lived this long did not fail at its start
CRASHES_IN_A_ROW = 6  # then it is given up; until then it waits 1, 2, 4, 8 and 16 seconds
STOP_SECONDS = 12.0  # a little more than a child gives itself
LOG_BYTES = 10_000_000


class Child:
    """One process, in a session of its own: Ctrl-C reaches the launcher alone, which keeps the order of things."""

    def __init__(self, name: str, role: str, inherited: dict[str, int]) -> None:
        """`inherited` maps the environment variables that name the file descriptors of the child to these."""
        self.name, self.role, self.inherited = name, role, inherited
        self.log = places.var() / "log" / f"{name}.log"
        self.crashes = 0
        self.given_up = False
        self.start_again_at: float | None = None
        self.start()

    def start(self) -> None:
        """Start it, with its output in `var/log/`; what the last run wrote is kept."""
        self.started_at, self.start_again_at = time.monotonic(), None
        self.log.parent.mkdir(parents=True, exist_ok=True)
        variables = {name: value for name, value in os.environ.items() if not name.startswith("DATABASE_OWNER_URL")}
        variables |= {name: str(descriptor) for name, descriptor in self.inherited.items()}
        with self.log.open("ab") as log:
            self._log_start = log.tell()
            self.process = subprocess.Popen(
                [sys.executable, "-m", child.__name__, self.role],
                cwd=places.PROJECT,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=tuple(self.inherited.values()),
                start_new_session=True,
            )

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def last_lines(self, count: int = 12) -> str:
        """The end of what the present process wrote."""
        with self.log.open("rb") as log:
            log.seek(self._log_start if self._log_start <= self.log.stat().st_size else 0)  # it may have been rotated
            return "\n".join(log.read().decode(errors="replace").splitlines()[-count:])

    def signal_group(self, number: signal.Signals) -> None:
        """Send a signal to the process and to whatever it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)

    def look_after(self) -> None:
        """Start it again when it died: at once after a long life, later and later after short ones, then no more."""
        now = time.monotonic()
        if self.given_up or self.is_alive():
            return
        if self.start_again_at is None:
            self._plan_restart(now)
        elif now >= self.start_again_at:
            self.start()

    def _plan_restart(self, now: float) -> None:
        code, log = self.process.returncode, places.short(self.log)
        self.signal_group(signal.SIGKILL)  # what it may have started
        self.crashes = 1 if now - self.started_at > STABLE_SECONDS else self.crashes + 1
        if self.crashes >= CRASHES_IN_A_ROW:
            self.given_up = True
            say(f"The {self.name} keeps ending (code {code}) and is not started again; see {log}.")
            return
        delay = 2.0 ** (self.crashes - 1)
        self.start_again_at = now + delay
        say(f"The {self.name} ended unexpectedly (code {code}); starting it again in {delay:.0f} s. See {log}.")


def start_all(socket_number: int, lifeline: int, web_processes: int) -> list[Child]:
    """Start web, worker and beat. `socket_number` has the address, `lifeline` the reading end of the pipe."""
    common = {child.LIFELINE: lifeline}
    names = ["web"] if web_processes == 1 else [f"web-{number}" for number in range(1, web_processes + 1)]
    children = [Child(name, "web", {**common, child.SOCKET: socket_number}) for name in names]
    return [*children, Child("worker", "worker", common), Child("beat", "beat", common)]


def check_start(children: Iterable[Child]) -> None:
    """Raise `Problem` with the end of its log when a process cannot start: the web at once, others after some tries."""
    for each in children:
        if each.role != "web":
            each.look_after()
        if each.given_up or (each.role == "web" and not each.is_alive()):
            raise Problem(f"The {each.name} does not start; the end of {places.short(each.log)}:\n{each.last_lines()}")


def watch(children: list[Child]) -> None:
    """Keep the children alive; returns never, ends by `Stop`, or by `Problem` when no web process is left."""
    logs = [each.log for each in children]
    if folder := places.database_folder():
        logs.append(folder / "log")
    while True:
        for log in logs:
            log_rotate(log)
        for each in children:
            each.look_after()
        if all(each.given_up for each in children if each.role == "web"):
            raise Problem("No web process is left.")
        time.sleep(0.2)


def log_rotate(log: Path) -> None:
    """Keep what a log that is too long holds as `.1`, and empty it. Who writes it goes on: it is open for appending.

    On a disk that is full it is emptied all the same: that gives room, and the processes must be watched on.
    """
    former = log.with_name(f"{log.name}.1")
    with contextlib.suppress(OSError):
        if log.stat().st_size <= LOG_BYTES:
            return
        try:
            shutil.copyfile(log, former)
        except OSError:
            former.unlink(missing_ok=True)
        finally:
            os.truncate(log, 0)


def stop_all(children: list[Child], in_a_hurry: Callable[[], bool]) -> None:
    """End all children: politely, then, after a bounded wait or a second Ctrl-C, for good."""
    for each in children:
        each.signal_group(signal.SIGTERM)
    deadline = time.monotonic() + STOP_SECONDS
    while any(each.is_alive() for each in children) and time.monotonic() < deadline and not in_a_hurry():
        time.sleep(0.05)
    for each in children:
        each.signal_group(signal.SIGKILL)
        each.process.wait()
