"""A hundred sign-ins at once, at a real server: pages stay quick."""

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from django.conf import settings

from tests.browser.server import PASSWORD, Server

pytestmark = pytest.mark.hard
SIGN_IN = "/account/sign-in/"
MANY = 100
PAGES = 50


@pytest.fixture
def server() -> Iterator[Server]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    running = Server(settings.DATABASE_URL, f"flood_{worker}", Path(settings.VAR_DIR) / "browser")
    try:
        running.prepare()
        running.start()
        yield running
    finally:
        running.kill()
        running.drop()


def test_pages_stay_quick_while_a_hundred_people_sign_in(server: Server) -> None:
    with httpx.Client(base_url=server.url, timeout=120, limits=httpx.Limits(max_connections=None)) as client:
        client.get(SIGN_IN)
        client.get("/")
        form = {
            "username": "staff",
            "password": f"not {PASSWORD}",
            "csrfmiddlewaretoken": client.cookies["andamio_csrf"],
        }

        def sign_in(number: int) -> int:
            return client.post(SIGN_IN, data={**form, "username": f"name-{number}"}).status_code

        with ThreadPoolExecutor(MANY) as pool:
            flood: list[Future[int]] = [pool.submit(sign_in, number) for number in range(MANY)]
            pages = 0
            while not all(one.done() for one in flood):
                assert client.get("/").status_code == 200
                pages += 1
        statuses = {one.result() for one in flood}
    assert statuses <= {200, 429, 503}
    assert pages >= PAGES, f"only {pages} pages before the last sign-in was answered"
