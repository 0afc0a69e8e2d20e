"""Commands for people with files: in this process, or in one of their own as people run them."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from tests.database import this_database

PROJECT = Path(settings.BASE_DIR)


def bare(folder: Path) -> dict[str, str]:
    """The environment of a fresh clone: no server, no key, and an empty place for both."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "SECRET_KEY")}
    return {**kept, "ANDAMIO_VAR": str(folder / "var")}


def with_database() -> dict[str, str]:
    """The environment of a server that uses the test's database."""
    return {**os.environ, "DATABASE_URL": this_database(), "SECRET_KEY": settings.SECRET_KEY}


def command_line(*arguments: str) -> list[str]:
    return [sys.executable, "manage.py", *arguments]


def run(
    *arguments: str, source: bytes, environment: dict[str, str], python: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *python, "manage.py", *arguments],
        cwd=PROJECT,
        env=environment,
        input=source,
        capture_output=True,
        timeout=120,
        check=False,
    )


def run_here(command: str, *arguments: str, source: bytes) -> list[Any]:
    """The answers of the command, without a database. Raises `CommandError`."""
    written = io.StringIO()
    with override_settings(EMBEDDING_CACHE_ROWS=0), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
        call_command(command, *arguments, stdout=written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def answers(ended: subprocess.CompletedProcess[bytes]) -> list[Any]:
    """What was written, each line a JSON value. Nothing was said beside it and the command ended well."""
    assert ended.returncode == 0, ended.stderr.decode()
    assert ended.stderr == b""
    assert ended.stdout == b"" or ended.stdout.endswith(b"\n")
    return [json.loads(line) for line in ended.stdout.split(b"\n")[:-1]]


def as_lines(*rows: Any) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)
