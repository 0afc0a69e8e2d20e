"""Hundreds of slow connections to the real server, and how long others wait meanwhile."""

import http.client
import json
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median

import httpx
import pytest
from django.conf import settings

from benchmarks.learner import Learner
from tests.browser.server import Server, until
from tests.network.slow import Slow

pytestmark = pytest.mark.hard
ASKED = 40  # requests for a median
GONE = 3000
PAGE = "/lessons/fotosintesis/"


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server = Server(settings.DATABASE_URL, f"network_{worker}", Path(settings.VAR_DIR) / "browser")
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.kill()
        server.drop()


@pytest.fixture
def largest(server: Server) -> str:
    """The address of the largest static file."""
    static = server.var / "static"
    names = json.loads((static / "staticfiles.json").read_text())["paths"].values()
    return f"/static/{max(names, key=lambda name: (static / name).stat().st_size)}"


def seconds(server: Server, address: str) -> float:
    """From a new connection to the end of the answer."""
    began = time.monotonic()
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    asking.request("GET", address)
    answer = asking.getresponse()
    answer.read()
    asking.close()
    assert answer.status == 200
    return time.monotonic() - began


class Walk:
    """A learner who walks the demo lesson over one connection."""

    def __init__(self, server: Server) -> None:
        self._client = httpx.Client(base_url=server.url, headers={"Accept-Language": "es"}, timeout=20)
        self._learner = Learner(Random(1))

    def __enter__(self) -> "Walk":
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def answer_seconds(self) -> float:
        """Of the next answer, with whatever comes before it."""
        kind, took = "", 0.0
        while kind != "answer":
            step = self._learner.next_step()
            kind, began = step.kind, time.monotonic()
            headers = [*step.headers, ("Content-Type", "application/x-www-form-urlencoded")]
            method = "GET" if step.body is None else "POST"
            answer = self._client.request(method, step.path, content=step.body, headers=headers)
            took = time.monotonic() - began
            self._learner.see(answer.status_code, answer.headers.get("Location", ""), answer.text)
        return took


def flood(kind: str, slow: Slow, largest: str) -> None:
    if kind == "forms":
        slow.forms(60)
    elif kind == "readers":
        slow.readers(60, largest)
    elif kind == "pages":
        slow.readers(60, PAGE)
    else:
        slow.mixed(500, largest)


@pytest.mark.parametrize("kind", ["forms", "readers", "pages", "mixed"])
def test_learners_hardly_notice(server: Server, largest: str, kind: str) -> None:
    with Walk(server) as walk:

        def medians() -> tuple[float, float]:
            pages = median(seconds(server, PAGE) for _ in range(ASKED))
            return pages, median(walk.answer_seconds() for _ in range(ASKED))

        medians()  # to warm up
        before = medians()
        with Slow(server.port) as slow:
            flood(kind, slow, largest)
            assert max(seconds(server, "/healthz") for _ in range(ASKED)) < 5  # a slow client holds on for longer
            during = medians()
    for what, quiet, busy in zip(("page", "answer"), before, during, strict=True):
        assert busy < 2 * quiet, f"{what}: {1000 * quiet:.1f} ms before, {1000 * busy:.1f} ms beside slow connections"
    until(lambda: server.get("/healthz") == 200, "the server answers afterwards", 10)


def test_clients_that_have_gone_leave_no_work(server: Server) -> None:
    for _ in range(GONE):
        with socket.create_connection(("127.0.0.1", server.port)) as going:
            going.sendall(f"GET {PAGE} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert seconds(server, "/healthz") < 10, "it waited for more than its turn to be let in"
    assert seconds(server, PAGE) < 10


def test_two_hundred_megabytes_are_refused_while_they_come(server: Server) -> None:
    assert server.process is not None
    files = Path(f"/proc/{server.process.pid}/fd")
    asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    asking.putrequest("POST", "/account/sign-in/")
    asking.putheader("Content-Length", "200000000")
    asking.endheaders(b"x" * 5_000_000)
    assert not [each for each in files.iterdir() if "(deleted)" in os.readlink(each)], "a temporary file is open"
    for _ in range(195):
        asking.send(b"x" * 1_000_000)
    assert asking.getresponse().status == 413
