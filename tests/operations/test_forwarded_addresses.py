"""Whose address a request has, through the real server: the header that anybody can write is not simply believed."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.network.serving import serving


async def address_back(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """An application that answers where the request came from."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(scope["client"][0]).encode()})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[str]:
    """What the server takes for the address of a request with a forged header."""
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if request.param:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", request.param)
    with serving(address_back) as server:
        yield httpx.get(f"http://127.0.0.1:{server.port}/", headers={"X-Forwarded-For": "9.9.9.9"}).json()


@pytest.mark.parametrize("asked", [""], indirect=True)
def test_a_forged_address_does_not_help(asked: str) -> None:
    assert asked == "127.0.0.1"


@pytest.mark.parametrize("asked", ["127.0.0.1"], indirect=True)
def test_a_named_proxy_is_believed(asked: str) -> None:
    assert asked == "9.9.9.9"


@pytest.mark.parametrize("asked", ["10.0.0.1"], indirect=True)
def test_somebody_who_is_not_the_named_proxy_is_not_believed(asked: str) -> None:
    assert asked == "127.0.0.1"
