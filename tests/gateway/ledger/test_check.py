"""`manage.py ledger_check` finds what the database refuses to store: each fault is made here past its constraints."""

import threading
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from accounts.models import User
from gateway.contracts import Payer
from gateway.ledger import correct, ledger_check, release, settle
from gateway.models import Account, Entry, Hold
from telemetry.contracts import FaultKind
from tests.gateway.ledger.conftest import Sql
from tests.gateway.ledger_helpers import LATER, NOON, costing, held, lesson, lost, sent
from tests.lesson_engine.services.threads import at_once

AT_LEAST = 200
"""Calls made while the ledger is checked again and again."""


def account(scope: str = "session") -> Account:
    return Account.objects.get(scope=scope)


def settled() -> Hold:
    """The first call, which held a cent and cost half of one."""
    return Hold.objects.get(cost=500_000, tier="cheap", outcome="answered")


def entry_vanishes(tamper: Sql, call: Hold, kind: str) -> None:
    """The session's entry of a call."""
    tamper("DELETE FROM gateway_entry WHERE id = %s", Entry.objects.get(hold=call, account=account(), kind=kind).pk)


def found() -> list[tuple[str, str, str]]:
    """Kind, what it is about, and what it says, of each finding in the figures: chains have tests of their own."""
    findings = [finding for finding in ledger_check(now=LATER).findings if finding.kind not in set(FaultKind)]
    return [(finding.kind, finding.about, finding.detail) for finding in findings]


def kinds() -> set[str]:
    return {kind for kind, _about, _detail in found()}


def test_whatever_happened_to_calls_adds_up(busy: Payer) -> None:
    check = ledger_check(now=LATER)
    assert check.findings == ()
    assert (check.accounts, check.calls) == (Account.objects.count(), Hold.objects.count())
    assert check.accounts == len(Account.Scope)
    assert {hold.state for hold in Hold.objects.all()} == set(Hold.State.values)
    assert {entry.kind for entry in Entry.objects.all()} == set(Entry.Kind.values)


def test_an_empty_ledger_adds_up(db: None) -> None:
    assert found() == []


def test_the_command_prints_one_line(busy: Payer) -> None:
    Hold.objects.filter(state__in=Hold.OPEN).update(expires_at="2126-01-01T00:00Z")
    out = StringIO()
    call_command("ledger_check", stdout=out)
    counts = Account.objects.count(), Hold.objects.count(), Entry.objects.count()
    assert out.getvalue() == "ledger ok: {} accounts, {} calls, {} entries; no anchor yet\n".format(*counts)


def test_findings_are_lines_and_the_exit_code_is_one(busy: Payer, tamper: Sql) -> None:
    tamper("UPDATE gateway_account SET held = held + 5 WHERE scope = 'session'")
    out = StringIO()
    with pytest.raises(CommandError, match=r"^The ledger does not add up: 2 findings\.$") as failure:
        call_command("ledger_check", stdout=out)
    assert failure.value.returncode == 1
    lines = [line for line in out.getvalue().splitlines() if not line.startswith("warning: ")]
    assert lines == [
        "account session lesson: 20 is held, its open calls hold 15",
        "account session lesson: 20 is held, by its entries 15",
    ]


def test_an_entry_that_does_not_sum_to_zero(busy: Payer, tamper: Sql) -> None:
    entry = Entry.objects.filter(account=account(), kind="settle").earliest("pk")
    sql = "UPDATE gateway_entry SET available = available + 3 WHERE id = %s"
    tamper(sql, entry.pk, without=("gateway_entry", "entry_sums_to_zero"))
    about = f"entry {entry.pk} of account session lesson"
    assert found() == [("sum", about, "its four amounts sum to 3, not to 0")]


def test_a_limit_that_nobody_granted(busy: Payer, tamper: Sql) -> None:
    tamper('UPDATE gateway_account SET "limit" = 900000000 WHERE scope = %s', "session")
    said = "its limit is 900000000, its entries grant 120000000"
    assert found() == [("limit", "account session lesson", said)]


def test_an_account_without_its_first_entry(db: None, tamper: Sql) -> None:
    lesson()
    tamper("DELETE FROM gateway_entry")
    assert found() == [("limit", "account session lesson", "its limit is 100000000, its entries grant 0")]


def test_money_that_is_held_for_nothing(busy: Payer, tamper: Sql) -> None:
    tamper("UPDATE gateway_account SET held = held + 5 WHERE scope = 'session'")
    assert found() == [
        ("held_calls", "account session lesson", "20 is held, its open calls hold 15"),
        ("held_entries", "account session lesson", "20 is held, by its entries 15"),
    ]


@pytest.mark.parametrize("tier", ["cheap", "embed", "thinker"])
def test_money_that_is_spent_for_nothing(busy: Payer, tamper: Sql, tier: str) -> None:
    before = account()
    tamper(f"UPDATE gateway_account SET spent = spent + 5, spent_{tier} = spent_{tier} + 5 WHERE scope = 'session'")
    one = getattr(before, f"spent_{tier}")
    assert sorted(found()) == sorted(
        [
            (tier, "account session lesson", f"{one + 5} is spent on the {tier} tier, its settled calls cost {one}"),
            ("spent_entries", "account session lesson", f"{before.spent + 5} is spent, by its entries {before.spent}"),
        ]
    )


def test_spending_under_the_wrong_tier(busy: Payer, tamper: Sql) -> None:
    moved = "spent_cheap = spent_cheap - 5, spent_embed = spent_embed + 5"
    tamper(f"UPDATE gateway_account SET {moved} WHERE scope = 'session'")
    assert kinds() == {"cheap", "embed"}


def test_tiers_that_are_not_the_whole(busy: Payer, tamper: Sql) -> None:
    without = ("gateway_account", "account_spent_by_tier")
    tamper("UPDATE gateway_account SET spent_cheap = spent_cheap + 5 WHERE scope = 'session'", without=without)
    assert kinds() == {"cheap", "spent_tiers"}


def test_an_account_that_is_overspent(busy: Payer, tamper: Sql) -> None:
    before = account()
    sql = 'UPDATE gateway_account SET "limit" = spent + held - 1 WHERE scope = %s'
    tamper(sql, "session", without=("gateway_account", "account_never_overspent"))
    used = before.spent + before.held
    assert ("overspent", "account session lesson", f"{used} is spent and held, its limit is {used - 1}") in found()
    assert kinds() == {"overspent", "limit"}


def test_an_account_below_zero(db: None, tamper: Sql) -> None:
    lesson()
    without = ("gateway_account", "account_never_overspent")
    tamper("UPDATE gateway_account SET held = -2", without=without)
    assert ("below_zero", "account session lesson", "-2 is its least amount, none may be under 0") in found()


def test_escalations_that_no_call_made(busy: Payer, tamper: Sql) -> None:
    tamper("UPDATE gateway_account SET escalations_used = 5 WHERE scope = 'session'")
    said = "5 escalations are used, its calls make 3"
    assert found() == [("escalations", "account session lesson", said)]


def test_more_escalations_than_are_allowed(busy: Payer, tamper: Sql) -> None:
    without = ("gateway_account", "account_escalations_within_limit")
    tamper("UPDATE gateway_account SET escalations_limit = 2 WHERE scope = 'session'", without=without)
    said = "3 escalations are used, 2 are allowed"
    assert found() == [("escalations_limit", "account session lesson", said)]


def test_a_call_that_nobody_pays(busy: Payer, tamper: Sql) -> None:
    call = Hold.objects.get(amount=7)
    tamper("DELETE FROM gateway_entry WHERE hold_id = %s", call.pk)
    said = "0 accounts pay for it, at least 1 must"
    assert ("nobody_pays", f"call {call.pk}", said) in found()
    assert kinds() == {"nobody_pays", "held_calls", "held_entries"}


def test_a_call_that_lost_one_of_its_accounts(busy: Payer, tamper: Sql) -> None:
    call = Hold.objects.get(amount=7)
    tamper("DELETE FROM gateway_entry WHERE hold_id = %s AND account_id = %s", call.pk, account().pk)
    assert found() == [
        ("held_calls", "account session lesson", "15 is held, its open calls hold 8"),
        ("held_entries", "account session lesson", "15 is held, by its entries 8"),
    ]


def test_a_call_that_reserved_less_than_it_holds(busy: Payer, tamper: Sql) -> None:
    call = Hold.objects.get(amount=7)
    tamper("UPDATE gateway_hold SET amount = 9 WHERE id = %s", call.pk)
    assert (
        "reserved",
        f"call {call.pk} in account session lesson",
        "its entries reserve 7, it sets aside 9",
    ) in found()
    assert kinds() == {"reserved", "still_held", "held_calls"}


@pytest.mark.parametrize(
    ("state", "by"), [("held", "nothing"), ("released", "release"), ("expired", "expire"), ("settled", "settle")]
)
def test_a_closed_call_whose_state_was_changed(busy: Payer, tamper: Sql, state: str, by: str) -> None:
    call = settled() if state != "settled" else Hold.objects.filter(state="released").earliest("pk")
    changes = {
        "held": "cost = NULL, settled_at = NULL",
        "settled": "cost = 0, dispatched_at = now(), outcome = 'answered'",
    }.get(state, "cost = 0")
    tamper(f"UPDATE gateway_hold SET state = %s, {changes} WHERE id = %s", state, call.pk)
    was = "release" if state == "settled" else "settle"
    said = f"it is closed there by {was}, its state asks for {by}"
    assert ("closed", f"call {call.pk} in account session lesson", said) in found()


def test_a_closing_entry_that_is_gone(busy: Payer, tamper: Sql) -> None:
    call = settled()
    entry_vanishes(tamper, call, "settle")
    about = f"call {call.pk} in account session lesson"
    details = [(kind, detail) for kind, where, detail in found() if where == about]
    assert details == [
        ("charged", "its entries charge 0, it cost 500000"),
        ("closed", "it is closed there by nothing, its state asks for settle"),
        ("still_held", "its entries leave 1000000 held, its state asks for 0"),
    ]


def test_a_call_that_is_closed_twice(busy: Payer, tamper: Sql) -> None:
    call, where = settled(), account().pk
    tamper(
        "INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason)"
        " VALUES (%s, %s, 'release', 0, 0, 0, 0, now(), '')",
        where,
        call.pk,
    )
    said = "it is closed there by settle and release, its state asks for settle"
    assert found() == [("closed", f"call {call.pk} in account session lesson", said)]


def test_a_cost_that_was_changed_afterwards(busy: Payer, tamper: Sql) -> None:
    call = settled()
    tamper("UPDATE gateway_hold SET cost = 3 WHERE id = %s", call.pk)
    about = f"call {call.pk} in account session lesson"
    assert ("charged", about, "its entries charge 500000, it cost 3") in found()
    assert kinds() == {"charged", "cheap"}


def test_a_correction_that_one_account_did_not_get(busy: Payer, tamper: Sql, staff: User) -> None:
    call = Hold.objects.filter(unverified=True)[0]
    correct(hold_id=call.pk, by=staff, reason="As charged.", cost=call.amount)
    assert found() == []
    entry_vanishes(tamper, call, "correct")
    said = "it has 0 corrections there, 1 in another account"
    assert found() == [("corrected", f"call {call.pk} in account session lesson", said)]


def test_a_call_that_nobody_closes_is_a_warning(db: None) -> None:
    call = sent(lesson())
    expires = Hold.objects.get(pk=call).expires_at
    assert ledger_check(now=expires + timedelta(minutes=5)).findings == ()
    [finding] = ledger_check(now=expires + timedelta(minutes=5, seconds=1)).findings
    assert finding.warning
    assert (finding.kind, finding.about) == ("late", f"call {call}")
    assert finding.detail == "it is open since 2026-03-10T12:00:00Z and should have been closed by 2026-03-10T12:00:50Z"
    out = StringIO()
    call_command("ledger_check", stdout=out)
    warning, ok = out.getvalue().splitlines()
    assert warning == f"warning: call {call}: {finding.detail}"
    assert ok == "ledger ok: 2 accounts, 1 calls, 4 entries; no anchor yet"


@pytest.mark.django_db(transaction=True)
def test_nothing_is_found_while_calls_come_and_go(learner: User, staff: User) -> None:
    """One snapshot: a call is in it whole or not at all, and nobody waits for the check."""
    payers = [lesson(f"lesson-{number}", user_id=learner.pk) for number in range(4)]
    over = threading.Event()

    def spend(payer: Payer) -> int:
        made = 0
        while not over.is_set() or made < AT_LEAST // 4:
            call = sent(payer, 50_000, now=None)
            settle(call, costing(10_000)) if made % 3 else settle(call, lost())
            made += 1
            if made % 7 == 0:
                release(held(payer, 9, now=None).id)
        return made

    def check() -> int:
        try:
            for _ in range(10):
                assert ledger_check().findings == ()
        finally:
            over.set()
        return 0

    works: list[Callable[[], int]] = [*(partial(spend, payer) for payer in payers), check]
    made = at_once(works)
    assert sum(made) >= AT_LEAST
    assert ledger_check().findings == ()


@pytest.mark.django_db(transaction=True)
def test_it_locks_nothing_and_writes_nothing() -> None:
    payer = lesson()
    call = sent(payer)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        assert ledger_check(now=NOON).findings == ()
        cursor.execute("SELECT DISTINCT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation IS NOT NULL")
        assert cursor.fetchall() == [("AccessShareLock",)]
        [settled_elsewhere] = at_once([partial(settle, call, costing(500_000))])
        assert settled_elsewhere.cost == 500_000
        assert ledger_check(now=NOON).findings == ()
