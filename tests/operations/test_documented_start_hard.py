"""The web server as docs/operator.md starts it, in an environment that has what that page names and nothing else."""

import http.client
import os
import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests.browser.server import PROJECT, until

pytestmark = pytest.mark.hard
PAGE = (PROJECT / "docs" / "operator.md").read_text()


def answers(port: int) -> bool:
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        asking.request("GET", "/healthz")
        return asking.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        asking.close()


@pytest.mark.parametrize("server", [r"\.venv/bin/python -m config\.serve", r"\.venv/bin/uvicorn"])
def test_the_web_server_starts(server: str, tmp_path: Path, django_db_setup: None) -> None:
    line = re.search(rf"^{server} .*?(?=\s+#|$)", PAGE, re.MULTILINE)
    assert line is not None
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*shlex.split(line[0]), "--port", str(port), "--workers", "2"],  # as many as this machine has cores
            cwd=PROJECT,
            env={
                "PATH": os.environ["PATH"],
                "DATABASE_URL": settings.DATABASE_URL,
                "SECRET_KEY": "only for this start",
                "ANDAMIO_VAR": str(tmp_path),
            },
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        until(lambda: process.poll() is not None or answers(port), f"an answer; see {tmp_path}", 300)
        assert process.poll() is None, (tmp_path / "log").read_text()
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
