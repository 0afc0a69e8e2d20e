"""docs/operator.md on servers of the operator's: PostgreSQL over TCP with passwords, Redis, RabbitMQ, or no broker."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from random import Random

import httpx
import pytest

from benchmarks.learner import Learner
from tests.browser.server import until
from tests.operations import deployed
from tests.operations.deployed import RABBITMQ, Deployment, block, folder, postgresql, psql, ready, section

pytestmark = pytest.mark.hard
Broker = Callable[[Path], AbstractContextManager[str]]
EVALUATED = "SELECT count(*) FROM lesson_engine_sessionplan WHERE evaluation_id IS NOT NULL"
OWNERS = "SELECT string_agg(DISTINCT tableowner, ' ') FROM pg_tables WHERE schemaname = 'public'"
AS_BEFORE = """
SET session_replication_role = replica;
UPDATE gateway_entry SET seq = NULL, previous_hash = '', hash = '';
UPDATE gateway_account SET length = 0, head_hash = '', signature = '';
UPDATE telemetry_chain SET signature = '';
"""
"""Rows from before signatures."""
MESSAGES = "SELECT count(*) FROM kombu_message"


@pytest.fixture
def place() -> Iterator[Path]:
    with folder() as path:
        yield path


def played(learner: Learner, ports: list[int], browser: httpx.Client, turns: int = 200) -> int:
    """Go on with the lesson, each request at the next of these servers, until it is finished; the turns that took."""
    for number in range(turns):
        if learner.finished:
            return number
        step = learner.next_step()
        url = f"http://127.0.0.1:{ports[number % len(ports)]}{step.path}"
        form = {"Content-Type": "application/x-www-form-urlencoded"} if step.body is not None else {}
        answer = browser.request(
            "GET" if step.body is None else "POST", url, content=step.body, headers={**dict(step.headers), **form}
        )
        learner.see(answer.status_code, answer.headers.get("location", ""), answer.text)
    return turns


@pytest.mark.parametrize("broker", ["redis", "rabbitmq", "database"])
def test_a_lesson_is_played_on_two_web_processes_of_which_one_is_killed(place: Path, broker: str) -> None:
    if broker == "redis" and not shutil.which("redis-server"):
        pytest.skip("redis-server is not installed")
    if broker == "rabbitmq" and not RABBITMQ.exists():
        pytest.skip("rabbitmq-server is not installed")
    start: Broker = getattr(deployed, broker)
    with postgresql(place) as postgres, start(place) as broker_url:
        script = block(section("More than one machine"), "sql").replace("'...'", f"'{deployed.PASSWORD}'")
        psql(postgres, script)
        deployment = Deployment(place, postgres, broker_url)
        try:
            deployment.once()
            assert psql(postgres, OWNERS, "andamio") == "andamio_owner"
            ports = [deployed.free_port(), deployed.free_port()]
            webs = [deployment.start("web", "--port", str(port)) for port in ports]
            for _ in range(2):
                deployment.start("worker")
            deployment.start("beat")
            for port, web in zip(ports, webs, strict=True):
                until(partial(ready, port, web), f"the server of port {port} is ready; see {place}")
            learner = Learner(Random(7))
            with httpx.Client(headers={"Accept-Language": "es"}, timeout=30) as browser:
                assert played(learner, ports, browser, turns=12) == 12
                deployed.kill(webs[0])
                played(learner, ports[1:], browser)
            assert learner.finished
            until(lambda: psql(postgres, EVALUATED, "andamio") == "1", "a worker has evaluated the session")
            assert (psql(postgres, MESSAGES, "andamio") != "0") == (broker == "database")
            assert "andamio_reader" in psql(postgres, "\\dp telemetry_event", "andamio")
            psql(postgres, AS_BEFORE, "andamio")
            signed = deployment.as_owner("audit_sign --unsigned")
            assert re.search(r"^accounts: [1-9]\d* chains signed$", signed, re.MULTILINE), signed
            for check in ("ledger_check", "audit_anchor", "audit_verify --anchors", "check --deploy"):
                deployment.run(f".venv/bin/python manage.py {check}")
        finally:
            deployment.stop()
