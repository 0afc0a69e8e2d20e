"""A real browser against a real server; every page that a test opens is watched for faults."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from django.conf import settings
from playwright.sync_api import Browser, ViewportSize, expect, sync_playwright

from tests.browser import chromium as browsers
from tests.browser.learner import Learner
from tests.browser.server import Server
from tests.browser.watch import Watch

LOCALES = {"es": "es-ES", "en": "en-US"}
PHONE, DESK = ViewportSize(width=390, height=844), ViewportSize(width=1280, height=900)
TIMEOUT = 15_000  # milliseconds; only a fault takes that long
expect.set_options(timeout=TIMEOUT)
_prepared: set[tuple[str, Path]] = set()


# Package-scoped: Playwright's event loop may not be there when other tests of this process use Django's database.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as playwright:
        browser = browsers.launch(playwright)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def _server() -> Iterator[Server]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server = Server(settings.DATABASE_URL, f"browser_{worker}", Path(settings.VAR_DIR) / "browser")
    try:
        server.prepare()
        server.start()
        yield server
    finally:
        server.kill()
        server.drop()


@pytest.fixture
def server(chromium: Browser, _server: Server) -> Server:
    """The server of this process, running; asks for the browser first, so that without one nothing is started."""
    if not _server.is_running():
        _server.start()
    return _server


class Visit(Protocol):
    """Opens a browser of its own, with its own cookies, at the home page."""

    def __call__(
        self, language: str = "en", *, phone: bool = True, expects: tuple[str, ...] = (), **options: Any
    ) -> Learner: ...


@pytest.fixture
def visit(chromium: Browser, server: Server) -> Iterator[Visit]:
    """`expects` are parts of the faults that belong to the test; any other fails it."""
    watches: list[Watch] = []

    def open_browser(
        language: str = "en", *, phone: bool = True, expects: tuple[str, ...] = (), **options: Any
    ) -> Learner:
        context = chromium.new_context(
            base_url=server.url, locale=LOCALES[language], viewport=PHONE if phone else DESK, **options
        )
        context.set_default_timeout(TIMEOUT)
        watches.append(Watch(context, expects))
        learner = Learner(context.new_page(), watches[-1])
        learner.page.goto("/")
        return learner

    yield open_browser
    for watch in watches:
        watch.context.close()
    faults = [fault for watch in watches for fault in watch.unexpected()]
    assert not faults, "\n".join(faults)


@pytest.fixture
def is_first(server: Server, request: pytest.FixtureRequest) -> bool:
    """Whether no test of this module asked before at this server: what the tests read is made once."""
    place = (server.url, request.node.path)
    is_first = place not in _prepared
    _prepared.add(place)
    return is_first


@pytest.fixture
def learner(visit: Visit) -> Learner:
    """A guest on a phone, in English, at the first step of the demo lesson."""
    guest = visit()
    guest.start()
    return guest
