"""Bodies that are too large, too slow or too many are refused before they cost a thread, the disk or the memory."""

import http.client
import socket
import tempfile
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from config.web.application import Application
from config.web.bodies import Bodies
from tests.browser.server import until
from tests.each import each
from tests.network.serving import Running, serving
from tests.network.slow import Slow

LIMIT, HIGHER = 1_000_000, 3_000_000
BLOCK = b"x" * 100_000


@csrf_exempt
def size(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(len(request.body) if request.path != "/upload/" else len(request.read())))


urlpatterns = [
    path("size/", size),
    path("upload/", size),
    path("api/size/", size),
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


def stated(server: Running, address: str, length: int, **headers: str) -> http.client.HTTPResponse:
    """The answer to the head alone of a request."""
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    asking.putrequest("POST", address)
    for name, value in {"Content-Length": str(length), "Expect": "100-continue", **headers}.items():
        asking.putheader(name, value)
    asking.endheaders()
    return asking.getresponse()


@each(("address", "blocks", "status"), [("/size/", 10, 200), ("/size/", 11, 413), ("/upload/", 30, 200)])
def test_a_body_is_counted_as_it_comes(server: Running, address: str, blocks: int, status: int) -> None:
    sent = {"Transfer-Encoding": "chunked"}
    assert post(server, address, blocks, **sent).status == status


@pytest.mark.hard
def test_two_hundred_megabytes_of_a_stranger_are_refused_and_stored_nowhere(server: Running) -> None:
    assert post(server, "/size/", 2000, **{"Transfer-Encoding": "chunked"}).status == 413
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


def test_large_bodies_share_what_there_is_and_small_ones_come_through(
    application: Application, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bodies, "together", 1_500_000)
    held = b"POST /size/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900001\r\n\r\n" + b"x" * 900_000
    chunked = {"Transfer-Encoding": "chunked"}
    with socket.create_connection(("127.0.0.1", server.port)) as holding:
        holding.sendall(held)
        until(lambda: application.bodies.held == 900_000, "it is counted", 30)
        assert post(server, "/size/", 9, **chunked).status == 503
        assert stated(server, "/size/", 0).read() == b"0"
        holding.sendall(b"x")
        assert holding.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert post(server, "/size/", 9, **chunked).status == 200
