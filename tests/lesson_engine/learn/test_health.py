"""What the machines around the server ask."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from core.models import Heartbeat
from core.operations import readiness
from core.tasks import heartbeat
from tests.hands import as_role


def test_healthz_says_alive_without_a_database(client: Client) -> None:
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "alive"})
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_readyz_says_ready_when_every_part_is_there(client: Client) -> None:
    heartbeat()
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json() == {
        "status": "ready",
        "checks": dict.fromkeys(("database", "migrations", "worker", "embedder"), "ok"),
    }


@pytest.mark.django_db
def test_readyz_says_that_no_worker_ever_came(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["status"] == "not ready"
    assert response.json()["checks"]["worker"] == "no worker has reported in yet"


@pytest.mark.django_db
def test_not_being_ready_yet_is_not_logged_as_an_error(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get("/readyz").status_code == 503
    assert caplog.records == []
    assert client.get("/no-such-page").status_code == 404
    assert [record.name for record in caplog.records] == ["django.request"]


@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
@pytest.mark.django_db
def test_watchers_inside_are_not_sent_to_https(client: Client, settings: Settings, address: str) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/").status_code == 301
    assert client.get(address).status_code in (200, 503)


@pytest.mark.django_db
def test_readyz_says_how_long_the_worker_is_silent(client: Client) -> None:
    Heartbeat.objects.create(name="worker", at=timezone.now() - timedelta(seconds=90))
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["worker"] == "the worker last reported in 90 s ago"


@pytest.mark.django_db
def test_readyz_survives_a_part_that_breaks(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks() -> str | None:
        raise ConnectionError("password=secret")

    monkeypatch.setitem(readiness._checks, "extra", breaks)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["extra"] == "ConnectionError"
    assert "secret" not in response.content.decode()


@pytest.mark.django_db
def test_readyz_says_how_many_migrations_are_missing(client: Client) -> None:
    readiness._schema_is_current.cache_clear()
    with as_role():
        call_command("migrate", "sessions", "zero", "--fake", verbosity=0)
    try:
        response = client.get("/readyz")
        assert response.json()["checks"]["migrations"] == "1 migrations have not been applied"
        assert response.status_code == 503
    finally:
        with as_role():
            call_command("migrate", "sessions", "--fake", verbosity=0)
    assert readiness.migrations() is None


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/healthz", "/readyz"])
def test_both_take_no_writes(client: Client, address: str) -> None:
    assert client.post(address).status_code == 405
