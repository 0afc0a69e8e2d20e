"""Which browser the tests drive."""

import os
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Playwright

# The headless shell is the same engine without windows and menus, and opens a page in a third of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# It runs as root in containers, and must ask nobody but the server under test.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
NONE_FOUND = (
    "No browser for these tests: install Chromium (on Debian: apt install chromium-headless-shell), name one"
    " with CHROMIUM=/path, or let Playwright fetch its own (.venv/bin/playwright install chromium)."
)


def launch(playwright: Playwright) -> Browser:
    """Chromium as CHROMIUM names it, from the machine, or Playwright's own. None at all: skipped, under CI failed."""
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None and not Path(playwright.chromium.executable_path).exists():
        _give_up(NONE_FOUND)
    try:
        return playwright.chromium.launch(executable_path=path, args=FLAGS)
    except Error as error:
        return _give_up(f"{path or 'The Chromium of Playwright'} does not start: {error.message.splitlines()[0]}")


def _give_up(reason: str) -> Browser:
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
