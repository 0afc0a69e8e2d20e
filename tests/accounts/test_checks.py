"""A server that lets staff in with the password alone is told so where that is dangerous."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings as project
from pytest_django import Settings

from accounts.sign_in.second_factor import second_factor_check
from tests.each import each

PUBLIC = {"PUBLIC_URL": "https://tutor.example", "HTTPS": True}
HERE = "this server is for this machine only"


def ids(settings: Settings, reason: str, **more: object) -> list[str | None]:
    settings.STAFF_WITHOUT_SECOND_FACTOR = reason
    for name, value in more.items():
        setattr(settings, name, value)
    return [message.id for message in second_factor_check()]


def test_a_reason_on_a_public_server_is_a_warning_with_a_hint(settings: Settings) -> None:
    assert ids(settings, "the proxy asks for it", **PUBLIC) == ["accounts.W001"]
    assert "STAFF_WITHOUT_SECOND_FACTOR" in str(second_factor_check()[0].hint)


def test_no_reason_and_a_reason_on_this_machine_are_well(settings: Settings) -> None:
    assert ids(settings, "", **PUBLIC) == []
    assert ids(settings, HERE, PUBLIC_URL="", HTTPS=False) == []


@pytest.mark.parametrize("reason", ["1", "true", "no", "yes"])
def test_a_switch_is_no_reason(settings: Settings, reason: str) -> None:
    assert ids(settings, reason) == ["accounts.E001"]


def shown(**variables: str) -> str:
    """The setting that the environment makes, with the database of this test unless another is named."""
    code = "import json; from django.conf import settings; print(json.dumps(settings.STAFF_WITHOUT_SECOND_FACTOR))"
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "PUBLIC_URL", "HOST")}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(project.BASE_DIR),
        env={**kept, "DJANGO_SETTINGS_MODULE": "config.settings", **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return str(json.loads(ended.stdout))


@pytest.mark.hard
@each(
    ("variables", "reason"),
    [
        ({}, HERE),
        ({"HOST": "::1"}, HERE),
        ({"HOST": "0.0.0.0"}, ""),
        ({"ALLOWED_HOSTS": "tutor.example"}, ""),
        ({"PUBLIC_URL": "http://tutor.example"}, ""),
        ({"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "SECRET_KEY": "k" * 50}, ""),
        ({"STAFF_WITHOUT_SECOND_FACTOR": ""}, ""),
        ({"STAFF_WITHOUT_SECOND_FACTOR": " one room ", "PUBLIC_URL": "https://tutor.example"}, "one room"),
    ],
)
def test_only_a_server_for_this_machine_goes_without_by_itself(variables: dict[str, str], reason: str) -> None:
    assert shown(**variables) == reason
