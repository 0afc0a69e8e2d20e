"""Somebody asks on the Consult page and reads how the question was understood, with htmx and without."""

import re
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from accounts.models import User
from routing.consult.histories import ROWS
from routing.consult.presenter import MESSAGE_AT_MOST, first_words
from routing.models import AuditEntry, QueryPlan, Question
from routing.services import plan_correct, question_ask, questions_erase
from tests.hostile.corpus import TEXTS
from tests.hostile.harmless import acting
from tests.lesson_engine.learn.pages import Page, fields_of
from tests.lesson_engine.learn.test_query_counts import WHO, Queries

EXCEDENCIA = "¿Es buen momento para solicitar excedencia en CGI?"
HTMX = {"HX-Request": "true"}
Broken = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def at_home(client: Client, learner: User) -> Client:
    """The learner's browser."""
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    return client


def look(browser: Client, address: str = "/consult/", **headers: str) -> Page:
    response = browser.get(address, headers=headers)
    assert response.status_code == 200, response.status_code
    return Page(response)


def asked(browser: Client, message: str, *, htmx: bool = False, **more: str) -> Page:
    """Send the form of a fresh page, and look at what comes."""
    form = look(browser).tree.one("form", id="ask")
    data = {**fields_of(form), "message": message, "mode": "", "hint": "auto", **more}
    response = browser.post(form.attrs["action"], data, headers=HTMX if htmx else {}, follow=True)
    return Page(response)


def panel(page: Page) -> str:
    return page.tree.one("section", id="plan").text()


@pytest.mark.django_db
def test_whoever_is_nobody_becomes_a_guest_by_asking_and_not_by_looking(client: Client) -> None:
    page = look(client)
    assert not page.has("plan")
    assert not User.objects.exists()
    page = asked(client, EXCEDENCIA)
    assert (page.status, User.objects.get().is_guest) == (200, True)
    assert EXCEDENCIA in panel(page)
    assert Question.objects.get().user == User.objects.get()


@pytest.mark.parametrize("htmx", [False, True], ids=["whole", "htmx"])
def test_the_panel_says_all_that_the_plan_says(at_home: Client, htmx: bool) -> None:
    page = asked(at_home, EXCEDENCIA, htmx=htmx)
    row, tree = QueryPlan.objects.get(), page.tree.one("section", id="plan")
    assert bool(page.tree.find("html")) is not htmx
    assert [node.attrs["data-domain"] for node in tree.find("li") if "data-domain" in node.attrs] == row.domains
    assert tree.find("dd", data_mode=row.mode)
    assert tree.find("dd", data_lab="denied")
    assert tree.one(data_confidence=row.confidence).one(class_="plan-percent").text().endswith("%")
    assert tree.one(class_="plan-why").text() == " ".join(row.plan["rationale"].split())
    assert tree.one(class_="plan-why").attrs["lang"] == "es"
    said = panel(page)
    entry = AuditEntry.objects.get()
    for value in (row.schema_version, str(row.pack), row.router_version, str(entry.pk), entry.hash):
        assert value in said, value


def test_the_choices_of_the_form_reach_the_plan(at_home: Client) -> None:
    page = asked(at_home, "precio del metro cuadrado", mode="deep", hint="lab")
    row = QueryPlan.objects.get()
    assert (row.mode, row.domain_hint) == ("deep", "lab")
    flags = [node.attrs["data-flag"] for node in page.tree.find("li") if "data-flag" in node.attrs]
    assert flags == row.flags == ["lab-access-requested", "lab-access-denied"]


def test_an_example_can_be_asked_with_one_click(at_home: Client) -> None:
    page = look(at_home)
    examples = page.tree.find("button", class_="example")
    assert len(examples) == 4
    page = asked(at_home, "", example=examples[1].attrs["value"])
    assert examples[1].text() in panel(page)
    assert not page.tree.find("button", class_="example"), "whoever has asked knows how"


def test_a_form_sent_twice_is_one_question_and_changed_it_is_another(at_home: Client) -> None:
    form = fields_of(look(at_home).tree.one("form", id="ask"))
    for message in ("precio m2", "precio m2", "subir precios de alquiler"):
        assert at_home.post("/consult/ask/", {**form, "message": message}).status_code == 302
    assert Question.objects.count() == 2
    again = look(at_home).tree.one("form", id="ask")
    assert fields_of(again)["key"] != form["key"]


@pytest.mark.parametrize("htmx", [False, True], ids=["whole", "htmx"])
def test_one_click_corrects_and_both_plans_name_each_other(at_home: Client, htmx: bool) -> None:
    page = asked(at_home, EXCEDENCIA)
    first = QueryPlan.objects.get()
    form = page.tree.one("form", class_="correct")
    buttons = [button.attrs["value"] for button in form.find("button")]
    assert len(buttons) == 5
    assert not {"lab", first.domains[0]} & set(buttons)
    response = at_home.post(form.attrs["action"], {"domain": "tax"}, headers=HTMX if htmx else {}, follow=True)
    page, corrected = Page(response), QueryPlan.objects.get(corrects=first)
    assert page.tree.one("section", id="plan").attrs["data-plan"] == str(corrected.pk)
    assert page.has("ask") is not htmx, "what somebody types meanwhile is left alone"
    assert page.tree.one("section", id="plan").find("a", href=f"/consult/plans/{first.pk}/")
    before = look(at_home, f"/consult/plans/{first.pk}/")
    assert before.tree.find("a", href=f"/consult/plans/{corrected.pk}/")
    assert not before.tree.find("form", class_="correct"), "only the latest can be corrected"
    assert [node.attrs["href"] for node in look(at_home).tree.find("a", class_="asked-words")] == []


def test_correcting_on_a_plans_own_page_leads_to_the_new_plans_page(at_home: Client) -> None:
    asked(at_home, EXCEDENCIA)
    first = QueryPlan.objects.get()
    form = look(at_home, f"/consult/plans/{first.pk}/").tree.one("form", class_="correct")
    data = {**fields_of(form), "domain": "brand"}
    plain = at_home.post(form.attrs["action"], data)
    new = QueryPlan.objects.get(corrects=first)
    assert plain.headers["Location"] == f"/consult/plans/{new.pk}/#plan"
    assert at_home.post(form.attrs["action"], data, headers=HTMX).headers["HX-Push-Url"] == f"/consult/plans/{new.pk}/"


@pytest.mark.parametrize("htmx", [False, True], ids=["whole", "htmx"])
def test_a_refused_correction_says_so_and_shows_how_it_stands(at_home: Client, htmx: bool) -> None:
    asked(at_home, EXCEDENCIA)
    first = QueryPlan.objects.get()
    plan_correct(plan_id=first.pk, domain="tax", by=first.question.user)
    for domain in ("brand", "lab", "", "\0"):
        data, headers = {"domain": domain, "page": "plan"}, HTMX if htmx else {}
        response = at_home.post(f"/consult/plans/{first.pk}/correct/", data, headers=headers)
        assert (response.status_code, "HX-Reswap" in response.headers) == (409, htmx)
        assert Page(response).tree.find(data_problem="correction-refused")
    assert QueryPlan.objects.count() == 2


@pytest.mark.parametrize("page", ["", "plan"], ids=["consult", "own"])
@pytest.mark.parametrize("htmx", [False, True], ids=["whole", "htmx"])
@pytest.mark.parametrize(
    ("setting", "value", "problem"),
    [("AUDIT_RETENTION_DAYS", -1, "audit-write-failed"), ("QUERY_PLAN_PHASE", 99, "consult-failed")],
    ids=["unrecorded", "unread"],
)
def test_a_correction_that_fails_says_so_in_the_panel_and_can_be_tried_again(
    at_home: Client, settings: LazySettings, setting: str, value: int, problem: str, htmx: bool, page: str
) -> None:
    asked(at_home, EXCEDENCIA)
    row = QueryPlan.objects.get()
    address, data, headers = f"/consult/plans/{row.pk}/correct/", {"domain": "tax", "page": page}, HTMX if htmx else {}
    right = getattr(settings, setting)
    setattr(settings, setting, value)
    response = at_home.post(address, data, headers=headers)
    assert (response.status_code, "HX-Reswap" in response.headers) == (503, htmx or not page)
    shown = Page(response)
    assert bool(shown.tree.find("html")) is not htmx
    notice = shown.tree.one(data_problem=problem)
    assert shown.tree.one("section", id="plan").find(role="alert") == [notice]
    assert "So it was not corrected." in notice.text()
    assert panel(shown).count(EXCEDENCIA) == QueryPlan.objects.count() == 1
    assert list(AuditEntry.objects.filter(status="error").values_list("question")) == [
        (row.question_id,) for _ in range(problem == "consult-failed")
    ]
    setattr(settings, setting, right)
    assert at_home.post(address, data, headers=headers, follow=True).status_code == 200
    assert QueryPlan.objects.get(corrects=row).domains[0] == "tax"


def test_of_a_correction_the_panel_says_who_said_so_and_not_how_sure_the_router_was(at_home: Client) -> None:
    first = asked(at_home, EXCEDENCIA).tree.one(class_="plan-meaning").text()
    row = QueryPlan.objects.get()
    plan_correct(plan_id=row.pk, domain="tax", by=row.question.user)
    assert look(at_home).tree.one(class_="plan-meaning").text() == "You said so." not in first


@pytest.mark.parametrize("htmx", [False, True], ids=["whole", "htmx"])
def test_what_was_typed_stays_when_the_question_cannot_be_answered(
    at_home: Client, settings: LazySettings, monkeypatch: pytest.MonkeyPatch, htmx: bool
) -> None:
    def wrong(problem: str, status: int, message: str, **more: str) -> None:
        page = asked(at_home, message, htmx=htmx, **more)
        assert page.status == status
        assert page.tree.find(data_problem=problem)
        kept = page.tree.one("textarea", id="message")
        assert "".join(part for part in kept.parts if isinstance(part, str)).strip() == message
        chosen = [option.attrs["value"] for option in page.tree.find("option", selected="")]
        assert ("deep" in chosen) == (more.get("mode") == "deep")

    wrong("too-long", 422, "a" * (MESSAGE_AT_MOST + 1), mode="deep")
    wrong("query-plan-invalid", 422, "hola", hint="finance")
    wrong("query-plan-invalid", 422, "hola", mode="slow")
    assert not Question.objects.exists()
    settings.AUDIT_RETENTION_DAYS = -1  # the database refuses the entry
    wrong("audit-write-failed", 503, EXCEDENCIA, mode="deep")
    assert not Question.objects.exists()
    settings.AUDIT_RETENTION_DAYS = 3650

    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("routing.router.decide", breaks)
    wrong("consult-failed", 503, EXCEDENCIA, mode="deep")


def test_ten_thousand_characters_are_taken_with_their_line_ends(at_home: Client) -> None:
    page = asked(at_home, ("a" * 99 + "\r\n") * 100)
    assert page.status == 200
    assert page.has("plan")


def test_only_ones_own_plans_exist(at_home: Client, client: Client) -> None:
    theirs = [question_ask(user=User.objects.create_user(name), message="hola") for name in ("berto", "dora")]
    for row in theirs:
        for address in ("", "correct/", "check/"):
            ask = at_home.post if address else at_home.get
            assert ask(f"/consult/plans/{row.pk}/{address}", {"domain": "tax"}).status_code == 404
        assert at_home.get(f"/consult/?before={row.question_id}").status_code == 404
    assert not look(at_home).has("plan")
    assert QueryPlan.objects.count() == 2
    nobody = Client()
    assert nobody.get(f"/consult/plans/{theirs[0].pk}/").status_code == 404
    assert nobody.get(f"/consult/?before={theirs[0].question_id}").status_code == 404
    for cursor in ("x", "", str(uuid.uuid4()), "\0"):
        assert at_home.get("/consult/", {"before": cursor}).status_code == 404


def test_opening_the_address_of_an_action_leads_to_its_page(at_home: Client) -> None:
    row = question_ask(user=User.objects.get(), message="hola")
    assert at_home.get("/consult/ask/").headers["Location"] == "/consult/"
    for name in ("correct", "check"):
        assert at_home.get(f"/consult/plans/{row.pk}/{name}/").headers["Location"] == f"/consult/plans/{row.pk}/"
        assert at_home.put(f"/consult/plans/{row.pk}/{name}/").status_code == 405


def test_the_trail_is_checked_and_the_last_good_check_is_shown(at_home: Client) -> None:
    page = asked(at_home, EXCEDENCIA)
    assert page.tree.find("dd", data_checked="none")
    form = page.tree.one("details", id="record").one("form")
    page = Page(at_home.post(form.attrs["action"], headers=HTMX))
    assert page.tree.find("dd", data_checked="good")
    assert "open" in page.tree.one("details", id="record").attrs
    asked(at_home, "otra pregunta")
    latest = look(at_home)
    assert latest.tree.find("dd", data_checked="none"), "that check was before this entry"


def test_a_check_without_scripts_leads_to_the_open_record(at_home: Client) -> None:
    record = asked(at_home, EXCEDENCIA).tree.one("details", id="record")
    assert "open" not in record.attrs
    response = at_home.post(record.one("form").attrs["action"])
    address = f"/consult/plans/{QueryPlan.objects.get().pk}/"
    assert response.headers["Location"] == f"{address}?record=open#record"
    checked = look(at_home, f"{address}?record=open").tree.one("details", id="record")
    assert "open" in checked.attrs
    assert checked.find("dd", data_checked="good")
    assert "open" not in look(at_home, address).tree.one("details", id="record").attrs


def test_the_history_shows_each_question_once_page_by_page(at_home: Client, learner: User) -> None:
    for number in range(2 * ROWS + 3):
        question_ask(user=learner, message=f"pregunta {number} sobre el precio")
    fifth = QueryPlan.objects.order_by("created_at")[5]
    plan_correct(plan_id=fifth.pk, domain="brand", by=learner)
    seen, page, parts = [], look(at_home), []
    assert "pregunta 42 " in panel(page)
    while True:
        seen += [node.text() for node in page.tree.find("a", class_="asked-words")]
        more = page.tree.find(class_="asked-more")
        if not more:
            break
        address = more[0].one("a").attrs["href"]
        parts.append(Page(at_home.get(address, headers=HTMX)))
        page = look(at_home, address)
    assert seen == [f"pregunta {number} sobre el precio" for number in reversed(range(2 * ROWS + 2))]
    for part in parts:
        assert not part.tree.find("html")
        assert part.tree.find("li", class_="asked-row")


def test_erased_words_are_said_to_be_erased(at_home: Client, learner: User) -> None:
    rows = [question_ask(user=learner, message=message) for message in ("secreto uno", "secreto dos")]
    questions_erase(user=learner)
    for page in (look(at_home), look(at_home, f"/consult/plans/{rows[0].pk}/")):
        assert "erased" in page.words
        assert "secreto" not in page.html
        assert not page.tree.find("form", class_="correct")


@pytest.mark.hard
def test_the_corpus_is_text_on_every_page_of_the_consult(at_home: Client, learner: User) -> None:
    faults = []
    for name, text in TEXTS.items():
        response = at_home.post("/consult/ask/", {"message": text}, headers=HTMX)
        shown = look(at_home, f"/consult/plans/{QueryPlan.objects.latest('created_at').pk}/")
        page = Page(response)
        faults += [(name, found) for html in (page.html, shown.html) for found in acting(html)]
        words = " ".join(re.sub(r"[\0\r]", " ", text).split())
        if response.status_code != 200 or (words and words not in re.sub(r"[\0]", " ", panel(shown))):
            faults.append((name, f"{response.status_code} {panel(shown)[:120]}"))
    for address in ("/consult/", f"/consult/?before={Question.objects.latest('created_at').pk}"):
        faults += [(address, found) for found in acting(look(at_home, address).html)]
    assert not faults, faults
    assert Question.objects.count() == len(TEXTS)


def test_phases_show_what_they_have(at_home: Client, settings: LazySettings) -> None:
    shown: dict[int, list[Any]] = {}
    for phase in (2, 3, 4):
        settings.QUERY_PLAN_PHASE = phase
        page = asked(at_home, "¿Qué gastos puedo deducir como autónomo?")
        shown[phase] = [node.attrs["data-extra"] for node in page.tree.find("dd") if "data-extra" in node.attrs]
    assert shown == {2: [], 3: ["evidence"], 4: ["evidence", "agents", "skills"]}


def test_first_words_are_cut_between_characters() -> None:
    assert first_words(("é" * 300).encode()[:479]) == "é" * 109 + "…"
    assert first_words(b"a\n\n b" + "🦄".encode()[:3]) == "a b"


def test_the_queries_of_the_pages(at_home: Client, learner: User, django_assert_num_queries: Queries) -> None:
    with django_assert_num_queries(0):
        Client().get("/consult/")
    with django_assert_num_queries(WHO + 1):  # the questions, of which there are none
        at_home.get("/consult/")
    for number in range(ROWS + 2):
        question_ask(user=learner, message=f"precio {number}")
    row = QueryPlan.objects.latest("created_at")
    # 3. the latest questions; 4. the plan of the first, with its question and pack; 5. its audit entry and chain
    with django_assert_num_queries(WHO + 3):
        at_home.get("/consult/")
    with django_assert_num_queries(WHO + 2):
        at_home.get(f"/consult/plans/{row.pk}/")
    with django_assert_num_queries(WHO + 2):  # where the page begins; its questions
        at_home.get(f"/consult/?before={row.question_id}")
    plan_correct(plan_id=row.pk, domain="brand", by=learner)
    with django_assert_num_queries(WHO + 4):  # the same, and all plans of the question
        at_home.get("/consult/")
