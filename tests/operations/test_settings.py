"""What the environment makes of the settings."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from kombu.connection import Connection
from sqlalchemy import create_engine

from config import database, env

PROJECT = Path(__file__).resolve().parent.parent.parent
ELSEWHERE = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "SECRET_KEY": "k" * 50}
SHOW = (
    "import json; from django.conf import settings; "
    "print(json.dumps([settings.ALLOWED_HOSTS, getattr(settings, 'CSRF_TRUSTED_ORIGINS', []), settings.HTTPS]))"
)


def run(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these settings and a database that nobody asks."""
    own = {"DJANGO_SETTINGS_MODULE": "config.settings", **ELSEWHERE, **variables}
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=PROJECT,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def shown(**variables: str) -> Any:
    ended = run(SHOW, **variables)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def connection(address: str) -> Any:
    return Connection(address)  # type: ignore[no-untyped-call]


def test_further_hosts_come_beside_this_machine() -> None:
    hosts, origins, https = shown(ALLOWED_HOSTS="tutor.example, other.example")
    assert hosts == ["localhost", "127.0.0.1", "[::1]", "tutor.example", "other.example"]
    assert (origins, https) == ([], False)


@pytest.mark.parametrize(
    ("address", "host"),
    [("https://Tutor.example:8443", "tutor.example"), ("https://[2001:db8::1]:8443", "[2001:db8::1]")],
)
def test_the_public_address_is_let_in(address: str, host: str) -> None:
    hosts, origins, https = shown(PUBLIC_URL=address)
    assert hosts == ["localhost", "127.0.0.1", "[::1]", host]
    assert (origins, https) == ([address.lower()], True)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("", ""),
        ("https://tutor.example", "https://tutor.example"),
        ("https://tutor.example/", "https://tutor.example"),
        ("https://TUTOR.example:443", "https://tutor.example"),
        ("http://10.0.0.7:80", "http://10.0.0.7"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_public_address_is_read_as_browsers_write_it(monkeypatch: pytest.MonkeyPatch, given: str, meant: str) -> None:
    monkeypatch.setenv("PUBLIC_URL", given)
    assert env.origin("PUBLIC_URL") == meant


@pytest.mark.parametrize(
    "given",
    [
        "tutor.example",
        "ftp://tutor.example",
        "https://",
        "https:///",
        "https://tutor.example/school",
        "https://tutor.example?x=1",
        "https://tutor.example#x",
        "https://user:word@tutor.example",
        "https://tutor.example:http",
        "https://tutor.example:0",
        "https://tutor.example:65536",
        "https://tutor.example:",
        "https://tutor.example, https://other.example",
        "https://tutor example",
        "https://tutor.example\n",
        " https://tutor.example",
    ],
)
def test_anything_else_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("PUBLIC_URL", given)
    with pytest.raises(
        ImproperlyConfigured, match=r"^PUBLIC_URL must be http\(s\)://host or .* without a path, not .*$"
    ):
        env.origin("PUBLIC_URL")


@pytest.mark.parametrize(
    "address",
    ["redis://127.0.0.1:1/0", "rediss://127.0.0.1:1/0", "amqp://127.0.0.1:1//", "sqla+postgresql+psycopg:///x"],
)
def test_every_documented_broker_can_be_spoken_to(address: str) -> None:
    assert connection(address).create_transport().driver_type in ("redis", "amqp", "sql")


def test_the_broker_in_the_database_is_reached_as_the_database_is() -> None:
    url = (
        "postgresql://ann%40x:p%2Fw@db.example:5433/tutor?sslmode=verify-full&sslrootcert=/etc/ca%20s.pem"
        "&connect_timeout=5&options=-c%20lock_timeout%3D9s"
    )
    entry = database.django_database(url)
    entry["OPTIONS"]["pool"] = {"min_size": 1}
    engine = create_engine(connection(database.broker_url(entry)).hostname)
    said = engine.dialect.create_connect_args(engine.url)[1]
    assert {name: value for name, value in said.items() if isinstance(value, str)} == {
        "host": "db.example",
        "port": "5433",
        "dbname": "tutor",
        "user": "ann@x",
        "password": "p/w",
        "sslmode": "verify-full",
        "sslrootcert": "/etc/ca s.pem",
        "connect_timeout": "5",
        "options": "-c lock_timeout=9s",
    }
