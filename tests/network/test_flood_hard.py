"""Hundreds of slow connections to the real server, and how long others wait meanwhile."""

import http.client
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from django.conf import settings

from tests.browser.server import Server, until
from tests.network.slow import Slow

pytestmark = pytest.mark.hard
ASKED = 40  # requests for a median


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


def flood(kind: str, slow: Slow, largest: str) -> None:
    if kind == "forms":
        slow.forms(60)
    elif kind == "readers":
        slow.readers(60, largest)
    else:
        slow.mixed(500, largest)


@pytest.mark.parametrize("kind", ["forms", "readers", "mixed"])
def test_learners_hardly_notice(server: Server, largest: str, kind: str) -> None:
    def pages() -> float:
        return median(seconds(server, "/lessons/fotosintesis/") for _ in range(ASKED))

    pages()  # to warm up
    before = pages()
    with Slow(server.port) as slow:
        flood(kind, slow, largest)
        assert max(seconds(server, "/healthz") for _ in range(ASKED)) < 1
        during = pages()
    assert during < 2 * before, f"{1000 * before:.1f} ms before, {1000 * during:.1f} ms beside slow connections"
    until(lambda: server.get("/healthz") == 200, "the server answers afterwards", 10)


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
