"""Disk full, connections exhausted, database read-only: nothing half-written, and all is well when it is over."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.faults.conftest import VAR
from tests.faults.learner import Learner
from tests.faults.postgres import Postgres
from tests.faults.site import DATABASE, Site
from tests.provider import hangs

pytestmark = pytest.mark.faults
ROOM_MB = 24
"""For write-ahead log and temporary files while all is well."""
MOST_ANSWERS = 60
READ_ONLY = f"ALTER DATABASE {DATABASE} SET default_transaction_read_only = "


@pytest.fixture
def small_disk(prepared: Postgres) -> Iterator[Path]:
    """A file system in memory, with room for the prepared database and little more."""
    place = VAR / f"small-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    place.mkdir(exist_ok=True)
    used = int(subprocess.check_output(["du", "-sm", prepared.folder]).split()[0])
    mount = ["mount", "-t", "tmpfs", "-o", f"size={used + ROOM_MB}m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root may mount a file system of a size that a test can fill")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_disk_full(site: Site, prepared: Postgres, small_disk: Path) -> None:
    cluster = prepared.copy(small_disk / "postgres")
    cluster.start()
    try:
        site.stand_on(cluster)
        learner = Learner(site)
        learner.answer()
        with (small_disk / "filler").open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        for _ in range(MOST_ANSWERS):
            step = learner.write()
            if learner.send(step).status_code != 200:
                break
            learner.look()
        else:
            pytest.fail("a full disk changes nothing")
        (small_disk / "filler").unlink()
        if not cluster.is_alive():  # without room for its log PostgreSQL ends, to begin again from what it has
            cluster.start()
        site.leases_end()
        learner.send_again(step)
        learner.assert_counted()
        site.assert_whole()
    finally:
        cluster.delete()


def test_connections_exhausted(site: Site, learner: Learner) -> None:
    taken = []
    step = learner.write()
    try:
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                taken.append(psycopg.connect(site.cluster.url(DATABASE)))
        site.proxy.reset()  # the web's own are gone too, and there are no others
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                taken.append(psycopg.connect(site.cluster.url(DATABASE)))
        assert learner.send(step).status_code in (500, 503)
        assert site.get("/healthz") == 200
    finally:
        for connection in taken:
            connection.close()
    learner.send_again(step)
    learner.assert_counted()
    site.assert_whole()


@contextlib.contextmanager
def read_only(site: Site) -> Iterator[None]:
    """For connections from now on; those that there are go."""
    site.change(f"{READ_ONLY} on")
    site.proxy.reset()
    try:
        yield
    finally:
        with psycopg.connect(site.cluster.url(), autocommit=True) as connection:
            connection.execute(f"{READ_ONLY} off".encode())
        site.proxy.reset()


def test_read_only_database(site: Site, learner: Learner) -> None:
    step = learner.write()
    with read_only(site):
        statuses = [learner.send(step).status_code for _ in range(3)]
        assert set(statuses) <= {500, 503}
        learner.look()
    learner.send_again(step)
    learner.assert_counted()
    site.assert_whole()


def test_database_read_only_while_the_model_is_asked(site: Site, learner: Learner) -> None:
    """What the call cost cannot be written down; it is charged in full when its hold ends."""
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    step = learner.write()
    sending = learner.sending(step)
    site.provider.wait_calls(calls + 1)
    with read_only(site):
        site.provider.release()
        assert sending.result().status_code in (500, 503)
    site.leases_end()
    learner.send_again(step)
    learner.assert_counted()
    site.assert_whole()
