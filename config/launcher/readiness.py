"""Asking the server whether it is ready."""

import http.client
import json
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from config.launcher.console import Problem

READY_SECONDS = 180.0


def wait_until_ready(host: str, port: int, public_url: str, still_starting: Callable[[], None]) -> None:
    """Return when `/readyz` answers 200. `still_starting` may raise in between; so does the time's end.

    The question is asked as a proxy in front of `public_url` would ask it: host and scheme belong to that address.
    """
    deadline, answer = time.monotonic() + READY_SECONDS, "no answer"
    while time.monotonic() < deadline:
        still_starting()
        status, answer = _ask(host, port, public_url)
        if status == http.client.OK:
            return
        time.sleep(0.25)
    raise Problem(f"The server is not ready after {READY_SECONDS:.0f} s: {answer}")


def _ask(host: str, port: int, public_url: str) -> tuple[int, str]:
    public = urlsplit(public_url)
    headers = {"Host": public.netloc or f"127.0.0.1:{port}", "X-Forwarded-Proto": public.scheme or "http"}
    connection = http.client.HTTPConnection(reachable(host), port, timeout=10)
    try:
        connection.request("GET", "/readyz", headers=headers)
        response = connection.getresponse()
        return response.status, _missing(response.status, response.read())
    except (OSError, http.client.HTTPException) as error:
        return 0, f"no answer ({error})"
    finally:
        connection.close()


def _missing(status: int, body: bytes) -> str:
    """What the answer says is not there yet."""
    try:
        checks = json.loads(body)["checks"]
    except (ValueError, KeyError, TypeError):
        return f"it answers {status}"
    return "; ".join(f"{name}: {text}" for name, text in checks.items() if text != "ok")


def reachable(host: str) -> str:
    """An address to ask a server that listens on `host`: all addresses are none to connect to."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - asked, not bound
