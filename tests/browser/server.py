"""A real server: uvicorn, hashed static files and a database of its own, in processes that a test may kill."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

PROJECT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "correct horse battery"
START_SECONDS, STOP_SECONDS = 60.0, 20.0
WEB = ("-m", "uvicorn", "config.asgi:application", "--lifespan", "off", "--log-level", "warning")
CELERY = ("-m", "celery", "--quiet", "--app", "config.celery_app")
WORKER = (*CELERY, "worker", "--pool", "threads", "--concurrency", "1", "--without-gossip", "--without-mingle")

T = TypeVar("T")


def until(look: Callable[[], T], what: str, seconds: float = START_SECONDS) -> T:
    """What `look` returns, as soon as that is true; fails when it is not in time."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, f"not within {seconds:g} s: {what}"
        time.sleep(0.02)
    return seen


class Server:
    """A database, prepared as `make run` prepares it, and the web process on it, which may end and start again."""

    def __init__(self, database_url: str, name: str, var: Path, **settings: str) -> None:
        """`database_url` leads to the PostgreSQL server; the database `name` is made anew there by `prepare`.

        `settings` are variables of the environment, for what differs from the defaults.
        """
        self.admin_url, self.name, self.var = database_url, name, var
        self.database_url = _other_database(database_url, name)
        self.settings = settings
        self.log = var / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Schema, translations, static files, the demo lesson through its command, and the demo accounts."""
        self.var.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        self.drop()
        self._admin(sql.SQL("CREATE DATABASE {}"))
        self.run("-c", "from config.launcher.prepare import prepare; prepare()")

    def drop(self) -> None:
        self._admin(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)"))

    def start(self) -> None:
        """Serve on the port, the same one each time, and return once it answers."""
        self.process = self.spawn(*WEB, "--port", str(self.port))
        until(self._answers, f"the server answers; see {self.log}")

    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self) -> None:
        """End it as a deployment does: what is under way is finished."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(STOP_SECONDS)

    def kill(self) -> None:
        """End it as a power cut does."""
        if self.process is not None:
            end(self.process)

    def run(self, *arguments: str) -> str:
        """Run Python with these arguments on the server's database and return what it printed."""
        done = subprocess.run(
            [sys.executable, *arguments], cwd=PROJECT, env=self._environment(), capture_output=True, text=True
        )
        assert not done.returncode, f"{arguments} failed:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def manage(self, *arguments: str) -> str:
        """Run a management command."""
        return self.run("manage.py", *arguments)

    def spawn(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start Python with these arguments in a process group of its own, its output in the log."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                cwd=PROJECT,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @contextlib.contextmanager
    def background(self, *arguments: str) -> Iterator[None]:
        """A process beside the server, for as long as the block lasts."""
        process = self.spawn(*arguments)
        try:
            yield
        finally:
            end(process)

    @contextlib.contextmanager
    def connection(self) -> Iterator[psycopg.Connection[Any]]:
        """The server's database. Django's own connections refuse to work beside Playwright's event loop."""
        with psycopg.connect(self.database_url, autocommit=True) as connection:
            yield connection

    def rows(self, query: str, *values: object) -> Sequence[tuple[Any, ...]]:
        with self.connection() as connection:
            return connection.execute(query.encode(), values).fetchall()

    def change(self, query: str, *values: object) -> None:
        with self.connection() as connection:
            connection.execute(query.encode(), values)

    def get(self, path: str) -> int:
        """The status of a plain request; 0 when nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended:\n{self.log.read_text()[-2000:]}"
        return self.get("/healthz") == http.client.OK

    def _admin(self, statement: sql.SQL) -> None:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(statement.format(sql.Identifier(self.name)))

    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            **self.settings,
            "ANDAMIO_VAR": str(self.var),
            "DATABASE_URL": self.database_url,
            "DEMO_PASSWORD": PASSWORD,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "STAFF_WITHOUT_SECOND_FACTOR": "nobody but these tests can reach this server",
            "SECRET_KEY": f"only for the browser tests of {self.name}, on a database that is dropped after them",
        }


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _other_database(url: str, name: str) -> str:
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    return make_conninfo(**{**parts, "dbname": name})
