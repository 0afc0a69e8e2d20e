"""A real server, with hashed static files and a database of its own, in processes that a test may kill."""

import contextlib
import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, LiteralString, TypeVar

import psycopg
from django.conf import settings
from psycopg import sql

from config.database_roles import APPLICATION, OWNER, database_prepare
from tests.database import administration, database_copy, superuser, template_of, with_role

PROJECT = Path(__file__).resolve().parent.parent.parent
PASSWORD = "correct horse battery"
START_SECONDS, STOP_SECONDS = 180.0, 60.0
WEB = ("-m", "config.serve", "--log-level", "warning")
CELERY = ("-m", "celery", "--quiet", "--app", "config.celery_app")
WORKER = (*CELERY, "worker", "--pool", "threads", "--concurrency", "1", "--without-gossip", "--without-mingle")

TEMPLATE = "prepared"
"""The prepared database that the databases of all servers of one run are copies of; one is made in each run."""

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
        self.database_url = with_role(database_url, APPLICATION, dbname=name)
        self.settings = settings
        self.log = var / f"{name}.log"
        self.process: subprocess.Popen[bytes] | None = None
        self._helper: subprocess.Popen[str] | None = None
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def prepare(self) -> None:
        """Schema, translations, static files, the lessons through their command, and the demo accounts."""
        self.var.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        self.drop()
        with (self.var / "prepare.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            template = self._template()
            with administration(self.admin_url) as connection:
                database_copy(connection, self.name, template)

    def drop(self) -> None:
        self.end_helper()
        self._admin("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name)

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
            [sys.executable, *arguments], cwd=PROJECT, env=self.environment(), capture_output=True, text=True
        )
        assert not done.returncode, f"{arguments} failed:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def python(self, code: str, *arguments: str) -> str:
        """Run this code on the server's database and return what it printed. Django is set up."""
        return self._ask_helper("-c", code, *arguments)

    def manage(self, *arguments: str) -> str:
        """Run a management command."""
        return self._ask_helper(*arguments)

    def _ask_helper(self, *arguments: str) -> str:
        if self._helper is None:
            self._helper = self._spawn_helper()
        assert self._helper.stdin is not None
        assert self._helper.stdout is not None
        self._helper.stdin.write(json.dumps(arguments) + "\n")
        self._helper.stdin.flush()
        line = self._helper.stdout.readline()
        assert line, f"the helper ended; see {self.log}"
        is_well, printed, errors = json.loads(line)
        assert is_well, f"{arguments} failed:\n{printed}\n{errors}"
        return str(printed)

    def _spawn_helper(self) -> "subprocess.Popen[str]":
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.browser.helper"],
                cwd=PROJECT,
                env=self.environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )

    def end_helper(self) -> None:
        """What was asked of it is done; the next question starts another one."""
        if self._helper is not None:
            with self._helper:
                self._helper.kill()
            self._helper = None

    def spawn(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start Python with these arguments in a process group of its own, its output in the log."""
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *arguments],
                cwd=PROJECT,
                env=self.environment(),
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

    def _template(self) -> str:
        """The name of the prepared database, which the first of the run to ask makes, in place of older ones."""
        run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
        name = f"{TEMPLATE}_{run}"
        with administration(self.admin_url) as connection:
            query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
            known = {row[0] for row in connection.execute(query, [f"{TEMPLATE}%"])}
        if name not in known:
            for other in known:
                self._admin("DROP DATABASE {} WITH (FORCE)", other)
            making = Server(self.admin_url, f"{TEMPLATE}_unfinished", self.var, **self.settings)
            self._create(making.name)
            making.run("-c", "from config.launcher.prepare import prepare; prepare()")
            self._admin("ALTER DATABASE {} RENAME TO {}", making.name, name)
        return name

    def _create(self, name: str) -> None:
        """Create it with the schema, where this is the PostgreSQL of the tests; another one has no copy of it."""
        if self.admin_url != settings.DATABASE_URL:
            maintenance_url = with_role(self.admin_url, superuser())
            database_prepare(maintenance_url, with_role(maintenance_url, superuser(), dbname=name), name)
            return
        with administration(self.admin_url) as connection:
            database_copy(connection, name, template_of(connection))

    def _admin(self, statement: LiteralString, *names: str) -> None:
        with administration(self.admin_url) as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "NEWCOMERS_ADDRESS": "100000",  # every visitor of every test comes from here
            **self.settings,
            "ANDAMIO_VAR": str(self.var),
            "DATABASE_URL": self.database_url,
            "DATABASE_OWNER_URL": with_role(self.database_url, OWNER),
            "DEMO_PASSWORD": PASSWORD,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "STAFF_WITHOUT_SECOND_FACTOR": "nobody but these tests can reach this server",
            "SECRET_KEY": "only for servers of tests, on databases that are dropped after them",
        }


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and whatever it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
