from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from core.admin import tools as admin_tools
from telemetry.models import Chain, Event
from tests.lesson_engine.learn.pages import Page
from tests.telemetry.conftest import Append, Tamper

EVENTS, CHAINS = "admin:telemetry_event_changelist", "admin:telemetry_chain_changelist"


@pytest.fixture(autouse=True)
def _plain_static_files(settings: Any) -> None:
    """The admin's style sheets by their own names: none were collected for a test."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


def rows(client: Client, url: str, **query: str) -> list[Any]:
    response = client.get(reverse(url), query)
    assert response.status_code == 200
    return list(response.context["cl"].result_list)


def test_events_are_listed_newest_first_and_filtered(append: Append, admin_client: Client) -> None:
    append("a", 2)
    append("b", 1, course="history", mode="deterministic")
    assert [event.chain_id for event in rows(admin_client, EVENTS)] == ["b", "a", "a"]
    assert len(rows(admin_client, EVENTS, q="a")) == 2
    assert rows(admin_client, EVENTS, q="A") == []
    assert len(rows(admin_client, EVENTS, course="history")) == 1
    assert len(rows(admin_client, EVENTS, mode="adaptive")) == 2
    assert len(rows(admin_client, EVENTS, event="evaluation.result")) == 3
    assert rows(admin_client, EVENTS, level__exact="error") == []
    assert rows(admin_client, EVENTS, hours="24") == []


def test_the_number_of_queries_does_not_grow_with_the_rows(
    append: Append, admin_client: Client, django_assert_num_queries: Any
) -> None:
    for count in (3, 20):
        append("a", count)
        with django_assert_num_queries(5):  # session, user, courses to filter by, count, rows
            admin_client.get(reverse(EVENTS))


def test_nothing_is_counted_beyond_the_bound(
    append: Append, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin_tools, "ROWS_SHOWN", 4)
    append("a", 9)
    response = admin_client.get(reverse(EVENTS))
    assert response.context["cl"].result_count == 4
    assert "at most 4 are listed" in response.context["title"]


def test_an_event_is_shown_whole_and_cannot_be_touched(append: Append, admin_client: Client) -> None:
    append("a")
    event = Event.objects.get()
    page = admin_client.get(reverse("admin:telemetry_event_change", args=[event.pk]))
    assert event.hash in page.content.decode()
    assert reverse("admin:telemetry_chain_change", args=["a"]) in page.content.decode()
    assert admin_client.get(reverse("admin:telemetry_event_add")).status_code == 403
    assert admin_client.post(reverse("admin:telemetry_event_delete", args=[event.pk])).status_code == 403
    assert admin_client.post(reverse("admin:telemetry_event_change", args=[event.pk]), {}).status_code == 403


def test_chains_show_their_state(append: Append, tamper: Tamper, admin_client: Client) -> None:
    for key in ("broken", "due", "whole"):
        append(key, 2)
    tamper("UPDATE telemetry_chain SET broken_at = 2 WHERE key = 'broken'")
    tamper("UPDATE telemetry_chain SET verified_length = 2 WHERE key = 'whole'")
    for state in ("broken", "due", "whole"):
        assert [chain.key for chain in rows(admin_client, CHAINS, state=state)] == [state]
    page = admin_client.get(reverse(CHAINS)).content.decode()
    for text in ("Broken at event 2", "Grown since the last check", "Whole"):
        assert text in page
    detail = admin_client.get(reverse("admin:telemetry_chain_change", args=["whole"])).content.decode()
    assert f"{reverse(EVENTS)}?q=whole" in detail
    assert Chain.objects.get(key="whole").head_hash in detail


def test_strangers_see_nothing(append: Append, client: Client) -> None:
    append("a")
    assert client.get(reverse(EVENTS)).status_code == 302


@pytest.mark.parametrize("key", ["lesson:light-2d", "exports", "a_2Fb?&#=%"])
def test_chains_that_are_no_sessions_are_linked_as_well(append: Append, admin_client: Client, key: str) -> None:
    append(key)
    event = Event.objects.get()
    page = Page(admin_client.get(reverse("admin:telemetry_event_change", args=[event.pk])))
    [to_chain] = [node.attrs["href"] for node in page.tree.find("a") if node.text() == key]
    chain = Page(admin_client.get(to_chain))
    assert chain.status == 200
    [to_events] = [node.attrs["href"] for node in chain.tree.find("a") if node.text() == "Show"]
    assert list(admin_client.get(to_events).context["cl"].result_list) == [event]
