"""`make run` on the data of an earlier version, in which everything is the superuser's and nothing is signed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.former import PROJECT, former_project
from tests.operations.deployed import folder

pytestmark = pytest.mark.hard
PREPARE = "from config.launcher.prepare import prepare; prepare()"
LESSON = """
from accounts.services import guest_create
from lesson_engine.models import Lesson
from lesson_engine.services.sessions import session_start
from lesson_engine.services.turns import session_continue
session = session_start(user=guest_create(), lesson=Lesson.objects.get(slug="fotosintesis"))
session_continue(session=session, version=session.version, key="first")
"""
UNSIGN = """
from gateway.models import Account
from telemetry.models import Chain
Chain.objects.filter(pk=Chain.objects.earliest("pk").pk).update(signature="")
Account.objects.update(signature="")
"""


@pytest.fixture
def place() -> Iterator[Path]:
    with folder() as path:
        yield path


def run(place: Path, project: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "HOME": str(place), "ANDAMIO_VAR": str(place / "var")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project,
        env={**environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
    )


def done(place: Path, project: Path, *arguments: str) -> str:
    ended = run(place, project, *arguments)
    assert not ended.returncode, f"{ended.stdout}\n{ended.stderr}"
    return ended.stdout


def test_the_embedded_database_of_an_earlier_version_is_brought_up_to_date_and_signed_once(place: Path) -> None:
    before = former_project(place / "before")
    done(place, before, "-c", PREPARE + LESSON)
    told = done(place, PROJECT, "-c", PREPARE)
    assert "migrations applied" in told
    assert "Signing what is on record ... " in told
    assert "events: " in told
    assert "have faults" not in told
    for command in ("audit_verify", "ledger_check"):
        done(place, PROJECT, "manage.py", command)
    again = done(place, PROJECT, "-c", PREPARE)
    assert "Bringing the database up to date ... nothing new" in again
    assert "Signing" not in again
    done(place, PROJECT, "-c", "import django; django.setup()" + UNSIGN)
    assert "Signing" not in done(place, PROJECT, "-c", PREPARE), "later that is an operator's to decide"
    assert run(place, PROJECT, "manage.py", "audit_sign").returncode == 1
    done(place, PROJECT, "manage.py", "audit_sign", "--unsigned")
    done(place, PROJECT, "manage.py", "audit_verify")
    done(place, PROJECT, "manage.py", "ledger_check")
