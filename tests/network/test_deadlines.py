"""Connections whose clients take too long end, and there are never too many."""

import http.client
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from config.web.connections import CLIENT_GONE, Connection
from tests.browser.server import until
from tests.each import each
from tests.network.serving import Running, serving
from tests.network.slow import Slow

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
NEVER = GET.replace(b"/", b"/never", 1)
REFUSED = b"POST /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"


arrived, noticed = threading.Event(), threading.Event()


class Hurried(Connection):
    """The product's, in a hurry."""

    head_seconds, reader_seconds, most, _open = 0.3, 0.3, 8, {}


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers with much, with nothing before the body is whole, never, or at once."""
    if scope["path"] == "/blocking":
        arrived.set()
        until(scope["extensions"][CLIENT_GONE], "the system knows that the client has gone", 10)
        noticed.set()
    while scope["path"] == "/whole" and (await receive()).get("more_body"):
        pass
    while scope["path"] == "/never" and (await receive())["type"] != "http.disconnect":
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x" * (8_000_000 if scope["path"] == "/large" else 2)})


@pytest.fixture
def server() -> Iterator[Running]:
    with serving(application, http=Hurried, timeout_keep_alive=1) as running:
        yield running


def ended(server: Running) -> None:
    until(lambda: not server.server_state.connections, "no connection is left", 10)


def connect(server: Running, sent: bytes, address: str = "127.0.0.1") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10, source_address=(address, 0))
    connection.sendall(sent)
    return connection


@each("sent", [b"", b"\r\n", b"GET / HTTP/1.1\r\nHost: local", GET, GET + b"GET / HT", REFUSED + b"x"])
def test_a_head_that_does_not_come_an_idle_connection_and_the_rest_of_a_refused_body(
    server: Running, sent: bytes
) -> None:
    with connect(server, sent) as connection:
        while connection.recv(1000):
            pass
    ended(server)


def test_heads_that_come_letter_by_letter(server: Running) -> None:
    with Slow(server.port) as slow:
        slow.heads(3)
        until(lambda: len(server.server_state.connections) == 3, "all are there")
        ended(server)


def test_line_ends_alone_keep_no_connection(server: Running) -> None:
    with Slow(server.port) as slow:
        slow.line_ends(3, GET)
        until(lambda: len(server.server_state.connections) == 3, "all are there")
        ended(server)


def test_a_head_without_end_is_not_kept(server: Running) -> None:
    with connect(server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ") as connection:
        for _ in range(100):
            try:
                connection.sendall(b"x" * 100_000)
            except OSError:
                return
    raise AssertionError("ten megabytes were taken")


@each("end", [b"", b"Connection: close\r\n"])
def test_an_answer_that_nobody_takes(server: Running, end: bytes) -> None:
    with connect(server, b"GET /large HTTP/1.1\r\nHost: localhost\r\n" + end + b"\r\n"):
        until(lambda: server.server_state.connections, "it is there")
        ended(server)


def test_of_one_address_with_too_many_connections_the_one_ends_that_waited_longest(server: Running) -> None:
    half = b"POST /whole HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"
    with connect(server, half) as other:
        many = [connect(server, half, "127.0.0.2") for _ in range(20)]
        until(lambda: len(server.server_state.connections) == Hurried.most, "the others ended", 10)
        other.sendall(b"x" * 9000)
        assert other.recv(1000).startswith(b"HTTP/1.1 200 ")
        asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        asking.request("GET", "/")
        assert asking.getresponse().status == 200
        asking.close()
        for each_of_many in many:
            each_of_many.close()


def test_a_request_that_is_worked_on_has_no_deadline_of_its_client(server: Running) -> None:
    with connect(server, NEVER), Slow(server.port) as slow:
        slow.heads(1)
        until(lambda: len(server.server_state.connections) == 2, "both are there")
        until(lambda: len(server.server_state.connections) == 1, "one has ended", 10)
        assert server.server_state.tasks


def test_a_connection_with_too_many_requests_in_line_ends(server: Running) -> None:
    with connect(server, NEVER + GET * 100):
        until(lambda: server.server_state.total_requests or not server.server_state.connections, "it has come")
        ended(server)


def test_the_system_is_asked_whether_a_client_has_gone_while_the_loop_is_occupied(server: Running) -> None:
    arrived.clear()
    noticed.clear()
    with connect(server, GET.replace(b"/", b"/blocking", 1)):
        assert arrived.wait(10)
        assert not noticed.is_set()
    assert noticed.wait(10)
