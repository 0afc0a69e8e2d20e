"""Calls to models in the administration: what each cost, who paid, and the charges that nobody could verify."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from gateway.client.call_texts import text_erase, text_keep
from gateway.contracts import MICROCENTS, Outcome, Tier
from gateway.ledger import release, settle
from gateway.models import Account, CallText, Entry, Hold
from lesson_engine.services.sessions import session_start
from telemetry.models import Event
from tests.conftest import LessonMaker
from tests.gateway.admin_pages import (
    HOSTILE,
    assert_closed,
    assert_escaped,
    change_url,
    listed,
    messages_of,
    text_of,
)
from tests.gateway.ledger_helpers import (
    NOON,
    answered,
    assert_books_right,
    held,
    hold_of,
    lesson,
    lost,
    sent,
    session_account,
)

CALLS = "/admin/gateway/hold/"


def correct_url(hold_id: object) -> str:
    return f"{CALLS}{hold_id}/correct/"


def erase_url(hold_id: object) -> str:
    return f"{CALLS}{hold_id}/erase-text/"


def unverified(cents: int = 4) -> uuid.UUID:
    """A call whose reply was lost: its worst case was charged."""
    call = sent(lesson(), cents * MICROCENTS)
    settle(call, lost(), now=NOON)
    return call


def test_calls_are_listed_newest_first_and_narrowed(desk: Client) -> None:
    one, two = lesson("one"), lesson("two")
    first = sent(one, tier=Tier.THINKER, escalation=True)
    settle(first, answered(10), now=NOON)
    second = sent(two, now=NOON + timedelta(seconds=1))
    settle(second, lost(Outcome.CUT), now=NOON + timedelta(seconds=2))
    third = held(two, now=NOON + timedelta(seconds=3)).id
    fourth = held(two, tier=Tier.EMBED, now=NOON + timedelta(seconds=4)).id
    release(fourth, now=NOON + timedelta(seconds=5))

    def found(**query: str) -> list[uuid.UUID]:
        return [row.pk for row in listed(desk, "hold", **query)]

    assert found() == [fourth, third, second, first]
    for query, calls in (
        ({"state__exact": "held"}, [third]),
        ({"state__exact": "settled"}, [second, first]),
        ({"tier__exact": "thinker"}, [first]),
        ({"outcome": "cut"}, [second]),
        ({"outcome": "not_sent"}, [fourth]),
        ({"unverified__exact": "1"}, [second]),
        ({"escalation__exact": "1"}, [first]),
        ({"q": "gpt-4o-mini"}, [third, second]),
        ({"q": "gpt-4o"}, []),
        ({"q": " two "}, [fourth, third, second]),
        ({"q": str(first)}, [first]),
        ({"q": str(uuid.uuid4())}, []),
        ({"q": "' OR 1=1 --"}, []),
        ({"q": "two", "state__exact": "settled"}, [second]),
    ):
        assert found(**query) == calls, query


def test_a_sessions_calls_are_found_by_its_id(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    session = session_start(user=learner, lesson=make_lesson().lesson)
    call = sent(lesson(str(session.pk), user_id=learner.pk))
    sent(lesson("another"))
    assert [row.pk for row in listed(desk, "hold", q=str(session.pk))] == [call]
    assert [row.pk for row in listed(desk, "hold", q=session.pk.hex.upper())] == [call]
    source = desk.get(change_url("hold", call)).content.decode()
    assert reverse("admin:lesson_engine_session_change", args=[session.pk]) in source
    assert f"{reverse('admin:telemetry_event_changelist')}?q={session.pk}" in source


def test_a_row_says_what_it_was_and_what_it_cost(desk: Client) -> None:
    settle(sent(lesson(), tier=Tier.THINKER, escalation=True), answered(100), now=NOON)
    settle(sent(lesson("other")), lost(), now=NOON)
    page = text_of(desk.get(CALLS))
    assert "03/10/2026 12:00:00 settled thinker o3-mini tutor_turn 0.25 1 answered 300 escalation" in page
    assert "settled cheap gpt-4o-mini tutor_turn 1 1 lost - unverified" in page


def test_the_page_of_a_call_tells_everything(desk: Client, learner: User) -> None:
    payer = lesson(user_id=learner.pk, course="light", mode="adaptive", subject="turn:5")
    same = uuid.uuid4()
    failed = sent(payer, call=same, attempt=1)
    settle(failed, lost(Outcome.TIMED_OUT), now=NOON)
    call = sent(payer, call=same, attempt=2, now=NOON + timedelta(seconds=21))
    settle(call, answered(800, cached=100, output=120, reasoning=20), now=NOON + timedelta(seconds=22))
    sent(payer, now=NOON + timedelta(seconds=23))
    response = desk.get(change_url("hold", call))
    page = text_of(response)
    for words in (
        *("answered", "gpt-4o-mini", "version 1", "tutor_turn", f"{same}, attempt 2", "0.46", "ana"),
        *("light · adaptive · turn:5", f"9 bytes · {'d' * 64}", "dispatched: 03/10/2026 12:00:21"),
        "input 800, of which cached 100; output 120, of which reasoning 20",
        *("a session lesson", f"a user's day {learner.pk}:2026-03-10", "an agent's month tutor:2026-03"),
    ):
        assert words in page, words
    assert [(other.pk, cost, str(ending)) for other, cost, ending in response.context["attempts"]] == [
        (failed, "1", "timed out")
    ]
    assert change_url("hold", failed) in response.content.decode()
    assert {moved.entry.account.scope for moved in response.context["entries"]} == {
        "session",
        "user_day",
        "user_month",
        "agent_month",
    }
    assert correct_url(call) not in response.content.decode()


def test_unverified_charges_are_a_list_of_their_own(desk: Client) -> None:
    call = unverified()
    settle(sent(lesson("other")), answered(), now=NOON)
    index = desk.get(reverse("admin:index")).content.decode()
    assert f'href="{CALLS}?unverified__exact=1"' in index
    response = desk.get(CALLS, {"unverified__exact": "1"})
    assert response.context["title"] == "Unverified charges"
    assert [row.pk for row in response.context["cl"].result_list] == [call]
    assert f'href="{CALLS}?unverified__exact=1"' in desk.get(CALLS).content.decode()
    assert correct_url(call) in desk.get(change_url("hold", call)).content.decode()


def test_an_unverified_charge_is_corrected_once_from_the_bill(desk: Client, staff: User) -> None:
    call = unverified()
    assert "4 cents were charged" in text_of(desk.get(correct_url(call)))
    answer = desk.post(correct_url(call), {"cost": "1.250001", "reason": "Invoice 2026-03"}, follow=True)
    assert messages_of(answer) == ["The charge is 1.250001 cents now. It was 4, unverified."]
    assert (hold_of(call).cost, hold_of(call).unverified) == (1_250_001, False)
    assert session_account().spent == 1_250_001
    entries = Entry.objects.filter(hold=call, kind="correct")
    assert {(entry.spent, entry.by, entry.reason) for entry in entries} == {(-2_749_999, staff, "Invoice 2026-03")}
    assert Event.objects.get(event="charge.corrected").data["by"] == staff.pk
    assert_books_right()
    again = desk.post(correct_url(call), {"cost": "1", "reason": "Invoice 2026-03"})
    assert again.status_code == 422
    assert "Only a charge that is unverified can be corrected" in text_of(again)
    assert hold_of(call).cost == 1_250_001
    assert Entry.objects.filter(hold=call, kind="correct").count() == 2
    asked = desk.get(correct_url(call))
    assert "There is nothing to correct" in text_of(asked)
    assert 'name="cost"' not in asked.content.decode()
    assert "Invoice 2026-03" in text_of(desk.get(change_url("hold", call)))


def test_a_call_that_was_on_no_bill_costs_nothing(desk: Client) -> None:
    call = unverified()
    assert desk.post(correct_url(call), {"cost": "0", "reason": "Not on the invoice."}).status_code == 302
    assert (hold_of(call).cost, session_account().spent) == (0, 0)
    assert_books_right()


def test_more_than_the_accounts_have_is_refused(desk: Client) -> None:
    call = unverified()
    refused = desk.post(correct_url(call), {"cost": "100.000001", "reason": "Invoice"})
    assert refused.status_code == 422
    assert "An account that would pay has not enough left." in text_of(refused)
    assert (hold_of(call).cost, hold_of(call).unverified) == (4 * MICROCENTS, True)
    assert not Entry.objects.filter(kind="correct").exists()


@pytest.mark.parametrize("given", [{"cost": "-1"}, {"cost": "1e99"}, {"cost": ""}, {"cost": "x"}, {"reason": " "}])
def test_what_is_no_correction_is_refused(desk: Client, given: dict[str, str]) -> None:
    call = unverified()
    assert desk.post(correct_url(call), {"cost": "1", "reason": "Invoice", **given}).status_code == 422
    assert hold_of(call).unverified


@pytest.mark.parametrize("state", ["verified", "open", "released"])
def test_only_unverified_charges_are_corrected(desk: Client, state: str) -> None:
    if state == "released":
        call = held(lesson()).id
        release(call, now=NOON)
    else:
        call = sent(lesson())
        if state == "verified":
            settle(call, answered(), now=NOON)
    before = Hold.objects.values().get()
    assert desk.get(correct_url(call)).status_code == 200
    assert desk.post(correct_url(call), {"cost": "0", "reason": "I say so."}).status_code == 422
    assert Hold.objects.values().get() == before


@pytest.fixture
def told(settings: Settings) -> uuid.UUID:
    """A call whose text was kept."""
    settings.MODEL_TEXT_LOG = True
    call = sent(lesson())
    text_keep(hold_id=call, prompt=f"Say it: {HOSTILE}", reply="Plants make sugar.")
    return call


def test_the_text_is_shown_where_it_was_kept_and_can_be_erased(db: None, desk: Client, told: uuid.UUID) -> None:
    page = desk.get(change_url("hold", told))
    assert_escaped(page)
    assert "Plants make sugar." in text_of(page)
    asked = desk.get(erase_url(told))
    assert "This cannot be undone." in text_of(asked)
    assert CallText.objects.get().prompt is not None
    answer = desk.post(erase_url(told), follow=True)
    assert messages_of(answer) == ["The text is erased."]
    assert "Plants make sugar." not in text_of(answer)
    assert "The text was erased:" in text_of(answer)
    kept = CallText.objects.get()
    assert (kept.prompt, kept.reply) == (None, None)
    assert hold_of(told).prompt_digest == "d" * 64
    again = desk.post(erase_url(told), follow=True)
    assert messages_of(again) == ["There is no text of this call any more."]
    assert CallText.objects.get().erased_at == kept.erased_at


def test_a_text_is_erased_alone(db: None, settings: Settings, told: uuid.UUID) -> None:
    other = sent(lesson("other"))
    text_keep(hold_id=other, prompt="What else?", reply="Nothing.")
    assert text_erase(hold_id=told)
    assert not text_erase(hold_id=told)
    assert not text_erase(hold_id=uuid.uuid4())
    assert CallText.objects.get(pk=other).reply == "Nothing."


def test_without_a_text_nothing_is_offered(desk: Client) -> None:
    call = sent(lesson())
    page = desk.get(change_url("hold", call))
    assert "The text was not kept" in text_of(page)
    assert erase_url(call) not in page.content.decode()
    assert "There is no text of this call." in text_of(desk.get(erase_url(call)))


def test_hostile_models_and_reasons_stay_text(desk: Client) -> None:
    call = unverified()
    Hold.objects.update(model=HOSTILE[:100], subject=HOSTILE[:80], course=HOSTILE[:100], operation=HOSTILE[:40])
    for url in (CALLS, change_url("hold", call), correct_url(call)):
        assert_escaped(desk.get(url), HOSTILE[:40])
    assert_escaped(desk.post(correct_url(call), {"cost": "1000", "reason": HOSTILE}))
    desk.post(correct_url(call), {"cost": "1", "reason": HOSTILE})
    assert_escaped(desk.get(change_url("hold", call)))


def test_learners_and_guests_get_nowhere(client: Client, learner: User, told: uuid.UUID) -> None:
    payer: Any = lesson("other")
    lost_one = sent(payer)
    settle(lost_one, lost(), now=NOON)
    assert_closed(
        client, learner, [CALLS, change_url("hold", told), correct_url(lost_one), erase_url(told), erase_url(lost_one)]
    )
    assert hold_of(lost_one).unverified
    assert CallText.objects.get().reply == "Plants make sugar."
    assert Account.objects.get(key="other").spent == MICROCENTS


def test_a_call_that_never_was_is_not_found(desk: Client) -> None:
    for url in (correct_url(uuid.uuid4()), erase_url(uuid.uuid4())):
        assert (desk.get(url).status_code, desk.post(url).status_code) == (404, 404)
