"""Two at once, an erasing meanwhile, and kill -9 in the middle: a question is on record whole, once, or not at all."""

import os
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings

from accounts.models import User
from accounts.services import learner_erase
from routing.errors import ConsultFailed, CorrectionRefused
from routing.models import AuditEntry, LabelledExample, QueryPlan, Question
from routing.services import plan_correct, question_ask
from telemetry.chains.verification import chains_verify
from tests.browser.server import PROJECT, end, until
from tests.database import this_database
from tests.gateway.ledger_helpers import until_somebody_waits
from tests.routing.audit.test_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MESSAGE = "¿Qué IVA llevan mis honorarios?"
ASK = """
import django; django.setup()
import sys
from accounts.models import User
from routing.services import question_ask
question_ask(user=User.objects.get(pk=sys.argv[1]), message=sys.argv[2], request_key="k" * 64)
"""


@pytest.fixture
def ana() -> User:
    return User.objects.create_user("ana")


def assert_on_record(plans: int) -> None:
    assert QueryPlan.objects.count() == plans == AuditEntry.objects.filter(query_plan__isnull=False).count()
    assert [check for check in chains_verify() if check.fault] == []


def _connections() -> int:
    with psycopg.connect(this_database()) as looking:
        query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'killed'"
        return int((looking.execute(query).fetchone() or (0,))[0])


def test_a_double_click_is_one_question(ana: User) -> None:
    at_once(*[lambda: question_ask(user=ana, message=MESSAGE, request_key="k" * 64)] * 4)
    assert_on_record(1)
    assert Question.objects.count() == 1


def test_two_who_correct_the_same_plan_make_one_correction(ana: User) -> None:
    plan = question_ask(user=ana, message=MESSAGE)
    refused = []

    def correct(domain: str) -> None:
        try:
            plan_correct(plan_id=plan.pk, domain=domain, by=ana)
        except CorrectionRefused:
            refused.append(domain)

    at_once(lambda: correct("brand"), lambda: correct("growth"), lambda: correct("brand"))
    corrected = QueryPlan.objects.get(corrects=plan)
    assert "brand" in refused or "growth" in refused
    assert LabelledExample.objects.get().domain == corrected.domains[0]
    assert_on_record(2)


def test_whoever_is_erased_while_they_ask_leaves_no_words(ana: User) -> None:
    def ask() -> None:
        for _ in range(5):
            try:
                question_ask(user=ana, message=MESSAGE)
            except ConsultFailed:
                return

    at_once(ask, lambda: learner_erase(user=ana))
    assert not Question.objects.filter(message__isnull=False).exists()
    assert [check for check in chains_verify() if check.fault] == []


@pytest.mark.hard
def test_a_process_killed_before_the_commit_leaves_nothing_and_the_question_can_be_asked_again(
    ana: User,
) -> None:
    question_ask(user=ana, message="precio m2")
    options = "-c client_connection_check_interval=50"
    own = {
        "DATABASE_URL": this_database(application_name="killed", options=options),
        "SECRET_KEY": settings.SECRET_KEY,
    }
    with psycopg.connect(this_database()) as holder:
        holder.execute("SELECT 1 FROM routing_auditchain FOR UPDATE")
        process = subprocess.Popen(
            [sys.executable, "-c", ASK, str(ana.pk), MESSAGE],
            cwd=PROJECT,
            env={**os.environ, **own},
            start_new_session=True,
        )
        try:
            until_somebody_waits()
        finally:
            end(process)
        until(lambda: not _connections(), "its connections are gone")
    assert_on_record(1)
    question_ask(user=ana, message=MESSAGE, request_key="k" * 64)
    assert_on_record(2)
