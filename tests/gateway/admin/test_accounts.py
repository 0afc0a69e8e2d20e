"""Budgets in the administration: exact figures, another limit with a reason, and the entries behind them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from gateway.contracts import MICROCENTS, Limits, Tier
from gateway.ledger import account_open, settle
from gateway.models import Account, Entry
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
    costing,
    held,
    lesson,
    sent,
    session_account,
)


def adjust_url(account: Account) -> str:
    return reverse("admin:gateway_account_adjust", args=[account.pk])


def state_of(account: Account) -> tuple[int, int]:
    """The limit, and how many entries there are of all accounts."""
    return Account.objects.get(pk=account.pk).limit, Entry.objects.count()


def test_an_account_is_one_row_of_exact_cents(desk: Client) -> None:
    payer = lesson()
    settle(sent(payer, 30 * MICROCENTS), costing(21_500_500), now=NOON)
    held(payer, 3, now=NOON)
    page = text_of(desk.get(reverse("admin:gateway_account_changelist"), {"q": "lesson"}))
    assert "lesson a session 100 21.5005 0.000003 78.499497 0 of 5 everything" in page


@pytest.mark.parametrize(
    ("left", "words"), [(100, "everything"), (9, "no thinker"), (4, "embeddings only"), (0, "no models")]
)
def test_what_the_money_still_allows_is_said(desk: Client, left: int, words: str) -> None:
    payer = lesson()
    if left < 100:
        settle(sent(payer, (100 - left) * MICROCENTS), costing((100 - left) * MICROCENTS), now=NOON)
    assert words in text_of(desk.get(change_url("account", session_account().pk)))


def test_accounts_are_narrowed_to_those_that_need_a_look(desk: Client) -> None:
    held(lesson("holding"))
    settle(sent(lesson("low"), 81 * MICROCENTS), costing(81 * MICROCENTS), now=NOON)
    settle(sent(lesson("empty"), 100 * MICROCENTS), costing(100 * MICROCENTS), now=NOON)
    settle(sent(lesson("exactly-20"), 80 * MICROCENTS), costing(80 * MICROCENTS), now=NOON)

    def keys(**query: str) -> set[str]:
        return {row.key for row in listed(desk, "account", **query)}

    assert keys(held="yes") == {"holding", "tutor:2026-03"}
    assert keys(left="low") == {"low", "empty"}
    assert keys(left="none") == {"empty"}
    assert keys(scope__exact="agent_month") == {"tutor:2026-03"}
    assert keys(held="yes", scope__exact="session") == {"holding"}
    assert keys(q=" low ") == {"low"}
    assert keys(q="lo") == set()
    assert keys(q="' OR 1=1 --") == set()


def test_a_page_says_what_was_spent_on_what_and_leads_on(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    session = session_start(user=learner, lesson=make_lesson().lesson)
    payer = lesson(str(session.pk), user_id=learner.pk)
    settle(sent(payer), costing(700_000), now=NOON)
    settle(sent(payer, tier=Tier.THINKER), answered(100), now=NOON)
    account = session_account(str(session.pk))
    response = desk.get(change_url("account", account.pk))
    assert "cheap: 0.7 · embed: 0 · thinker: 0.25" in text_of(response)
    source = response.content.decode()
    assert reverse("admin:lesson_engine_session_change", args=[session.pk]) in source
    assert f"{reverse('admin:gateway_hold_changelist')}?q={session.pk}" in source
    assert adjust_url(account) in source
    for hold_id in account.entries.exclude(hold=None).values_list("hold_id", flat=True):
        assert change_url("hold", hold_id) in source
    day = Account.objects.get(scope="user_day")
    shown = text_of(desk.get(change_url("account", day.pk)))
    assert f"{learner.pk}:2026-03-10" in shown
    assert "ana" in shown


def test_of_many_entries_the_last_are_shown_and_a_link_leads_to_all(desk: Client) -> None:
    payer = lesson()
    for _ in range(12):
        settle(sent(payer), costing(500), now=NOON)
    account = session_account()
    response = desk.get(change_url("account", account.pk))
    assert [moved.entry for moved in response.context["entries"]] == list(account.entries.order_by("-pk")[:20])
    assert response.context["all_entries"] in response.content.decode()
    everything = desk.get(response.context["all_entries"]).context["cl"].result_list
    assert list(everything) == list(account.entries.order_by("-pk"))


def test_staff_give_another_limit_with_a_reason(desk: Client, staff: User) -> None:
    payer = lesson()
    settle(sent(payer, 30 * MICROCENTS), costing(21_500_500), now=NOON)
    account = session_account()
    assert 'value="100"' in desk.get(adjust_url(account)).content.decode()
    answer = desk.post(
        adjust_url(account), {"limit": "150.000001", "reason": " She works at two lessons. "}, follow=True
    )
    assert messages_of(answer) == ["The limit is 150.000001 cents now. It was 100."]
    entry = account.entries.get(kind="adjust")
    assert (entry.granted, entry.available, entry.by, entry.reason) == (
        *(-50_000_001, 50_000_001),
        *(staff, "She works at two lessons."),
    )
    assert session_account().limit == 150_000_001
    assert Event.objects.get(event="budget.adjusted").data["byMicrocents"] == 50_000_001
    assert "+50.000001" in text_of(answer)
    assert "carla She works at two lessons." in text_of(answer)
    assert_books_right()


def test_a_limit_can_be_lowered_to_what_is_spent_and_held_and_no_further(desk: Client) -> None:
    payer = lesson()
    settle(sent(payer, 30 * MICROCENTS), costing(21_500_500), now=NOON)
    held(payer, 10 * MICROCENTS)
    account = session_account()
    before = state_of(account)
    refused = desk.post(adjust_url(account), {"limit": "31.500499", "reason": "Enough."})
    assert refused.status_code == 422
    assert "The limit cannot be below what is spent and held." in text_of(refused)
    assert 'value="31.500499"' in refused.content.decode()
    assert state_of(account) == before
    assert desk.post(adjust_url(account), {"limit": "31.5005", "reason": "Enough."}).status_code == 302
    assert session_account().limit == 31_500_500
    again = desk.post(adjust_url(account), {"limit": "31.5005", "reason": "Enough."})
    assert again.status_code == 422
    assert "This is the account's limit already." in text_of(again)
    assert_books_right()


@pytest.mark.parametrize(
    "given",
    [
        *("", "-1", "much", "NaN", "Infinity", "1,000", "100.0000001", "1e99999999", "99999999999", "0x10", "1 000"),
        *("--", "1.2.3", "\x00"),
    ],
)
def test_what_is_no_exact_amount_is_refused(desk: Client, given: str) -> None:
    lesson()
    account = session_account()
    before = state_of(account)
    refused = desk.post(adjust_url(account), {"limit": given, "reason": "Because."})
    assert refused.status_code == 422
    assert state_of(account) == before


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501, "a\x00b"])
def test_without_a_reason_nothing_moves(desk: Client, reason: str) -> None:
    lesson()
    account = session_account()
    before = state_of(account)
    assert desk.post(adjust_url(account), {"limit": "150", "reason": reason}).status_code == 422
    assert state_of(account) == before


@pytest.mark.parametrize(
    ("given", "stored"),
    [("120,5", 120_500_000), ("120.5", 120_500_000), ("1000", 10**9), ("1.000", None), ("1.000,5", None)],
)
def test_in_spanish_decimals_follow_a_comma_and_nothing_is_guessed(
    desk: Client, given: str, stored: int | None
) -> None:
    lesson()
    account = session_account()
    spanish = {"HTTP_ACCEPT_LANGUAGE": "es"}
    extra: Any = spanish
    answer = desk.post(adjust_url(account), {"limit": given, "reason": "Hace falta."}, **extra)
    assert answer.status_code == (302 if stored else 422)
    assert session_account().limit == (stored or 100 * MICROCENTS)


def test_hostile_reasons_stay_text(desk: Client) -> None:
    lesson()
    account = session_account()
    assert_escaped(desk.post(adjust_url(account), {"limit": "1000000000000", "reason": HOSTILE}))
    shown = desk.post(adjust_url(account), {"limit": "150", "reason": HOSTILE}, follow=True)
    assert_escaped(shown)
    entry = Entry.objects.get(kind="adjust")
    assert_escaped(desk.get(change_url("entry", entry.pk)))
    assert_escaped(desk.get(reverse("admin:gateway_entry_changelist")))


def test_hostile_keys_stay_text(desk: Client) -> None:
    account_open(scope=Account.Scope.SESSION, key=HOSTILE[:80], limits=Limits(cents=1))
    for url in (
        reverse("admin:gateway_account_changelist"),
        change_url("account", Account.objects.get().pk),
        adjust_url(Account.objects.get()),
        change_url("entry", Entry.objects.get().pk),
    ):
        assert_escaped(desk.get(url), HOSTILE[:80])
    assert_escaped(desk.get(reverse("admin:gateway_entry_changelist")), HOSTILE[:15])


def test_learners_and_guests_get_nowhere(client: Client, learner: User) -> None:
    lesson()
    account, entry = session_account(), Entry.objects.get()
    before = state_of(account)
    urls = [
        *(reverse("admin:gateway_account_changelist"), reverse("admin:gateway_entry_changelist")),
        *(change_url("account", account.pk), change_url("entry", entry.pk), adjust_url(account)),
    ]
    assert_closed(client, learner, urls)
    assert state_of(account) == before


def test_an_account_that_is_not_there_cannot_be_adjusted(desk: Client) -> None:
    for number in (0, 2**62, 2**63, 10**30):
        assert desk.get(f"/admin/gateway/account/{number}/adjust/").status_code == 404


def test_entries_are_found_by_account_and_by_call(desk: Client) -> None:
    payer, other = lesson("one"), lesson("two")
    first = sent(payer)
    settle(first, costing(500), now=NOON + timedelta(seconds=1))
    sent(other)

    def found(**query: str) -> list[tuple[str, str]]:
        return [(row.account.key, row.kind) for row in reversed(listed(desk, "entry", **query))]

    assert found(q="one") == [("one", "open"), ("one", "reserve"), ("one", "settle")]
    month = "tutor:2026-03"
    of_call = {("one", "reserve"), (month, "reserve"), ("one", "settle"), (month, "settle")}
    assert set(found(q=str(first))) == of_call
    assert len(found(q=str(first))) == 4
    assert found(kind__exact="settle", scope="session") == [("one", "settle")]
    assert found(q="nobody") == []
    assert found(account="x") == found()


def test_the_ledger_cannot_be_touched(desk: Client) -> None:
    lesson()
    entry = Entry.objects.get()
    for action in ("change", "delete"):
        url = reverse(f"admin:gateway_entry_{action}", args=[entry.pk])
        assert desk.post(url, {"reason": "x", "post": "yes"}).status_code == 403
    assert desk.post(reverse("admin:gateway_entry_add"), {}).status_code == 403
    assert Entry.objects.get().reason == ""
