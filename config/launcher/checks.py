"""What is checked before anything is started, and whether the server is ready when it is."""

import errno
import http.client
import json
import shutil
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from config.launcher.console import Problem

READY_SECONDS = 180.0
ROOM_MB = 500  # an empty database with its write-ahead log, and space to work


def check_room(folder: Path, free: int | None = None) -> None:
    """Raise `Problem` when the disk that `folder` is or will be on has less than `ROOM_MB` free.

    `free` is in bytes; None asks the disk.
    """
    while not folder.exists():
        folder = folder.parent
    free_mb = (shutil.disk_usage(folder).free if free is None else free) // 1_000_000
    if free_mb < ROOM_MB:
        raise Problem(f"Not enough room on the disk: {free_mb} MB free in {folder}, {ROOM_MB} MB needed.")


def take_port(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address, so that it stays ours while everything is prepared."""
    if not 0 < port < 65536:
        raise Problem(f"{port} is no port; choose one between 1 and 65535: make run PORT=8000")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError as error:
        raise _port_problem(host, port, error) from error
    return bound


def share(bound: socket.socket) -> socket.socket:
    """The address, reserved for sockets that share it: each web process listens on one of its own.

    The system deals connections out among them evenly; of processes that accept from one socket, the quickest takes
    nearly all. Fails when another program that had bound the port as well listened first.
    """
    host, port = bound.getsockname()[:2]
    try:
        bound.listen(1)
        address = bound.getsockname()
        bound.close()
        return bound_to(address, bound.family)
    except OSError as error:
        raise _port_problem(host, port, error) from error


def bound_to(address: Any, family: int) -> socket.socket:
    """A further socket at a shared address."""
    own = socket.socket(family, socket.SOCK_STREAM)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    own.bind(address)
    return own


def _port_problem(host: str, port: int, error: OSError) -> Problem:
    if error.errno == errno.EADDRINUSE:
        return Problem(f"Port {port} is taken by another program; choose another: make run PORT={port % 65535 + 1}")
    if error.errno == errno.EACCES:
        return Problem(f"Port {port} is not for ordinary users; choose one from 1024: make run PORT=8000")
    return Problem(f"Cannot serve on {host}, port {port}: {error.strerror}")


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
    """Return the checks of `/readyz` that are not ok, as `name: text`; the status when the body has none."""
    try:
        checks = json.loads(body)["checks"]
    except (ValueError, KeyError, TypeError):
        return f"it answers {status}"
    return "; ".join(f"{name}: {text}" for name, text in checks.items() if text != "ok")


def reachable(host: str) -> str:
    """An address to ask a server that listens on `host`: all addresses are none to connect to."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)  # noqa: S104 - asked, not bound
