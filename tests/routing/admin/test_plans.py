"""Query plans, their packs, and what decided them, as staff see it."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from routing.models import PackVersion, QueryPlan
from routing.services import questions_erase
from tests.gateway.admin_pages import HOSTILE, assert_closed, assert_escaped, text_of
from tests.lesson_engine.learn.pages import Page
from tests.routing.admin_made import EXCEDENCIA, PRICES, asked, corrected
from tests.routing.rows import entry_row

LIST = "admin:routing_queryplan_changelist"


@pytest.fixture
def desk(client: Client, staff: User) -> Client:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    return client


def listed(desk: Client, **query: Any) -> list[QueryPlan]:
    response = desk.get(reverse(LIST), query)
    assert response.status_code == 200, query
    return list(response.context["cl"].result_list)


def url_of(row: Any) -> str:
    return reverse(f"admin:routing_{row._meta.model_name}_change", args=[row.pk])


def page_of(desk: Client, row: Any) -> Page:
    page = Page(desk.get(url_of(row)))
    assert page.status == 200
    return page


def test_the_list_says_how_each_question_was_understood(desk: Client, learner: User) -> None:
    wrong, right = corrected(learner)
    row = asked(learner, EXCEDENCIA)
    page = Page(desk.get(reverse(LIST)))
    cells = [
        [cell.text() for cell in line.nodes if cell.tag in ("th", "td")]
        for line in page.tree.one("table", id="result_list").one("tbody").find("tr")
    ]
    latest, correction, first = cells
    assert latest[1:3] == [EXCEDENCIA, "transition, market"]
    assert latest[3].startswith("high · 9")
    assert [latest[4], latest[5], latest[7]] == ["deep", "", "Spanish"]
    assert latest[8] == str(row.pack)
    assert (first[6], correction[6]) == ("to: growth", "corrects another")
    assert [url_of(one) in page.html for one in (wrong, right, row)] == [True] * 3


def test_it_is_narrowed_by_all_that_it_shows(desk: Client, learner: User) -> None:
    wrong, right = corrected(learner)
    spanish, unclear = asked(learner, EXCEDENCIA), asked(learner, "qwx zzt", mode="fast")
    lab = asked(learner, PRICES, domain_hint="lab")
    cases: list[tuple[dict[str, str], set[QueryPlan]]] = [
        ({"confidence": "low", "flag": "needs-clarification"}, {unclear}),
        ({"domain": "transition"}, {spanish}),
        ({"flag": "lab-access-denied"}, {lab}),
        ({"mode": "deep", "language": "es"}, {spanish}),
        ({"language": "es"}, {spanish}),
        ({"phase": "3"}, set()),
        ({"phase": "2"}, {wrong, right, spanish, unclear, lab}),
        ({"corrected": "yes"}, {wrong}),
        ({"corrected": "correction"}, {right}),
        ({"corrected": "no"}, {spanish, unclear, lab}),
        ({"hours": "1"}, {wrong, right, spanish, unclear, lab}),
        ({"confidence": "nonsense", "phase": "x", "domain": "'", "flag": "{}"}, {wrong, right, spanish, unclear, lab}),
    ]
    faults = [(query, found) for query, wanted in cases if (found := set(listed(desk, **query))) != wanted]
    assert not faults


def test_it_is_searched_by_ids_and_never_by_words(desk: Client, learner: User) -> None:
    wrong, right = corrected(learner)
    asked(learner, EXCEDENCIA)
    assert listed(desk, q=str(right.pk)) == [right]
    assert set(listed(desk, q=str(wrong.correlation_id))) == {wrong, right}
    assert set(listed(desk, q=f" {wrong.question_id} ")) == {wrong, right}
    assert [listed(desk, q=words) for words in ("prices", "ana", "0" * 900, "'; --")] == [[]] * 4


def test_a_page_says_the_plan_what_decided_it_and_where_it_is_on_record(desk: Client, learner: User) -> None:
    row = asked(learner, EXCEDENCIA)
    page = page_of(desk, row)
    head = page.tree.one("section", class_="cq-head")
    assert head.one("h2").text().startswith("Mode deep, confidence high (9")
    assert head.one("blockquote").text() == EXCEDENCIA
    assert [one.text() for one in head.find("span", class_="cq-domain")] == ["transition", "market"]
    assert "“Transition" in page.words or "«" in page.words
    shares = page.tree.one("table", class_="cq-shares").one("tbody").find("tr")
    assert len(shares) == 7
    assert "transition in the plan" in shares[0].text()
    assert "excedencia" in shares[0].text()
    assert page.tree.one("table", class_="cq-nearest").one("tbody").find("tr")
    links = [node.attrs.get("href", "") for node in page.tree.find("a")]
    assert url_of(row.audit_entries.get()) in links
    assert f"{reverse('admin:telemetry_event_changelist')}?q=query%3A{row.question_id}" in links
    assert reverse("admin:accounts_user_change", args=[learner.pk]) in links
    assert url_of(row.pack) in links
    pages = [link for link in links if link.startswith("/admin/") and "logout" not in link and "password" not in link]
    assert {desk.get(link).status_code for link in pages} == {200}


def test_the_json_is_the_plan_as_it_is_stored_in_the_documented_order(desk: Client, learner: User) -> None:
    row = asked(learner)
    shown = page_of(desk, row).tree.one("pre", id="json-plan")
    said = json.loads("".join(str(part) for part in shown.parts))
    assert said == row.plan
    assert list(said)[:3] == ["mode", "domain_hint", "domains_selected"]
    assert list(said["lab_policy"]) == ["allow_lab", "status", "rationale"]


def test_corrections_are_linked_both_ways(desk: Client, learner: User) -> None:
    wrong, right = corrected(learner)
    assert url_of(right) in page_of(desk, wrong).html
    page = page_of(desk, right)
    assert url_of(wrong) in page.html
    assert url_of(right.labelled) in page.html


def test_what_a_person_wrote_is_shown_as_text(desk: Client, learner: User) -> None:
    row = asked(learner, HOSTILE + "\u202e")
    assert_escaped(desk.get(url_of(row)))
    assert_escaped(desk.get(url_of(row.audit_entries.get())))
    assert "<script>alert" not in desk.get(reverse(LIST)).content.decode()


@pytest.mark.parametrize("message", ["", "\0", "\ud800", " \n ", "🦄" * 150, "م" * 5000])
def test_any_question_can_be_listed_and_opened(desk: Client, learner: User, message: str) -> None:
    row = asked(learner, message)
    urls = [reverse(LIST), url_of(row), reverse("admin:routing_auditentry_changelist"), url_of(row.audit_entries.get())]
    assert {desk.get(url).status_code for url in urls} == {200}
    assert len(text_of(desk.get(urls[0]))) < 5000


def test_erased_words_are_gone_from_every_page(desk: Client, learner: User) -> None:
    wrong, right = corrected(learner, message="The price of my secret villa in Pollensa?")
    entry = right.audit_entries.get()
    urls = [reverse(LIST), *map(url_of, (wrong, right, entry, right.labelled))]
    urls += [reverse(f"admin:routing_{name}_changelist") for name in ("auditentry", "labelledexample")]
    assert all("secret villa" in desk.get(url).content.decode() for url in urls)
    questions_erase(user=learner)
    assert not [url for url in urls if "secret villa" in desk.get(url).content.decode()]
    assert not [url for url in urls if "erased" not in desk.get(url).content.decode()]


def test_a_row_without_a_reading_still_has_its_page(desk: Client, learner: User) -> None:
    entry = entry_row(learner)
    assert entry.query_plan is not None
    assert "Nothing was stored of what decided it." in page_of(desk, entry.query_plan).words
    assert "no pack of today" in page_of(desk, PackVersion.objects.get()).words


def test_staff_without_rights_over_people_get_no_link_to_them(client: Client, learner: User) -> None:
    clerk = User.objects.create_user("otto", password="x", role=Role.STAFF, is_staff=True)
    client.force_login(clerk, backend="django.contrib.auth.backends.ModelBackend")
    page = Page(client.get(url_of(asked(learner))))
    assert page.status == 200
    assert "/admin/accounts/user/" not in page.html
    assert "ana" in page.words


def test_nobody_else_gets_in(client: Client, learner: User) -> None:
    wrong, right = corrected(learner)
    rows = [wrong, right.pack, right.audit_entries.get(), right.labelled]
    lists = [reverse(f"admin:routing_{row._meta.model_name}_changelist") for row in rows]
    assert_closed(client, learner, [*map(url_of, rows), *lists, reverse("consult:board")])


def test_a_pack_version_is_shown_whole(desk: Client, learner: User) -> None:
    pack = asked(learner).pack
    page = page_of(desk, pack)
    rows = [
        [cell.text() for cell in row.nodes if cell.tag in ("th", "td")]
        for row in page.tree.one("table", class_="cq-counts").one("tbody").find("tr")
    ]
    assert len(rows) == 7
    for key, english, spanish, together, _keywords in rows:
        assert min(int(english), int(spanish)) >= 40, key
        examples = pack.content["domains"][[row[0] for row in rows].index(key)]["examples"]
        assert int(together) == int(english) + int(spanish) == sum(map(len, examples.values()))
    assert page.tree.one("section", id="domain-market").one("details").attrs.get("open") is None
    assert "how much does a square metre cost in Santa Catalina right now?" in page.words
    assert "precio m2" in page.words
    [line] = Page(desk.get(reverse("admin:routing_packversion_changelist"))).tree.one("tbody").find("tr")
    assert [cell.text() for cell in line.nodes if cell.tag in ("th", "td")][-1] == "1"


def test_lists_take_as_many_queries_for_many_rows_as_for_one(
    desk: Client, learner: User, django_assert_num_queries: Any
) -> None:
    """The browser's session; its user; how many; the rows; of the examples also the token of their form's actions."""
    names = ("queryplan", "auditentry", "auditchain", "labelledexample", "packversion")
    for _ in range(2):
        corrected(learner)
        for name in names:
            url = reverse(f"admin:routing_{name}_changelist")
            desk.get(url)
            with django_assert_num_queries(4):
                desk.get(url)
