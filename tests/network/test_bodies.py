"""Bodies that are too large, too slow or too many are refused before they cost a thread, the disk or the memory."""

import http.client
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from config.web.application import Application
from config.web.bodies import Bodies
from core.views import healthz
from tests.browser.server import until
from tests.each import each
from tests.network.serving import Running, serving
from tests.network.slow import Slow

LIMIT, HIGHER = 1_000_000, 3_000_000
BLOCK = b"x" * 100_000
PART = 700_000
CHUNKED = {"Transfer-Encoding": "chunked"}
go_on = threading.Event()


@csrf_exempt
def waits(request: HttpRequest) -> HttpResponse:
    assert go_on.wait(30)
    return size(request)


@csrf_exempt
def size(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.body) if request.path_info != "/upload/" else len(request.read())))


urlpatterns = [
    path("size/", size),
    path("upload/", size),
    path("api/size/", size),
    path("waits/", waits),
    path("", include("core.urls")),
]
pytestmark = pytest.mark.urls("tests.network.test_bodies")


@pytest.fixture
def application() -> Application:
    return Application(threads=1, body_limits={"/upload/": HIGHER})


@pytest.fixture
def server(application: Application, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """Whose temporary folder is not there: what is to be put into it fails."""
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    with serving(application) as running:
        yield running


def post(server: Running, address: str, blocks: int, **headers: str) -> http.client.HTTPResponse:
    """Blocks without a length before them, so that the server has to count; those left when it answers are not sent."""
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    asking.request("POST", address, (BLOCK for _ in range(blocks)), headers, encode_chunked=True)
    return asking.getresponse()


def stated(
    server: Running, address: str, length: int, method: str = "POST", **headers: str
) -> http.client.HTTPResponse:
    """The answer to the head alone of a request."""
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    asking.putrequest(method, address, skip_host="Host" in headers)
    for name, value in {"Content-Length": str(length), "Expect": "100-continue", **headers}.items():
        asking.putheader(name, value)
    asking.endheaders()
    return asking.getresponse()


def part(server: Running, address: str, source: str) -> socket.socket:
    """A connection on which all of a body was sent but its last byte."""
    head = f"POST {address} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {PART + 1}\r\n\r\n"
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=30, source_address=(source, 0))
    connection.sendall(head.encode() + b"x" * PART)
    return connection


def counted(application: Application, size: int) -> None:
    until(lambda: application.bodies.held == size, "what was sent is counted", 30)


@each(("address", "blocks", "status"), [("/size/", 10, 200), ("/size/", 11, 413), ("/upload/", 30, 200)])
def test_a_body_is_counted_as_it_comes(server: Running, address: str, blocks: int, status: int) -> None:
    assert post(server, address, blocks, **CHUNKED).status == status


@pytest.mark.hard
def test_two_hundred_megabytes_of_a_stranger_are_refused_and_stored_nowhere(server: Running) -> None:
    assert post(server, "/size/", 2000, **CHUNKED).status == 413
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    asking.request("POST", "/size/", BLOCK * 2000)
    answer = asking.getresponse()
    assert (answer.status, answer.read()[:17]) == (413, b"Request too large")
    asking.request("POST", "/size/", b"small")  # over the same connection
    assert asking.getresponse().read() == b"5"


def test_a_length_above_the_limit_is_refused_before_a_byte_is_read(server: Running) -> None:
    page = stated(server, "/size/", LIMIT + 1, **{"Accept-Language": "es"})
    assert (page.status, page.headers["Content-Type"]) == (413, "text/plain; charset=utf-8")
    problem = stated(server, "/api/size/", LIMIT + 1)
    assert (problem.status, problem.headers["Content-Type"]) == (413, "application/problem+json")
    text = problem.read().decode()
    assert '"code":"request-too-large"' in text
    assert "more than 1,000,000 bytes" in text
    assert stated(server, "/upload/", HIGHER + 1).status == 413


def test_a_body_that_takes_too_long_is_refused_and_its_connection_ends(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bodies, "seconds", 0.3)
    with Slow(server.port) as slow:
        slow.forms(1, "/api/size/")
        (connection,) = slow.dripping
        connection.setblocking(True)
        with connection.makefile("rb") as answer:
            text = answer.read().decode()  # to the end of the connection
    assert text.startswith("HTTP/1.1 408 ")
    assert '"code":"request-timeout"' in text


def test_of_the_network_with_the_most_bytes_the_slowest_body_gives_way(
    application: Application, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bodies, "together", 3 * PART + 100_000)
    with ExitStack() as clients:
        crowd = []
        for number in range(3):
            crowd.append(clients.enter_context(part(server, "/size/", "127.0.0.2")))
            counted(application, (number + 1) * PART)
        assert post(server, "/size/", 5, **CHUNKED).read() == b"500000"
        slowest, *others = crowd
        assert slowest.recv(1000).startswith(b"HTTP/1.1 503 ")
        for other in others:
            other.sendall(b"x")
            assert other.recv(1000).startswith(b"HTTP/1.1 200 ")


def test_a_whole_body_is_kept_and_small_ones_come_through(
    application: Application, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bodies, "together", 1_000_000)
    go_on.clear()
    with part(server, "/waits/", "127.0.0.2") as whole:
        whole.sendall(b"x")
        counted(application, PART + 1)
        assert post(server, "/size/", 9, **CHUNKED).status == 503
        small = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        small.request("POST", "/size/", b"small")
        go_on.set()
        assert small.getresponse().read() == b"5"
        assert whole.recv(1000).startswith(b"HTTP/1.1 200 ")
    assert post(server, "/size/", 9, **CHUNKED).status == 200


def test_limits_know_the_prefix_that_the_server_is_run_at(application: Application) -> None:
    with serving(application, root_path="/andamio") as server:
        assert post(server, "/upload/", 30, **CHUNKED).status == 200


@each(
    ("method", "address", "status"),
    [("POST", "/size/", 413), ("POST", "/api/size/", 413), ("GET", "/static/one.txt", 200), ("GET", "/healthz", 200)],
)
def test_answers_without_a_thread_have_the_headers_of_all_others(
    settings: Any, tmp_path: Path, method: str, address: str, status: int
) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "one.txt").write_bytes(b"1")
    settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS, settings.ALLOWED_HOSTS = True, 9, ["tutor.example"]
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    with serving(Application(threads=1, at_once={"/healthz": healthz})) as server:
        answer = stated(server, address, LIMIT + 1, method, **{"X-Forwarded-Proto": "https"})
        assert answer.status == status
        for name in ("Strict-Transport-Security", "X-Content-Type-Options", "Referrer-Policy"):
            assert name in answer.headers


@pytest.mark.urls("config.urls")
@each("address", ["/size/", "/api/size/", "/static/one.txt"])
def test_answers_without_a_thread_are_for_allowed_hosts_over_https(settings: Any, tmp_path: Path, address: str) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "one.txt").write_bytes(b"1")
    settings.SECURE_SSL_REDIRECT, settings.ALLOWED_HOSTS = True, ["tutor.example"]
    with serving(Application(threads=1)) as server:
        assert stated(server, address, LIMIT + 1, Host="tutor.example").status == 301
        assert stated(server, address, LIMIT + 1, Host="other.example").status == 400
