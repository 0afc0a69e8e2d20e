"""Corrected questions become examples: what waits comes first, one click decides, a pack takes what was accepted."""

import pytest
import yaml
from django.test import Client
from django.urls import reverse

from accounts.models import User
from routing.admin.examples_export import LABEL
from routing.models import LabelledExample
from routing.packs.pack import pack_read, pack_shipped
from routing.services import example_review, questions_erase
from tests.gateway.admin_pages import HOSTILE, assert_closed, assert_escaped, messages_of
from tests.lesson_engine.learn.pages import Page
from tests.routing.admin_made import PRICES, corrected, example_of

LIST = "/admin/routing/labelledexample/"
EXPORT = f"{LIST}export/"
State = LabelledExample.State


@pytest.fixture
def desk(client: Client, staff: User) -> Client:
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    return client


def labelled(user: User, message: str = PRICES, domain: str = "growth") -> LabelledExample:
    return example_of(corrected(user, domain, message)[0])


def exported(desk: Client) -> dict[str, list[str]]:
    response = desk.get(EXPORT)
    assert response.status_code == 200
    said = yaml.safe_load(response.content)["domains"]
    return {key: value["examples"][LABEL] for key, value in said.items()}


def test_those_that_wait_come_first_the_oldest_on_top(desk: Client, learner: User, staff: User) -> None:
    rows = [labelled(learner, f"{PRICES} {number}") for number in range(4)]
    example_review(example_id=rows[0].pk, accept=True, by=staff)
    example_review(example_id=rows[2].pk, accept=False, by=staff)
    response = desk.get(LIST)
    assert list(response.context["cl"].result_list) == [rows[1], rows[3], rows[2], rows[0]]
    first = Page(response).tree.one("tbody").find("tr")[0].text()
    assert f"{PRICES} 1" in first
    assert "→ growth" in first
    assert "waits" in first
    assert list(desk.get(LIST, {"state": "accepted"}).context["cl"].result_list) == [rows[0]]
    assert list(desk.get(LIST, {"domain": "tax"}).context["cl"].result_list) == []


def test_one_click_in_the_list_decides_and_leads_back_to_it(desk: Client, learner: User, staff: User) -> None:
    row = labelled(learner)
    page = Page(desk.get(LIST, {"state": "waits"}))
    form = page.tree.one("form", id="changelist-form")
    buttons = {node.text(): node.attrs["formaction"] for node in form.find("button") if "formaction" in node.attrs}
    assert list(buttons) == ["Accept", "Dismiss"]
    assert form.find("input", name="csrfmiddlewaretoken")
    response = desk.post(buttons["Accept"])
    assert response.headers["Location"] == f"{LIST}?state=waits"
    row.refresh_from_db()
    assert (row.state, row.reviewed_by) == (State.ACCEPTED, staff)
    response = desk.post(reverse("admin:routing_labelledexample_dismiss", args=[row.pk]), follow=True)
    assert messages_of(response)[-1] == "1 example dismissed."
    row.refresh_from_db()
    assert row.state == State.DISMISSED


def test_many_are_decided_at_once(desk: Client, learner: User) -> None:
    rows = [labelled(learner, f"{PRICES} {number}") for number in range(3)]
    chosen = [str(row.pk) for row in rows[:2]]
    response = desk.post(LIST, {"action": "accept_all", "_selected_action": chosen}, follow=True)
    assert messages_of(response) == ["2 examples accepted."]
    assert LabelledExample.objects.filter(state=State.ACCEPTED).count() == 2
    desk.post(LIST, {"action": "dismiss_all", "_selected_action": chosen[:1]})
    assert LabelledExample.objects.get(pk=rows[0].pk).state == State.DISMISSED


def test_accepted_ones_are_lines_of_a_pack(desk: Client, learner: User, staff: User) -> None:
    wanted = [PRICES, 'It said: "no", # really\n- - {x: [1]}', "¿Y en Mallorca? 🏠", HOSTILE]
    for message in [*wanted, PRICES.upper(), "x" * 1001]:
        example_review(example_id=labelled(learner, message).pk, accept=True, by=staff)
    example_review(example_id=labelled(learner, "another").pk, accept=False, by=staff)
    labelled(learner, "that waits")
    example_review(example_id=labelled(learner, "about taxes", "tax").pk, accept=True, by=staff)
    found = exported(desk)
    assert set(found) == {"growth", "tax"}
    one_line = [" ".join(text.split()) for text in wanted]
    assert sorted(text.casefold() for text in found["growth"]) == sorted(text.casefold() for text in one_line)
    data = {
        "pack": "more@1",
        "domains": {key: {"title": key, "examples": {LABEL: said}} for key, said in found.items()},
    }
    assert pack_read(data).keys == ("growth", "tax")
    assert all(key in pack_shipped().keys for key in found)


def test_erased_ones_are_left_out_and_cannot_be_accepted(desk: Client, learner: User, staff: User) -> None:
    row = labelled(learner)
    example_review(example_id=row.pk, accept=True, by=staff)
    assert exported(desk) == {"growth": [PRICES]}
    questions_erase(user=learner)
    assert exported(desk) == {}
    LabelledExample.objects.update(state=State.WAITS, reviewed_at=None)
    page = Page(desk.get(LIST))
    assert [node.text() for node in page.tree.find("button") if "formaction" in node.attrs] == ["Dismiss"]
    assert "it can be an example no more" in Page(desk.get(f"{LIST}{row.pk}/change/")).words


def test_nothing_accepted_is_still_yaml(desk: Client) -> None:
    assert exported(desk) == {}


def test_words_are_shown_as_text(desk: Client, learner: User) -> None:
    row = labelled(learner, HOSTILE)
    for url in (LIST, f"{LIST}{row.pk}/change/"):
        assert_escaped(desk.get(url))


def test_only_staff_may_decide_and_only_by_a_click(client: Client, learner: User) -> None:
    row = labelled(learner)
    urls = [reverse(f"admin:routing_labelledexample_{name}", args=[row.pk]) for name in ("accept", "dismiss")]
    assert_closed(client, learner, [*urls, EXPORT, LIST])
    row.refresh_from_db()
    assert row.state == State.WAITS
    staff = User.objects.create_superuser("carla", password="x")
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    assert [client.get(url).status_code for url in urls] == [405, 405]
    assert client.post(EXPORT).status_code == 405
    missing = [reverse("admin:routing_labelledexample_accept", args=[pk]) for pk in (row.pk + 1, 2**70)]
    assert [client.post(url).status_code for url in missing] == [404, 404]
