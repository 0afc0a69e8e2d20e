"""Which proxies are believed: none, or those that the environment or the command names."""

import http.client
from typing import Any

import pytest
from uvicorn.main import main as serve

from config.web.options import web_options
from tests.each import each
from tests.network.serving import serving

NAMED = "127.0.0.1"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers with where it believes that the request comes from."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["client"][0].encode()})


@each(
    ("environment", "command", "believed"),
    [
        (None, [], NAMED),
        (NAMED, [], "192.0.2.7"),
        (None, ["--forwarded-allow-ips", NAMED], "192.0.2.7"),
        (NAMED, ["--forwarded-allow-ips", "192.0.2.1"], NAMED),
        (NAMED, ["--no-proxy-headers"], NAMED),
    ],
)
def test_the_environment_or_the_command_names_them(
    environment: str | None, command: list[str], believed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)
    if environment:
        monkeypatch.setenv("FORWARDED_ALLOW_IPS", environment)
    arguments = ["config.asgi:application", *command]
    read = serve.make_context("serve", arguments, default_map=web_options()).params
    chosen = {name: read[name] for name in ("forwarded_allow_ips", "proxy_headers")}
    with serving(application, **chosen) as server:
        asking = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        asking.request("GET", "/", headers={"X-Forwarded-For": "192.0.2.7"})
        assert asking.getresponse().read().decode() == believed
        asking.close()
