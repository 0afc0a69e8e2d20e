"""The database goes down under load and comes back: every request is charged once, and nothing stays held."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from config.database import embedded_url
from tests.browser.server import PROJECT, Server
from tests.provider import Provider, says

pytestmark = pytest.mark.hard
CALLERS = 12
LOAD = """
import django; django.setup()
import json, sys, threading
from collections import Counter
from django.db import connection
from gateway.contracts import Limits, Payer, Tier
from gateway.client import Model
from gateway.ledger import account_open
ended, stop = Counter(), threading.Event()
def calls(number):
    session = f"lesson-{number % 3}"
    payer = Payer(chain=session, session=session)
    while not stop.is_set():
        try:
            Model(Tier.CHEAP, payer=payer, operation="decompose_task").complete("Why?")
            ended["answered"] += 1
        except Exception as error:
            ended[type(error).__name__] += 1
        finally:
            connection.close()
for number in range(3):
    account_open(scope="session", key=f"lesson-{number}", limits=Limits(cents=3000))
callers = [threading.Thread(target=calls, args=[number]) for number in range(int(sys.argv[1]))]
for caller in callers: caller.start()
sys.stdin.read()
stop.set()
for caller in callers: caller.join()
print(json.dumps(ended))
"""
EXPIRE = """
from datetime import timedelta
from django.utils import timezone
from gateway.ledger import expire
while expire(now=timezone.now() + timedelta(hours=1)): pass
"""
HOLDS = "SELECT state, outcome, unverified, count(*) FROM gateway_hold GROUP BY 1, 2, 3"
ACCOUNTS = """
SELECT max(spent + held - "limit"), max(held), sum(spent) FILTER (WHERE scope = 'session') FROM gateway_account
"""
CHARGED = "SELECT coalesce(sum(cost), 0) FROM gateway_hold WHERE state = 'settled'"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """For a process of its own: no settings of this one point at it."""
    with Provider() as running:
        running.always(says("Sugar.", delay=0.05))
        yield running


@pytest.fixture
def postgres() -> Iterator[Path]:
    """The folder of a PostgreSQL server that no other test uses."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        yield Path(folder) / "postgres"
        stop(Path(folder) / "postgres")


def stop(postgres: Path) -> None:
    """As a power cut: what was not committed is lost, and nobody is told."""
    postmaster = psutil.Process(int((postgres / "postmaster.pid").read_text().splitlines()[0]))
    postmaster.send_signal(signal.SIGQUIT)
    postmaster.wait(30)


def load(server: Server) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", LOAD, str(CALLERS)],
        cwd=PROJECT,
        env=server.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_restart_under_load_loses_and_doubles_no_charge(postgres: Path, provider: Provider, tmp_path: Path) -> None:
    server = Server(embedded_url(postgres), "restarted", tmp_path, OPENAI_BASE_URL=provider.url)
    server.prepare()
    running = load(server)
    try:
        for _ in range(2):
            provider.wait_calls(len(provider.calls) + 60)
            stop(postgres)
            embedded_url(postgres)
        provider.wait_calls(len(provider.calls) + 60, seconds=60)
        printed = running.communicate("", timeout=60)[0]
    finally:
        running.kill()
    ended = json.loads(printed)
    assert set(ended) <= {"answered", "OperationalError", "InterfaceError"}, ended

    server.python(EXPIRE)
    settled = {row[:3]: row[3] for row in server.rows(HOLDS)}
    assert {state for state, _outcome, _unverified in settled} <= {"settled", "expired"}
    charged = sum(count for (state, _, _), count in settled.items() if state == "settled")
    # What was dispatched in the moment of the crash may not have been sent, and is charged all the same.
    assert len(provider.calls) <= charged <= len(provider.calls) + 2 * CALLERS
    assert settled["settled", "answered", False] >= ended["answered"]
    over, held, spent = server.rows(ACCOUNTS)[0]
    assert over <= 0
    assert held == 0
    assert server.rows(CHARGED) == [(spent,)]
    assert server.manage("ledger_check").startswith("ledger ok")
    assert "whole" in server.manage("audit_verify")
