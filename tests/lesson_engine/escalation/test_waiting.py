"""Learners who wait for a second opinion keep neither the server's threads nor its connections from the others."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.conf import settings

from tests.browser.server import Server
from tests.conftest import ask, lesson_data
from tests.lesson_engine.escalation.conftest import CONTRADICTS, FEEDBACK
from tests.provider import Provider, hangs

LEARNERS, CONNECTIONS = 6, 2
OPINION = '{"verdict": "ACCEPT", "confidence": "high", "tricks": false}'
BEGIN = """
import json, sys
from accounts.models import Scope, User
from accounts.services import token_issue
from lesson_engine.models import Lesson, Mode
from lesson_engine.services import sessions, turns
lesson, made = Lesson.objects.get(slug="light"), []
for number in range(int(sys.argv[1])):
    user = User.objects.create_user(f"waits-{number}", password="correct horse battery")
    session = sessions.session_enter(user=user, lesson=lesson, mode=Mode.ADAPTIVE).session
    turns.session_continue(session=session, version=session.version, key="begin")
    scopes = [Scope.SESSIONS_READ, Scope.SESSIONS_WRITE]
    made.append([str(session.pk), session.version, token_issue(user=user, name="test", scopes=scopes, days=1)[1]])
print(json.dumps(made))
"""


@pytest.fixture
def provider() -> Iterator[Provider]:
    """For a server of its own: no settings of this process point at it."""
    with Provider() as running:
        yield running


@pytest.fixture
def server(tmp_path: Path, provider: Provider) -> Iterator[Server]:
    """A web process with two connections to its database."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    variables = {"OPENAI_BASE_URL": provider.url, "DATABASE_POOL_SIZE": str(CONNECTIONS)}
    running = Server(settings.DATABASE_URL, f"waiting_{worker}", Path(settings.VAR_DIR) / "browser", **variables)
    try:
        running.prepare()
        yield running
    finally:
        running.kill()
        running.drop()


@pytest.mark.hard
def test_all_wait_at_once_and_others_are_served(server: Server, provider: Provider, tmp_path: Path) -> None:
    provider.always(hangs(text=OPINION))
    lesson = tmp_path / "light.json"
    lesson.write_text(json.dumps(lesson_data(ask(feedback=FEEDBACK))))
    server.manage("import_lesson", str(lesson))
    begun = json.loads(server.python(BEGIN, str(LEARNERS)))
    server.start()

    def answer(session: str, version: int, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"answer-{session}"}
        address = f"{server.url}/api/v1/sessions/{session}/answers/"
        return httpx.post(address, json={"version": version, "text": CONTRADICTS}, headers=headers, timeout=60)

    def hint(session: str, version: int, token: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": f"hint-{session}"}
        return httpx.post(
            f"{server.url}/api/v1/sessions/{session}/hint/", json={"version": version}, headers=headers, timeout=60
        )

    with ThreadPoolExecutor(2 * LEARNERS) as threads:
        answers = [threads.submit(answer, *one) for one in begun]
        provider.wait_calls(LEARNERS, 30)  # all of them, though there are but two threads and connections
        assert httpx.get(f"{server.url}/readyz", timeout=10).status_code in (200, 503)
        assert httpx.get(f"{server.url}/lessons/light/", timeout=10).status_code == 200
        open_ = server.rows("SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND state <> 'idle'", server.name)
        assert open_[0][0] <= CONNECTIONS
        hints = [threads.submit(hint, *one) for one in begun]
        while not all(hinted.done() for hinted in hints):  # each waits for its session's answer for five seconds
            assert httpx.get(f"{server.url}/lessons/light/", timeout=3).status_code == 200
        refused = {(hinted.result().status_code, hinted.result().json()["code"]) for hinted in hints}
        assert refused == {(409, "turn-still-running")}
        provider.release()
        assert [answered.result().status_code for answered in answers] == [200] * LEARNERS
    rows = server.rows("SELECT state, outcome, count(*) FROM gateway_hold GROUP BY 1, 2")
    assert rows == [("settled", "answered", LEARNERS)]
    assert "ledger ok" in server.manage("ledger_check")
