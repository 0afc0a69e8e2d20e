"""Ten thousand sessions to re-score, by workers that are killed."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import LessonVersion, QuestionVoid, Session, Turn
from telemetry.chains.verification import chains_verify
from telemetry.models import Event
from tests.database import this_database
from tests.lesson_engine.services.questions.conftest import Start, finished, fresh, work
from tests.lesson_engine.services.questions.test_withdrawing import withdraw

WORKER = """
from config.celery_app import app
import django
django.setup()
from lesson_engine.tasks import rescore_voids
while True:
    rescore_voids()
"""
_MANY = """
INSERT INTO lesson_engine_session (id, user_id, lesson_id, lesson_version_id, mode, status, version, state, started_at,
                                   active_at, finished_at, doubtful, dead_ends, attacks)
SELECT gen_random_uuid(), user_id, lesson_id, lesson_version_id, mode, status, version, state, started_at, active_at,
       finished_at, doubtful, dead_ends, attacks
FROM lesson_engine_session, generate_series(1, %s) WHERE id = %s
"""


def many_like(session: Session, count: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_MANY, [count, session.pk])


def worker() -> subprocess.Popen[bytes]:
    """A process that re-scores in the database of the tests."""
    environment = {
        **os.environ,
        "DATABASE_URL": this_database(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": settings.SECRET_KEY,  # the heads of the chains are signed with it
    }
    return subprocess.Popen([sys.executable, "-c", WORKER], cwd=Path(settings.BASE_DIR), env=environment)


def rescored() -> int:
    return Turn.objects.filter(kind="void").count()


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_ten_thousand_sessions_and_workers_that_are_killed(light: LessonVersion, start: Start, learner: User) -> None:
    many_like(finished(start(light)), 9_999)
    withdraw(light)
    for aim in (100, 1_500, 4_000):
        processes = [worker(), worker()]
        give_up = time.monotonic() + 300
        while rescored() < aim:
            assert time.monotonic() < give_up
            time.sleep(0.01)
        for process in processes:
            process.kill()
            process.wait()
        assert rescored() < 10_000
        QuestionVoid.objects.update(lease_until=timezone.now())  # what the time does
    work()
    void = QuestionVoid.objects.get()
    assert (void.state, void.rescored, rescored()) == ("done", 10_000, 10_000)
    assert Session.objects.filter(state__asks__ASK_001__outcome="voided", status="finished").count() == 10_000
    assert Event.objects.filter(event="result.rescored").count() == 10_000
    assert {check.fault for check in chains_verify()} == {None}
    assert set(Session.objects.values_list("version", flat=True)) == {fresh(Session.objects.all()[0]).version}
