"""schemathesis goes through the whole OpenAPI document against a real server, and finds nothing."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.browser.server import PROJECT, WORKER, Server

NAMES = ("first", "second", "staff")
"""Two integrators who must not see each other's sessions, and somebody who is asked where these may not."""
TOKENS = f"""
from accounts.models import Role, User
from accounts.sign_in.scopes import scopes_of
from accounts.services import token_issue
for name in {NAMES}:
    role = Role.STAFF if name == "staff" else Role.INTEGRATOR
    user = User.objects.create_user(f"st-{{name}}", role=role)
    print(token_issue(user=user, name="schemathesis", scopes=scopes_of(user), days=1)[1])
"""
KINDS = ("answer", "continue", "hint", "skip", "mode", "report", "review")
"""Turns that must have been taken, and a reflection reviewed: requests that were all refused would show little."""
CONFIGURATION = """
hooks = "tests.api.schemathesis_hooks"
[auth.wfc]
path = "auth.json"
peers = ["first", "second"]
"""
PLENTY = dict.fromkeys(
    ("API_RATE_USER", "API_RATE_TOKEN", "API_RATE_ADDRESS", "WORK_RATE_USER", "WORK_RATE_ADDRESS"), "10000000"
)
"""Limits have tests of their own; here they would only hide what is behind them."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name, value in PLENTY.items():
        monkeypatch.setenv(name, value)
    server = Server(settings.DATABASE_URL, "schemathesis", Path(settings.VAR_DIR) / "browser")
    try:
        server.prepare()
        server.start()
        with server.background(*WORKER):  # which reflects on failures
            yield server
    finally:
        server.kill()
        server.drop()


@pytest.mark.hard
def test_schemathesis_finds_nothing(server: Server, tmp_path: Path) -> None:
    tokens = server.python(TOKENS).split()
    bearers = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {token}"}]}
        for name, token in zip(NAMES, tokens, strict=True)
    ]
    (tmp_path / "auth.json").write_text(json.dumps({"auth": bearers}))
    (tmp_path / "schemathesis.toml").write_text(CONFIGURATION)
    options = ["--checks=all", "--max-examples=10", "--continue-on-failure", "--no-color"]
    options += ["--generation-deterministic" if os.environ.get("CI") else "--generation-database=none"]
    program = str(Path(sys.executable).with_name("schemathesis"))
    done = subprocess.run(
        [program, "--config-file=schemathesis.toml", "run", f"{server.url}/api/v1/schema/", *options],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            "ANDAMIO_API": f"{server.url}/api/v1/",
            "ANDAMIO_TOKEN": tokens[0],
            "ANDAMIO_STAFF_TOKEN": tokens[2],
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr[-5_000:]
    assert set(server.rows("SELECT DISTINCT kind FROM lesson_engine_turn")) >= {(kind,) for kind in KINDS}
    assert server.rows("SELECT FROM reflection_reflectionreview LIMIT 1")
    assert server.rows("SELECT FROM routing_labelledexample LIMIT 1")  # a query plan was corrected
    # What is under way is finished; nothing that was sent left a trace of a fault of ours.
    server.stop()
    assert [line for line in server.log.read_text().splitlines() if '"level": "error"' in line] == []
    assert server.rows("SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'") == [(0,)]
