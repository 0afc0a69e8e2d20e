"""A rolling restart from the commit before, and a restore from a backup that was taken under load."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from config.launcher import checks, child
from tests.browser.server import Server, until
from tests.faults.conftest import VAR, database_fill
from tests.faults.learner import Learner
from tests.faults.postgres import Postgres
from tests.faults.proxy import HOST
from tests.faults.site import DATABASE, Site
from tests.former import former_project
from tests.provider import hangs

pytestmark = pytest.mark.faults
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")


@pytest.fixture
def before() -> Path:
    return former_project(VAR / f"before-{_WORKER}")


class Former(Server):
    """The web of the former project."""

    def __init__(self, project: Path, site: Site, cluster: Postgres) -> None:
        super().__init__(cluster.url(), DATABASE, project / "var", **site.settings)
        self.project, self.database_url = project, cluster.url(DATABASE)  # as the superuser, as it did

    def start(self) -> None:
        with checks.bound_to((HOST, self.port), 2) as bound, self.log.open("ab") as log:
            lifeline, self._lifeline = os.pipe()
            inherited = {child.LIFELINE: lifeline, child.SOCKET: bound.fileno()}
            self.process = subprocess.Popen(
                [sys.executable, "-m", child.__name__, "web"],
                cwd=self.project,
                env={**self.environment(), **{name: str(number) for name, number in inherited.items()}},
                stdout=log,
                stderr=log,
                pass_fds=tuple(inherited.values()),
                start_new_session=True,
            )
        until(lambda: self.get("/healthz") == 200, f"the former web answers; see {self.log}")


@pytest.fixture
def former(site: Site, before: Path) -> Iterator[Former]:
    """The former project serves on a database that it has made itself; the new one does not serve yet."""
    folder = VAR / f"former-{_WORKER}"
    Postgres(folder).delete()
    cluster = Postgres(folder)
    cluster.make()
    cluster.start()
    site.end_all()
    former = Former(before, site, cluster)
    try:
        with psycopg.connect(cluster.url(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}".encode())
        database_fill(former.environment(), project=before)
        site.stand_on(cluster)
        former.start()
        yield former
    finally:
        former.kill()
        cluster.delete()


def test_rolling_restart_from_the_commit_before(site: Site, former: Former) -> None:
    """The new schema, then the new web beside the former one, then the new one alone; learners go to either."""
    learners = [Learner(site, url=former.url) for _ in range(2)]
    for learner in learners:
        learner.assert_counted()
    site.cluster.database_make(DATABASE)
    site.run("manage.py", "migrate", "--no-input")
    for learner in learners:
        learner.assert_counted()
    site.start()
    learners.append(Learner(site))
    for url in (site.url, former.url, site.url):
        for learner in learners:
            learner.go_to(url)
            learner.assert_counted()
    last = learners[0]
    last.go_to(former.url)
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    step = last.write()
    last.sending(step)
    site.provider.wait_calls(calls + 1)
    former.kill()
    site.leases_end()
    last.go_to(site.url)
    assert last.send(step).status_code == 200
    for learner in learners:
        learner.go_to(site.url)
        learner.assert_counted()
    site.run("manage.py", "audit_sign", "--unsigned")  # what the former project wrote
    site.assert_whole()


@contextmanager
def load(learners: list[Learner]) -> Iterator[None]:
    """All of them answer as fast as they are answered, for as long as the block lasts."""
    stop = threading.Event()

    def answer(learner: Learner) -> None:
        while not stop.is_set():
            learner.answer()

    threads = [threading.Thread(target=answer, args=[learner]) for learner in learners]
    for thread in threads:
        thread.start()
    try:
        until(lambda: all(learner.sent > 2 for learner in learners), "load")
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def restored_files(cluster: Postgres, folder: Path) -> Postgres:
    folder.mkdir(mode=0o700)
    if cluster.user:
        shutil.chown(folder, cluster.user)
    cluster.run("pg_basebackup", "-d", cluster.url(), "-D", str(folder), "--checkpoint=fast", "-X", "stream")
    restored = Postgres(folder)
    restored.start()
    return restored


def restored_dump(cluster: Postgres, folder: Path) -> Postgres:
    restored = Postgres(folder)
    restored.make()
    restored.start()
    dumped = subprocess.run([str(cluster.bin / "pg_dump"), "-Fc", cluster.url(DATABASE)], capture_output=True)
    assert not dumped.returncode, dumped.stderr
    restored.database_make(DATABASE)
    command = [str(cluster.bin / "pg_restore"), "--exit-on-error", "-d", restored.url(DATABASE)]
    done = subprocess.run(command, input=dumped.stdout, capture_output=True)
    assert not done.returncode, done.stderr
    return restored


@pytest.mark.parametrize("restore", [restored_files, restored_dump], ids=["pg_basebackup", "pg_dump"])
def test_restore_from_a_backup_taken_under_load(site: Site, restore: Callable[[Postgres, Path], Postgres]) -> None:
    """What was answered after the backup is lost, and the learners go on from where they were then."""
    folder = VAR / f"restored-{_WORKER}"
    Postgres(folder).delete()
    learners = [Learner(site) for _ in range(4)]
    with load(learners):
        restored = restore(site.cluster, folder)
    try:
        site.end_all()
        site.stand_on(restored)
        site.start()
        site.leases_end()
        for learner in learners:
            learner.come_back()
            learner.assert_counted()
        site.assert_whole()
    finally:
        restored.delete()
