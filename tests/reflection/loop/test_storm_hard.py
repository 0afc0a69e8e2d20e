"""Hundreds of failures at once, reflected on by workers that are killed: each once, and the books are right."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import Count, Sum
from django.utils import timezone

from accounts.models import User
from evaluation.models import PendingReflection
from gateway.ledger import expire
from gateway.models import Account, Hold
from memory.models import Episode, StrategyAdjustment
from reflection.models import Reflection as ReflectionRow
from tests.browser.server import PROJECT, end, until
from tests.database import this_database
from tests.gateway.ledger_helpers import assert_books_right
from tests.provider import Provider, says
from tests.reflection.conftest import failed

pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]
PEOPLE = 25
CITIES = ("Paris", "Rome", "Lima", "Oslo", "Cairo")
WORK = """
import django; django.setup()
from evaluation.models import PendingReflection
from reflection.tasks import reflect
while PendingReflection.objects.filter(state="running").exists():
    reflect()
"""
SAID = json.dumps(
    {
        "analysis": "The hotel has a quality of 5 where 7 was wanted, because the strategy looked at the price first:"
        " this budget-first approach conflicts with what the user asked for, so the user rejected it.",
        "patterns_identified": [],
        "strategy_adjustments": ["Add constraint: quality >= 7"],
        "learning": "Look at the quality of a hotel before its price, which prevents that the user rejects it again.",
    }
)


def worker(provider: Provider | None) -> "subprocess.Popen[bytes]":
    own = {"DATABASE_URL": this_database(application_name="reflecting"), "SECRET_KEY": settings.SECRET_KEY}
    if provider is not None:
        own |= {"OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "x"}
    environment = {**os.environ, **own}
    return subprocess.Popen([sys.executable, "-c", WORK], cwd=PROJECT, env=environment, start_new_session=True)


def connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'reflecting'")
        return int(cursor.fetchone()[0])


@contextmanager
def working(provider: Provider | None) -> Iterator[list["subprocess.Popen[bytes]"]]:
    workers = [worker(provider) for _ in range(2)]
    try:
        yield workers
    finally:
        for one in workers:
            end(one)
        until(lambda: connections() == 0, "their connections are gone")


def storm(people: list[User], provider: Provider | None, *, failures: int, kills: int) -> None:
    """Reflect on everything, with both workers killed again and again in the middle."""
    for number in range(failures):
        failed(people[number % len(people)], f"Book hotel in {CITIES[number % len(CITIES)]}")
    assert PendingReflection.objects.filter(state="running").count() == failures
    for kill in range(1, kills + 1):
        with working(provider):
            until(lambda kill=kill: ReflectionRow.objects.count() >= kill * 20, "some are done")  # type: ignore[misc]
        PendingReflection.objects.filter(state="running").update(lease_until=timezone.now())
    with working(provider) as workers:
        for one in workers:
            one.wait()


def assert_each_once(people: list[User], failures: int) -> None:
    assert not PendingReflection.objects.filter(state="running").exists()
    assert ReflectionRow.objects.count() == failures
    assert not ReflectionRow.objects.filter(kept=None).exists()
    in_force = ReflectionRow.objects.filter(in_force=True).count()
    assert in_force
    assert Episode.objects.filter(user__in=people, outcome="failure").count() == in_force
    twice = (
        StrategyAdjustment.objects.values("user", "reflection_id", "position").annotate(n=Count("pk")).filter(n__gt=1)
    )
    assert not twice.exists()


@pytest.fixture
def people() -> list[User]:
    return [User.objects.create_user(f"person-{number}", password="x") for number in range(PEOPLE)]


def test_500_failures_are_reflected_on_once_each_though_workers_are_killed(people: list[User]) -> None:
    storm(people, None, failures=500, kills=6)
    assert_each_once(people, 500)
    assert not Hold.objects.exists()


def test_200_failures_with_a_model_hold_every_budget(people: list[User], provider: Provider) -> None:
    provider.always(says(SAID))
    storm(people, provider, failures=200, kills=4)
    assert_each_once(people, 200)
    expire(now=timezone.now() + timedelta(hours=1))
    assert_books_right(open_holds=0)
    for account in Account.objects.filter(scope__in=("user_day", "agent_month", "operation")):
        assert account.spent <= account.limit
    asked = Hold.objects.filter(agent="reflector")
    assert asked.exists()
    assert (asked.aggregate(cost=Sum("cost"))["cost"] or 0) > 0
