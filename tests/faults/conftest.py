"""A site for each process of the tests, with a fresh copy of a prepared database for each file."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.browser.server import PROJECT, Server
from tests.conftest import lesson_data
from tests.database import schema_key
from tests.faults.learner import Learner
from tests.faults.postgres import Postgres
from tests.faults.site import DATABASE, QUESTION, Site, Work
from tests.provider import hangs

VAR = Path(settings.VAR_DIR) / "faults"
_WORKER = os.environ.get("PYTEST_XDIST_WORKER", "alone")
_PREPARE = """
from config.launcher.prepare import prepare
prepare()
from lesson_engine.services.lessons import lesson_import
import sys
for source in sys.argv[1:]:
    lesson_import(source=source.encode())
"""


@pytest.fixture(scope="session")
def prepared() -> Postgres:
    """A cluster with a prepared database, stopped, to be copied. It is kept for the runs to come."""
    VAR.mkdir(parents=True, exist_ok=True)
    folder = VAR / f"prepared-{schema_key()}"
    with (VAR / "prepare.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        if not folder.exists():
            for old in VAR.glob("prepared-*"):
                shutil.rmtree(old)
            _prepare(folder)
    return Postgres(folder)


def _prepare(folder: Path) -> None:
    making = Postgres(VAR / "unfinished")
    making.delete()
    making.make()
    making.start()
    making.database_make(DATABASE)
    database_fill(Server(making.url(), DATABASE, VAR).environment())
    making.stop()
    making.folder.rename(folder)


def database_fill(environment: dict[str, str], project: Path = PROJECT) -> None:
    """Prepare the database of this environment as `project` does, with the lessons of these tests."""
    goals = {"success_criteria": ["accuracy >= 80%"]}
    lessons = [QUESTION.lesson_json().decode(), json.dumps(lesson_data(policy=goals))]
    command = [sys.executable, "-c", _PREPARE, *lessons]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True)
    assert not done.returncode, f"{done.stdout}\n{done.stderr}"


@pytest.fixture(scope="session")
def _site(prepared: Postgres) -> Iterator[Site]:
    with Site(prepared, VAR, _WORKER) as site:
        yield site


@pytest.fixture(scope="module")
def cluster(prepared: Postgres) -> Iterator[Postgres]:
    """A database of this file's own, running."""
    folder = VAR / f"cluster-{_WORKER}"
    Postgres(folder).delete()
    cluster = prepared.copy(folder)
    cluster.start()
    yield cluster
    cluster.delete()


@pytest.fixture(scope="module")
def _site_of_module(_site: Site, cluster: Postgres) -> Iterator[Site]:
    shutil.rmtree(_site.anchors, ignore_errors=True)
    _site.stand_on(cluster)
    yield _site
    _site.end_all()


@pytest.fixture
def site(_site_of_module: Site, cluster: Postgres) -> Iterator[Site]:
    """Everything is there and works; one web process serves."""
    site = _site_of_module
    if not site.processes:
        site.start()
    yield site
    site.end_all()
    site.stand_on(cluster)


@pytest.fixture
def learner(site: Site) -> Learner:
    """A guest before a question that leaves the grader in doubt, in adaptive mode."""
    return Learner(site)


@pytest.fixture
def left(site: Site, learner: Learner) -> Learner:
    """A learner whose web process died while the model was asked; another one serves."""
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    learner.sending(learner.write())
    site.provider.wait_calls(calls + 1)
    site.web().kill()
    site.start()
    return learner


@pytest.fixture
def work_left(site: Site, left: Learner) -> Work:
    """A turn and a call whose process died, and a lesson that was finished; no message told a worker."""
    work = Work(site, site.lesson_finish())
    site.leases_end()
    return work
