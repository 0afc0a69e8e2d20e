"""The audit trail as staff see it, and the check of a chain at one click."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from routing.models import AuditChain, AuditEntry
from routing.services.auditing import entry_document
from tests.gateway.admin_pages import HOSTILE, assert_closed, messages_of
from tests.lesson_engine.learn.pages import Page
from tests.routing.admin_made import failed
from tests.routing.audit_hands import tamper
from tests.routing.rows import MESSAGE, entry_row, failure_row

LIST = "admin:routing_auditentry_changelist"


@pytest.fixture
def desk(client: Client, staff: User) -> Client:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def three(learner: User) -> list[AuditEntry]:
    return [entry_row(learner, f"{MESSAGE} {number}") for number in range(3)]


def url_of(entry: AuditEntry) -> str:
    return reverse("admin:routing_auditentry_change", args=[entry.pk])


def page_of(desk: Client, entry: AuditEntry) -> Page:
    page = Page(desk.get(url_of(entry)))
    assert page.status == 200
    return page


def verify(desk: Client, entry: AuditEntry) -> tuple[Page, list[str]]:
    response = desk.post(reverse("admin:routing_auditentry_verify", args=[entry.pk]), follow=True)
    assert response.redirect_chain[-1][0] == url_of(entry)
    return Page(response), messages_of(response)


def listed(desk: Client, **query: Any) -> list[AuditEntry]:
    response = desk.get(reverse(LIST), query)
    assert response.status_code == 200, query
    return list(response.context["cl"].result_list)


def title_of(page: Page) -> str:
    return page.tree.one("h2", id="standing-title").text()


def test_an_entry_is_shown_in_the_documented_form_with_what_proves_it(desk: Client, learner: User) -> None:
    entry = entry_row(learner, HOSTILE, answered=True, warnings=["the model was slow"], model_used="o3-mini")
    page = page_of(desk, entry)
    shown = page.tree.one("pre", id="json-document")
    assert json.loads("".join(map(str, shown.parts))) == entry_document(AuditEntry.objects.get(pk=entry.pk))
    assert {node.attrs["id"] for node in page.tree.find("pre")} == {
        *("json-document", "json-plan", "json-decision", "json-output"),
    }
    for said in (entry.hash, entry.previous_hash, entry.signature, entry.key_id, entry.message_digest, "o3-mini"):
        assert said in page.words
    assert "the model was slow" in page.words
    assert "3650 days" in page.words
    assert "<script>alert" not in page.html


def test_a_new_entry_says_that_nobody_checked_it_and_a_click_that_it_holds(
    desk: Client, three: list[AuditEntry]
) -> None:
    page = page_of(desk, three[0])
    assert title_of(page) == "Not checked since it was written"
    assert "No check found the chain whole so far." in page.words
    page, said = verify(desk, three[0])
    assert said == [f"The chain {three[0].chain_id} is whole: all of its 3 entries hold."]
    assert title_of(page) == "Whole when it was last checked"
    assert "Last good check:" in page.words
    assert "of 3 entries." in page.words


def test_the_check_names_the_first_broken_row_and_what_is_before_it_still_holds(
    desk: Client, three: list[AuditEntry], learner: User
) -> None:
    good, bad, behind = three
    verify(desk, good)
    tamper("UPDATE routing_auditentry SET model_used = 'another' WHERE id = %s", bad.pk)
    page, said = verify(desk, behind)
    assert said[0].startswith(f"The chain {bad.chain_id} is broken at entry 2: it was altered (")
    assert title_of(page) == "Its chain is broken at entry 2"
    assert url_of(bad) in [node.attrs.get("href") for node in page.tree.one("section", class_="cq-head").find("a")]
    assert "Last good check:" in page.words
    page, said = verify(desk, good)
    assert said[0].endswith("This entry stands before it and holds.")
    assert title_of(page) == "It held; its chain is broken further on, at entry 2"


def test_broken_chains_stand_out_in_the_lists(desk: Client, three: list[AuditEntry], stranger: User) -> None:
    other = entry_row(stranger)
    tamper("UPDATE routing_auditentry SET status = 'partial' WHERE id = %s", three[1].pk)
    verify(desk, three[0])
    marks = [node.text() for node in Page(desk.get(reverse(LIST))).tree.find("span", class_="cq-broken")]
    assert sorted(marks) == ["broken here, or before", "broken here, or before", "chain broken further on"]
    assert set(listed(desk, state="broken")) == set(three)
    assert (listed(desk, state="never"), listed(desk, state="due")) == ([other], [])
    chains = Page(desk.get(reverse("admin:routing_auditchain_changelist"), {"state": "broken"}))
    assert chains.tree.one("span", class_="cq-broken").text() == "Broken at entry 2"
    page = Page(desk.get(reverse("admin:routing_auditchain_change", args=[three[0].chain_id.replace(":", "_3A")])))
    assert url_of(three[1]) in page.html


def test_a_chain_that_was_never_checked_is_not_said_to_have_grown(desk: Client, learner: User) -> None:
    def state() -> tuple[str, list[str]]:
        page = Page(desk.get(reverse("admin:routing_auditchain_changelist")))
        return page.tree.one("td", class_="field-state").text(), [
            key for key in ("never", "due", "whole") if entry in listed(desk, state=key)
        ]

    entry = entry_row(learner)
    assert state() == ("Never checked so far", ["never"])
    verify(desk, entry)
    assert state() == ("Whole", ["whole"])
    entry_row(learner, "another")
    assert state() == ("Grown since the last check", ["due"])


def test_an_entry_whose_row_is_missing_is_told_so(desk: Client, three: list[AuditEntry]) -> None:
    tamper("DELETE FROM routing_auditentry WHERE id = %s", three[1].pk)
    _page, said = verify(desk, three[0])
    assert "is broken at entry" in said[0]
    assert AuditChain.objects.get().broken_at is not None


def test_the_list_is_narrowed_and_searched_by_ids_and_people(
    desk: Client, three: list[AuditEntry], stranger: User
) -> None:
    wrong = failure_row(stranger)
    assert listed(desk, status="error") == [wrong]
    assert listed(desk, status="partial") == []
    assert listed(desk, hours="1") == []
    assert set(listed(desk, q="ana")) == set(three)
    told = entry_row(stranger, warnings=["slow", "cut"], model_used="o3-mini")
    row = Page(desk.get(reverse(LIST), {"q": str(told.pk)})).tree.one("tbody").text()
    assert row.endswith(f"success berto {told.chain_id} · 2 Show 2 o3-mini")
    for id_ in (three[1].pk, three[1].correlation_id, three[1].query_plan_id, three[1].question_id):
        assert listed(desk, q=str(id_)) == [three[1]]
    assert [listed(desk, q=words) for words in ("excedencia", "x" * 900)] == [[]] * 2


def test_a_question_that_could_not_be_read_has_its_error_on_record(desk: Client, learner: User) -> None:
    failed(learner)
    page = page_of(desk, AuditEntry.objects.get())
    assert "Error: RuntimeError while the question was read" in page.words
    assert "None: nothing was made." in page.words


def test_only_staff_may_check_and_only_by_a_click(client: Client, learner: User, three: list[AuditEntry]) -> None:
    url = reverse("admin:routing_auditentry_verify", args=[three[0].pk])
    assert_closed(client, learner, [url])
    assert AuditChain.objects.get().verified_at is None
    staff = User.objects.create_superuser("carla", password="x")
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(url).status_code == 405
    gone = reverse("admin:routing_auditentry_verify", args=["00000000-0000-0000-0000-000000000000"])
    assert client.post(gone).status_code == 404


def test_a_check_needs_the_token_of_the_page(staff: User, three: list[AuditEntry]) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.post(reverse("admin:routing_auditentry_verify", args=[three[0].pk])).status_code == 403
