"""Who is slow has no thread: one thread serves everybody else meanwhile."""

import asyncio
import http.client
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.web.application import Application
from config.web.connections import CLIENT_GONE
from config.web.threads import Threads
from core.operations.connections import waiting
from core.pages.streaming import BlockStream
from core.views import healthz
from tests.browser.server import until
from tests.each import each
from tests.network.serving import Running, serving
from tests.network.slow import Slow

MANY = 2000
LARGE = 8_000_000  # bytes; more than the buffers between server and client take
STATIC = "/static/large.txt"
entered, go_on = threading.Event(), threading.Event()
worked_on: list[str] = []


def quick(request: HttpRequest) -> HttpResponse:
    worked_on.append(request.META["REMOTE_ADDR"])
    with connection.cursor() as cursor:
        cursor.execute("SELECT 7")
        return HttpResponse(f"{cursor.fetchone()[0]} {threading.get_ident()}")


def large(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"x" * LARGE)


def stream(request: HttpRequest) -> BlockStream:
    return BlockStream(iter([b"x" * LARGE]))


def model(request: HttpRequest) -> HttpResponse:
    with waiting():
        return wait(request)


def wait(request: HttpRequest) -> HttpResponse:
    entered.set()
    assert go_on.wait(30)
    return quick(request)


urlpatterns = [path(f"{view.__name__}/", view) for view in (quick, large, stream, model, wait)]
pytestmark = [pytest.mark.urls("tests.network.test_threads"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def server(settings: Any, tmp_path: Path) -> Iterator[Running]:
    """With one thread, and one file of static files."""
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "large.txt").write_bytes(b"x" * LARGE)
    worked_on.clear()
    with serving(Application(threads=1, at_once={"/healthz": healthz})) as running:
        yield running


@pytest.fixture
def busy(server: Running) -> Iterator[Running]:
    """Whose thread works until `go_on` is set."""
    entered.clear()
    go_on.clear()
    with connect(server, "/wait/"):
        assert entered.wait(30)
        yield server
        go_on.set()


def get(server: Running, address: str, **headers: str) -> http.client.HTTPResponse:
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    asking.request("GET", address, headers=headers)
    return asking.getresponse()


def connect(server: Running, address: str, source: str = "127.0.0.1") -> socket.socket:
    """A connection on which a whole request was sent."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30, source_address=(source, 0))
    connection.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    return connection


def in_line(server: Running, count: int) -> None:
    until(lambda: len(server.server_state.tasks) == 1 + count, "their requests wait, and one is worked on", 30)


def test_forms_sent_letter_by_letter(server: Running) -> None:
    with Slow(server.port) as slow:
        slow.forms(5, "/quick/")
        slow.chunks(5, "/quick/")
        until(lambda: len(server.server_state.tasks) == 10, "their requests have begun")
        assert get(server, "/quick/").status == 200


@each("address", ["/large/", "/stream/", STATIC])
def test_answers_that_nobody_takes(server: Running, address: str) -> None:
    with Slow(server.port) as slow:
        slow.readers(5, address)
        until(lambda: len(server.server_state.tasks) == 5, "their requests have begun")
        assert get(server, "/quick/").status == 200


def test_requests_that_wait_for_a_model(server: Running) -> None:
    entered.clear()
    go_on.clear()
    addresses = ["/model/"] * 5
    with ThreadPoolExecutor(len(addresses)) as clients:
        answers = [clients.submit(get, server, address) for address in addresses]
        assert entered.wait(30)
        assert get(server, "/quick/").status == 200
        go_on.set()
        assert [answer.result(30).status for answer in answers] == [200] * len(addresses)
    assert get(server, "/quick/").status == 200


def test_a_client_that_goes_while_it_is_answered_leaves_thread_and_connection(server: Running) -> None:
    entered.clear()
    go_on.clear()
    leaving = socket.create_connection(("127.0.0.1", server.port))
    leaving.sendall(b"GET /wait/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert entered.wait(30)
    leaving.close()
    until(lambda: not server.server_state.connections, "the server has seen it go")
    go_on.set()
    assert get(server, "/quick/").read().startswith(b"7 ")
    until(lambda: not server.server_state.tasks, "nothing is left of it")


def test_requests_leave_the_line_when_their_clients_have_gone(busy: Running) -> None:
    for _ in range(MANY // 100):
        for _ in range(100):  # few enough for the queue of the system, which resets what is too much for it
            connect(busy, "/quick/").close()
        assert get(busy, "/healthz").status == 200
    in_line(busy, 0)
    go_on.set()
    assert get(busy, "/quick/").status == 200
    assert len(worked_on) == 2, "more than the first and the last were worked on"


def test_a_request_whose_client_the_system_knows_to_be_gone_is_not_begun() -> None:
    sent: list[object] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request"}

    async def send(message: object) -> None:
        sent.append(message)

    worked_on.clear()
    scope = {"type": "http", "method": "GET", "path": "/quick/", "query_string": b"", "headers": []}
    asyncio.run(Application(threads=1)({**scope, "extensions": {CLIENT_GONE: lambda: True}}, receive, send))
    assert not worked_on
    assert not sent


def test_the_line_is_fair_by_network(busy: Running) -> None:
    with ExitStack() as clients:
        for _ in range(5):
            clients.enter_context(connect(busy, "/quick/", "127.0.0.2"))
        in_line(busy, 5)
        other = clients.enter_context(connect(busy, "/quick/", "127.0.0.3"))
        in_line(busy, 6)
        go_on.set()
        assert other.recv(1000).startswith(b"HTTP/1.1 200 ")
        until(lambda: len(worked_on) == 7, "all are worked on")
    assert worked_on.index("127.0.0.3") == 2, "it did not come after the first of those before it"


def test_of_too_many_in_line_the_newest_of_the_largest_network_is_refused(
    busy: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Threads, "most_waiting", 3)
    with ExitStack() as clients:
        crowd = []
        for number in range(3):
            crowd.append(clients.enter_context(connect(busy, "/quick/", "127.0.0.2")))
            in_line(busy, number + 1)
        other = clients.enter_context(connect(busy, "/quick/", "127.0.0.3"))
        refusal = http.client.HTTPResponse(crowd.pop())
        refusal.begin()
        assert (refusal.status, refusal.headers["Retry-After"]) == (503, "5")
        assert b"One moment, please" in refusal.read()
        go_on.set()
        assert all(one.recv(1000).startswith(b"HTTP/1.1 200 ") for one in (other, *crowd))


def test_the_line_has_a_deadline(busy: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Threads, "seconds", 0.3)
    assert get(busy, "/quick/").status == 503
    go_on.set()
    assert get(busy, "/quick/").status == 200


@each("address", ["/stream/", STATIC])
def test_a_reader_that_goes_ends_what_is_sent(server: Running, address: str) -> None:
    with Slow(server.port) as slow:
        slow.readers(3, address)
        until(lambda: len(server.server_state.tasks) == 3, "their requests have begun")
    until(lambda: not server.server_state.tasks, "nothing is left of them")


@each(("address", "is_own"), [("/quick/", True), ("/stream/", False)])
def test_a_request_ends_in_its_own_thread_or_in_none_of_a_request(
    server: Running, address: str, *, is_own: bool
) -> None:
    ended: list[int] = []

    def note(**_: object) -> None:
        ended.append(threading.get_ident())

    own = int(get(server, "/quick/").read().split()[1])
    request_finished.connect(note)
    try:
        get(server, address).read()
        until(lambda: ended, "the request has ended")
    finally:
        request_finished.disconnect(note)
    assert (ended == [own]) is is_own


def test_a_static_file_comes_whole_in_part_or_not_again(server: Running) -> None:
    whole = get(server, STATIC)
    assert (whole.status, len(whole.read()), whole.headers["X-Content-Type-Options"]) == (200, LARGE, "nosniff")
    assert get(server, STATIC, Range="bytes=5-9").read() == b"xxxxx"
    assert get(server, STATIC, **{"If-None-Match": whole.headers["ETag"]}).status == 304
