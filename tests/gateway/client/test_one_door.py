"""Nothing else in the project can ask a model: neither with a client nor with what clients are made of."""

import ast
import inspect
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings

from gateway.client import transport
from gateway.ledger import Dispatched
from tests.each import each

ROOT = Path(settings.BASE_DIR)
APPS = (
    "accounts",
    "config",
    "core",
    "evaluation",
    "gateway",
    "language",
    "lesson_engine",
    "memory",
    "planning",
    "reflection",
    "telemetry",
)
CLIENTS = {
    "openai",
    "httpx",
    "httpx2",
    "requests",
    "aiohttp",
    "urllib3",
    "litellm",
    "anthropic",
    "websockets",
    "pycurl",
}
RAW = ("socket", "http.client", "urllib.request")
CONNECTS = {"open_connection", "open_unix_connection", "create_connection", "create_unix_connection", "sock_connect"}
"""Of asyncio and its loops, which are used for other things too."""
LISTENING = ("config/launcher/", "config/web/")  # and ask their own server whether it is there


def imports(path: Path) -> Iterator[str]:
    return imported(path.read_text())


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("__import__", "import_module"):
            yield from (arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str))


def goes_round(source: str) -> bool:
    """Whether it reaches for what makes connections, by import or as an attribute of what is imported."""
    used = {ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)}
    names = {*imported(source), *used}
    raw = any(name == one or name.startswith(f"{one}.") for name in names for one in RAW)
    return raw or any(name.rpartition(".")[2] in CONNECTS for name in names)


def sources() -> Iterator[Path]:
    return (path for app in APPS for path in sorted((ROOT / app).rglob("*.py")))


def test_only_the_transport_can_build_a_client() -> None:
    with_clients = {
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if any(name.split(".")[0] in CLIENTS for name in imports(path))
    }
    assert with_clients == {"core/operations/outgoing.py", "gateway/client/transport.py"}


def test_only_anchors_use_the_one_sender_of_other_things() -> None:
    users = {
        path.relative_to(ROOT).as_posix() for path in sources() if "core.operations.outgoing" in set(imports(path))
    }
    assert users == {"telemetry/anchors/sending.py"}
    names = set(imports(ROOT / "core/operations/outgoing.py"))
    assert not {name for name in names if name.split(".")[0] in CLIENTS - {"httpx2"}}


def test_nothing_goes_round_the_clients_either() -> None:
    raw = {path.relative_to(ROOT).as_posix() for path in sources() if goes_round(path.read_text())}
    assert raw
    assert all(name.startswith(LISTENING) for name in raw), raw


@each(
    "source",
    [
        "import asyncio\nasyncio.open_connection('host', 80)",
        "import asyncio as a\nmake = a.open_unix_connection",
        "from asyncio import open_connection",
        "import asyncio\nasyncio.get_running_loop().create_connection(object, 'host', 80)",
        "import socket as plain",
        "from socket import create_connection",
        "import django.core.mail.utils as m\nm.socket.create_connection(('host', 80))",
        "import http\nhttp.client.HTTPConnection('host')",
        "from http import client",
        "import urllib.request",
        "from urllib import request",
    ],
)
def test_going_round_them_would_be_found(source: str) -> None:
    assert goes_round(source)


@pytest.mark.parametrize("source", ["import asyncio\nasyncio.sleep(1)", "import http\nhttp.HTTPStatus(200)"])
def test_what_makes_no_connection_is_not_meant(source: str) -> None:
    assert not goes_round(source)


def test_import_linter_forbids_the_same_clients() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [one_client] = [contract for contract in contracts if contract["name"].startswith("Only the transport")]
    assert set(one_client["forbidden_modules"]) == CLIENTS


def test_only_the_calls_of_the_client_use_the_transport() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in sources()
        if any(name.startswith("gateway.client.transport") for name in imports(path))
    }
    assert users == {"gateway/client/call.py", "gateway/client/chats.py", "gateway/client/vectors.py"}


def test_only_the_ledger_gives_leave_to_make_a_request() -> None:
    """Every request takes a `Dispatched`, and nobody but `ledger.dispatch` makes one."""
    makers = {
        path.relative_to(ROOT).as_posix()
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == Dispatched.__name__
    }
    assert makers == {"gateway/ledger/holds.py"}


@pytest.mark.parametrize("request_made", [transport.chat, transport.embeddings, transport.ChatStream])
def test_every_request_asks_for_that_leave(request_made: Callable[..., object]) -> None:
    assert inspect.signature(request_made).parameters["leave"].annotation is Dispatched
