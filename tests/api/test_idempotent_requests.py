"""A request with an Idempotency-Key is done once, whoever repeats it, at once or late, also over a killed process."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.conf import settings as project
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Scope, User
from core.api.idempotency import request_claim, request_finish, request_release
from core.models import Heartbeat, IdempotentRequest
from core.services import requests_purge
from tests.api import probe
from tests.api.sessions import Program
from tests.api.test_problems import PROBE, problem_of
from tests.browser.server import PROJECT, end
from tests.database import this_database
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db
KEY = "5e0f2c1a-7b2d-4a7e-9a55-0c4f8f0f3c11"


@pytest.fixture
def program(learner: User, probes: probe.Runs) -> Client:
    return Program(learner).client


@pytest.fixture
def gate() -> Iterator[probe.Gate]:
    """The probe named `slow` stands still inside until the test opens its gate."""
    probe.gates["slow"] = probe.Gate()
    yield probe.gates["slow"]
    probe.gates.pop("slow").open.set()


def send(client: Client, key: str | None = KEY, *, method: str = "post", path: str = PROBE, **body: Any) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    data = json.dumps({"name": "a", **body})
    return getattr(client, method)(path, data, content_type="application/json", headers=headers)


def test_the_second_gets_the_stored_answer(program: Client) -> None:
    first, second = send(program), send(program)
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    assert json.loads(first.content) == {"name": "a", "run": 1, "key": KEY}
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    for name in ("Content-Type", "Location", "Cache-Control"):
        assert first.headers[name] == second.headers[name]
    assert probe.runs == {"a": 1}
    assert IdempotentRequest.objects.get().state == IdempotentRequest.State.DONE


def test_without_a_key_each_runs_with_one_of_its_own(program: Client) -> None:
    keys = {json.loads(send(program, None).content)["key"] for _ in range(3)}
    assert len(keys) == 3
    assert probe.runs == {"a": 3}
    assert not IdempotentRequest.objects.exists()


def test_another_body_method_or_address_is_refused(program: Client) -> None:
    send(program)
    for other in (
        send(program, note="more"),
        send(program, method="patch"),
        send(program, path=f"{PROBE}other/"),
    ):
        problem_of(other, 422, "idempotency-key-reused")
    assert probe.runs == {"a": 1}


def test_two_people_may_use_the_same_key(program: Client, stranger: User) -> None:
    other = Program(stranger).client
    assert send(program).status_code == send(other).status_code == 201
    assert probe.runs == {"a": 2}


def test_two_programs_of_one_person_share_their_keys(program: Client, learner: User) -> None:
    send(program)
    assert send(Program(learner).client).headers["Idempotent-Replayed"] == "true"


@pytest.mark.parametrize(
    "key", ["", " ", "a b", "a" * 256, "a\tb", "a\x01", "a\x7f", "ä", "🔑", "a\x00b"], ids=lambda key: ascii(key)[:12]
)
def test_keys_that_are_none_are_refused(program: Client, key: str) -> None:
    header = key.encode().decode("latin-1")
    response = program.post(
        PROBE, json.dumps({"name": "a"}), content_type="application/json", HTTP_IDEMPOTENCY_KEY=header
    )
    problem_of(response, 400, "idempotency-key-invalid")
    assert not probe.runs


@pytest.mark.parametrize("key", ["a", "a" * 255, '"quoted"', "';DROP--", "!~", "%00%0d%0a"])
def test_any_visible_ascii_is_a_key(program: Client, key: str) -> None:
    send(program, key)
    assert send(program, key).headers["Idempotent-Replayed"] == "true"
    assert probe.runs == {"a": 1}


def test_a_refusal_of_the_request_itself_is_stored(program: Client) -> None:
    first, second = send(program, outcome="invalid"), send(program, outcome="invalid")
    problem_of(second, 422, "invalid-request")
    assert first.content == second.content
    assert second.headers["Idempotent-Replayed"] == "true"
    assert probe.runs == {"a": 1}


@pytest.mark.parametrize(("outcome", "status"), [("busy", 409), ("crash", 500), ("database", 503)])
def test_what_may_go_better_next_time_frees_the_key(program: Client, outcome: str, status: int) -> None:
    program.raise_request_exception = False
    for _ in range(2):
        assert send(program, outcome=outcome).status_code == status
    assert probe.runs == {"a": 2}
    assert not IdempotentRequest.objects.exists()
    assert not Heartbeat.objects.filter(name__startswith="a ").exists()
    assert send(program).status_code == 201  # the key is as good as new


def test_somebody_without_the_right_cannot_take_a_key(program: Client, stranger: User) -> None:
    weak = Program(stranger, scopes=(Scope.SESSIONS_READ,)).client
    assert send(weak).status_code == 403
    assert send(Client()).status_code == 401
    assert not IdempotentRequest.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_while_the_first_runs_the_second_is_told_to_wait(program: Client, gate: probe.Gate) -> None:
    first: list[Any] = []

    def run() -> None:
        try:
            first.append(send(program, name="slow"))
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert gate.entered.wait(30)
    other = Client(headers={"Authorization": program.defaults["HTTP_AUTHORIZATION"]})
    waiting = send(other, name="slow")
    problem_of(waiting, 409, "request-still-running")
    assert int(waiting.headers["Retry-After"]) >= 1
    problem_of(send(other, name="slow", note="else"), 422, "idempotency-key-reused")
    gate.open.set()
    thread.join(30)
    late = send(other, name="slow")
    assert first[0].status_code == late.status_code == 201
    assert late.content == first[0].content
    assert probe.runs == {"slow": 1}


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_runs(learner: User, probes: probe.Runs) -> None:
    clients = [Program(learner).client for _ in range(8)]
    for name in ("first", "second", "third", "fourth", "fifth"):
        answers = at_once([partial(send, one, f"key-{name}", name=name) for one in clients])
        done = [answer for answer in answers if answer.status_code == 201]
        assert {answer.status_code for answer in answers} <= {201, 409}
        assert len({answer.content for answer in done}) == 1
        assert sum("Idempotent-Replayed" not in answer.headers for answer in done) == 1
        assert probes[name] == 1
        assert Heartbeat.objects.filter(name__startswith=f"{name} ").count() == 1


CLAIM = """
import sys, django
django.setup()
from core.api.idempotency import request_claim
request_claim(owner=sys.argv[1], key=sys.argv[2], fingerprint=sys.argv[3])
print("claimed", flush=True)
sys.stdin.read()
"""


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_after_a_killed_process_the_lease_runs_out_and_the_request_runs_again(program: Client, learner: User) -> None:
    send(program, "other")  # the fingerprint of the request, from one that was done
    fingerprint = IdempotentRequest.objects.get().fingerprint
    owner = f"user:{learner.pk}"
    process = subprocess.Popen(
        [sys.executable, "-c", CLAIM, owner, KEY, fingerprint],
        cwd=PROJECT,
        env=_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"claimed\n"
    end(process)  # SIGKILL
    problem_of(send(program), 409, "request-still-running")
    IdempotentRequest.objects.filter(key=KEY).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert send(program).status_code == 201
    assert send(program).headers["Idempotent-Replayed"] == "true"
    assert probe.runs == {"a": 2}
    assert IdempotentRequest.objects.get(key=KEY).takes == 2


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "DATABASE_URL": this_database(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": project.SECRET_KEY,
    }


@pytest.mark.django_db(transaction=True)
def test_of_many_that_find_a_lease_run_out_one_runs(program: Client, learner: User) -> None:
    send(program, "other")
    fingerprint = IdempotentRequest.objects.get().fingerprint
    request_claim(owner=f"user:{learner.pk}", key=KEY, fingerprint=fingerprint)
    IdempotentRequest.objects.filter(key=KEY).update(lease_until=timezone.now() - timedelta(seconds=1))
    clients = [Program(learner).client for _ in range(8)]
    answers = at_once([partial(send, one) for one in clients])
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert probe.runs == {"a": 2}


def test_who_outlived_the_lease_changes_nothing(learner: User) -> None:
    values = {"owner": f"user:{learner.pk}", "key": KEY, "fingerprint": "f" * 64}
    slow = request_claim(**values)
    IdempotentRequest.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    quick = request_claim(**values)
    assert not isinstance(slow, IdempotentRequest)
    assert not isinstance(quick, IdempotentRequest)
    request_release(claim=slow)
    request_finish(claim=slow, response=HttpResponse("slow"))
    assert IdempotentRequest.objects.get().state == IdempotentRequest.State.RUNNING
    request_finish(claim=quick, response=HttpResponse("quick"))
    request_release(claim=slow)
    request_release(claim=quick)
    assert bytes(IdempotentRequest.objects.get().body or b"") == b"quick"


def test_answers_are_kept_for_a_day(program: Client) -> None:
    send(program, "old")
    send(program, "new")
    IdempotentRequest.objects.filter(key="old").update(created_at=timezone.now() - timedelta(hours=25))
    IdempotentRequest.objects.filter(key="new").update(created_at=timezone.now() - timedelta(hours=23))
    assert requests_purge() == 1
    assert IdempotentRequest.objects.get().key == "new"


def test_a_stored_answer_costs_four_statements(program: Client) -> None:
    send(program)
    # 1. the token with its user; 2. how often they asked this minute; 3. the claim; 4. the answer.
    with CaptureQueriesContext(connection) as queries:
        send(program)
    assert [query["sql"].split()[0] for query in queries if "POINT" not in query["sql"]] == [
        "SELECT",
        "INSERT",
        "INSERT",
        "SELECT",
    ]
