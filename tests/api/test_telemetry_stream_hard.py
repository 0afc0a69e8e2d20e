"""Exports from a real server: any number of events in little memory, and readers who are slow or gone hold nothing."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from django.conf import settings
from django.db import connection

from accounts.models import User
from accounts.services import token_issue
from telemetry.contracts import EXPORTS_CHAIN
from telemetry.models import Event
from tests.api.conftest import EVERYTHING
from tests.api.many_events import fill
from tests.browser.server import Server, until

LINES = "/api/v1/telemetry/events.jsonl"
CHAINS, EVENTS = 1000, 200
READERS = 40  # more than the server has threads or connections
pytestmark = [pytest.mark.hard, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def token(staff: User) -> str:
    return token_issue(user=staff, name="export", scopes=EVERYTHING, days=1)[1]


@pytest.fixture
def server(transactional_db: None) -> Iterator[Server]:
    """The web process on the database of the tests, with many events."""
    fill(chains=CHAINS, events=EVENTS)
    one = Server(settings.DATABASE_URL, connection.settings_dict["NAME"], Path(settings.VAR_DIR) / "stream")
    one.var.mkdir(parents=True, exist_ok=True)
    one.log.unlink(missing_ok=True)
    try:
        one.start()
        yield one
    finally:
        one.kill()


def _get(server: Server, path: str, token: str) -> http.client.HTTPResponse:
    client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    client.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    return client.getresponse()


def _memory(server: Server) -> int:
    assert server.process is not None
    return int(psutil.Process(server.process.pid).memory_info().rss)


def _connections(server: Server) -> list[str]:
    """What the server's connections are doing."""
    query = "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with connection.cursor() as cursor:
        cursor.execute(f"{query} AND application_name <> 'psql'")
        return [state for (state,) in cursor.fetchall()]


def test_any_number_of_events_in_little_memory(server: Server, token: str) -> None:
    assert len(_get(server, f"{LINES}?session=c-1", token).read().splitlines()) == EVENTS
    before, most, count, size = _memory(server), 0, 0, 0
    response = _get(server, LINES, token)
    assert (response.status, response.headers["Transfer-Encoding"]) == (200, "chunked")
    for line in response:
        if count % 5000 == 0:
            most = max(most, _memory(server))
            assert json.loads(line)["data"].get("askCode", f"ASK_{count}") == f"ASK_{count}"
        count, size = count + 1, size + len(line)
    assert count == CHAINS * EVENTS + 1  # and the first export's own event
    assert size > 40_000_000
    assert most - before < 30_000_000


def test_slow_readers_hold_neither_threads_nor_connections(server: Server, token: str) -> None:
    with ExitStack() as readers:
        for _ in range(READERS):
            readers.enter_context(_stalled(server, token))
        for _ in range(20):
            assert _get(server, "/api/v1/lessons/", token).status == 200
        until(lambda: set(_connections(server)) <= {"idle"}, "no connection is at work or in a transaction")
        assert len(_connections(server)) <= settings.DATABASE_POOL_SIZE + 1  # and this test's own
    for _ in range(20):  # now they are gone
        assert _get(server, "/api/v1/lessons/", token).status == 200
    assert len(_get(server, f"{LINES}?session=c-1", token).read().splitlines()) == EVENTS
    assert Event.objects.filter(chain_id=EXPORTS_CHAIN).count() == READERS + 1
    assert "Traceback" not in server.log.read_text()


def _stalled(server: Server, token: str) -> socket.socket:
    """A reader who takes the beginning and then nothing more."""
    reader = socket.socket()
    reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    reader.connect(("127.0.0.1", server.port))
    reader.settimeout(60)
    reader.sendall(f"GET {LINES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    assert reader.recv(12) == b"HTTP/1.1 200"
    return reader
