"""What the gateway knows of sessions it knows from the layer that has them."""

from pathlib import Path

import pytest
from django.urls import reverse

import gateway
from gateway.admin.tools import session_link
from gateway.board.panels import costliest_view
from gateway.contracts import Tier
from gateway.figures.contracts import Days
from gateway.figures.reading import figures_of
from gateway.ledger import owners
from tests.gateway.calls import DAY, call, in_session

KEY = "6f1d3a52-6a0c-4a5e-9a55-0d3f6f1f2f10"


def test_staff_are_led_to_a_sessions_timeline() -> None:
    url = reverse("admin:lesson_engine_session_change", args=[KEY])
    assert owners.session_url_of(KEY) == url
    assert url in session_link(KEY)


@pytest.mark.parametrize("key", ["", "gateway", "17:2026-01-31", f"{KEY}0"])
def test_what_is_no_session_leads_nowhere(key: str) -> None:
    assert owners.session_url_of(key) == ""
    assert session_link(key) == ""


@pytest.mark.django_db
def test_where_nobody_has_sessions_pages_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    call(in_session(KEY), 2, Tier.CHEAP)
    monkeypatch.setattr(owners, "_registered", [])
    assert session_link(KEY) == ""
    view = costliest_view(figures_of(Days(since=DAY, until=DAY)))
    assert view is not None
    assert view.table.rows[0][0] == KEY[:8]


def test_a_second_registration_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    known = list(owners._registered)
    monkeypatch.setattr(owners, "_registered", list(known))
    owners.owner_register(known[0])
    assert owners._registered == known


def test_no_file_of_the_gateway_names_the_layer_above() -> None:
    files = list(Path(gateway.__file__).parent.rglob("*.py"))
    assert len(files) > 20
    assert [file.name for file in files if "lesson_engine" in file.read_text()] == []
