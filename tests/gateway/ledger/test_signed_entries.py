"""Entries that were forged, changed or cut with the database's full rights are found; the keys were not in it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import Payer
from gateway.ledger import adjust, ledger_check, release, reserve, settle
from gateway.ledger.chaining import Movement, chain_key, entry_hash
from gateway.models import Account, Entry
from telemetry.contracts import FaultKind
from telemetry.contracts.hashing import genesis_hash, timestamp_text
from tests.gateway.ledger.conftest import Sql
from tests.gateway.ledger_helpers import (
    LATER,
    NOON,
    TURN,
    answered,
    assert_books_right,
    cents,
    costing,
    held,
    lesson,
    price_now,
    sent,
    session_account,
)
from tests.hands import assert_never, executing
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db
CHAINED = Account.objects.exclude(scope__in=Account.SHARED)


def found() -> list[tuple[str, str]]:
    """What is wrong with the chains, and in which account."""
    findings = ledger_check(now=LATER).faults
    return [(finding.kind, finding.about) for finding in findings if finding.kind in set(FaultKind)]


def chain_redo(tamper: Sql, account: Account) -> None:
    """Compute a chain of entries and its head anew, as all can who have the database and no key."""
    chain, previous = chain_key(account.scope, account.key), genesis_hash(chain_key(account.scope, account.key))
    rows = list(Entry.objects.filter(account=account).order_by("seq", "pk"))
    for seq, row in enumerate(rows, start=1):
        money = (row.granted, row.available, row.held, row.spent, timestamp_text(row.at), row.by_id, row.reason)
        hash_ = entry_hash(chain, seq, Movement(row.kind, str(row.hold_id) if row.hold_id else None, *money), previous)
        values = (seq, previous, hash_, row.pk)
        tamper("UPDATE gateway_entry SET seq = %s, previous_hash = %s, hash = %s WHERE id = %s", *values)
        previous = hash_
    sql = "UPDATE gateway_account SET length = %s, head_hash = %s WHERE id = %s"
    tamper(sql, len(rows), previous, account.pk)


def forge_adjustment(tamper: Sql, by: User, scope: str = "session") -> None:
    """A higher limit that the figures agree with, by hand."""
    account = Account.objects.get(scope=scope)
    sql = """INSERT INTO gateway_entry (account_id, kind, granted, available, held, spent, at, by_id, reason)
             VALUES (%s, 'adjust', -7, 7, 0, 0, now(), %s, 'a gift')"""
    tamper(sql, account.pk, by.pk)
    tamper('UPDATE gateway_account SET "limit" = "limit" + 7 WHERE id = %s', account.pk)


def test_every_kind_of_entry_is_in_the_chain_of_its_account(busy: Payer) -> None:
    assert found() == []
    for account in CHAINED.all():
        entries = Entry.objects.filter(account=account)
        assert set(entries.values_list("seq", flat=True)) == set(range(1, account.length + 1))
        assert account.signature
    assert set(Entry.objects.filter(account=session_account()).values_list("kind", flat=True)) == set(Entry.Kind.values)


def test_in_accounts_that_many_share_calls_stand_beside_the_chain(busy: Payer) -> None:
    shared = Entry.objects.exclude(account__in=CHAINED.all())
    kinds = shared.exclude(seq=None).values_list("kind", flat=True)
    assert set(kinds) == {"open", "correct"}
    assert set(shared.filter(seq=None).values_list("kind", flat=True)) == {"reserve", "settle", "release", "expire"}


@pytest.mark.parametrize("scope", ["session", "user_day", "agent_month"])
def test_an_adjustment_put_in_by_hand_is_found(busy: Payer, tamper: Sql, staff: User, scope: str) -> None:
    forge_adjustment(tamper, staff, scope)
    account = Account.objects.get(scope=scope)
    assert found() == [("unsigned", f"account {scope} {account.key}")]


def test_and_with_the_chain_computed_anew_it_is_forged(busy: Payer, tamper: Sql, staff: User) -> None:
    forge_adjustment(tamper, staff)
    chain_redo(tamper, session_account())
    assert found() == [("unsigned", "account session lesson")]  # the signature ends before it
    first = Entry.objects.get(account=session_account(), seq=1)
    tamper("UPDATE gateway_entry SET at = at + interval '1 hour' WHERE id = %s", first.pk)
    chain_redo(tamper, session_account())
    assert found() == [("forged", "account session lesson")]
    tamper("UPDATE gateway_account SET signature = '', length = 0, head_hash = ''")
    tamper("UPDATE gateway_entry SET seq = NULL, previous_hash = '', hash = ''")
    assert {kind for kind, _about in found()} == {"unsigned"}


@pytest.mark.parametrize("change", ["available = available - 1, spent = spent + 1", "reason = 'x'", "at = now()"])
def test_a_changed_entry_is_named(busy: Payer, tamper: Sql, change: str) -> None:
    entry = Entry.objects.get(account=session_account(), seq=3)
    tamper(f"UPDATE gateway_entry SET {change} WHERE id = %s", entry.pk)
    [finding] = [finding for finding in ledger_check(now=LATER).faults if finding.kind == "altered"]
    assert finding.about == "account session lesson"
    assert finding.detail.startswith(f"entry 3, row {entry.pk}: its content was altered")


def test_entries_and_their_figures_cut_off_together_are_found(tamper: Sql) -> None:
    payer = lesson()
    release(held(payer).id)
    call = Entry.objects.latest("pk").hold_id
    tamper("DELETE FROM gateway_entry WHERE hold_id = %s", call)
    tamper("DELETE FROM gateway_hold WHERE id = %s", call)
    assert found() == [("truncated", "account session lesson")]
    chain_redo(tamper, session_account())
    assert found() == [("truncated", "account session lesson")]  # three were signed


def test_a_call_goes_on_and_vouches_for_nothing_forged(tamper: Sql, staff: User) -> None:
    payer = lesson()
    forge_adjustment(tamper, staff)
    chain_redo(tamper, session_account())
    settle(sent(payer), costing(500_000), now=NOON)
    assert found() == [("unsigned", "account session lesson")]


def as_before(tamper: Sql) -> None:
    """Rows as a process of the version before leaves them, which knows no chains."""
    tamper("UPDATE gateway_entry SET seq = NULL, previous_hash = '', hash = ''")
    tamper("UPDATE gateway_account SET length = 0, head_hash = '', signature = ''")


def test_entries_of_the_version_before_are_unsigned_and_new_ones_are_chained_behind_them(tamper: Sql) -> None:
    payer = lesson()
    settle(sent(payer), costing(500_000), now=NOON)
    as_before(tamper)
    settle(sent(payer), costing(500_000), now=NOON)
    account = session_account()
    assert (account.length, account.signature) == (2, "")
    assert sorted(found()) == [
        ("unsigned", "account agent_month tutor:2026-03"),
        ("unsigned", "account session lesson"),
    ]


def test_what_a_process_of_the_version_before_writes_between_is_unsigned(tamper: Sql, staff: User) -> None:
    payer = lesson()
    forge_adjustment(tamper, staff)  # as it would: without a place
    settle(sent(payer), costing(500_000), now=NOON)
    assert session_account().signature.startswith("3:")  # opened, reserved, settled
    assert found() == [("unsigned", "account session lesson")]


def test_keys_are_exchanged(settings: Settings) -> None:
    settings.AUDIT_KEYS = ["old key of thirty-two characters"]
    payer = lesson()
    settings.AUDIT_KEYS = ["new key of thirty-two characters", *settings.AUDIT_KEYS]
    settle(sent(payer), answered(), now=NOON)
    assert found() == []
    settings.AUDIT_KEYS = settings.AUDIT_KEYS[1:]
    assert {kind for kind, _about in found()} == {"unknown_key"}


@pytest.mark.django_db(transaction=True)
def test_calls_and_limits_at_once_keep_chains_whole_and_signed(learner: User, staff: User) -> None:
    payer = lesson(user_id=learner.pk)

    def spend() -> None:
        for number in range(8):
            call = sent(payer, 50_000, now=None)
            settle(call, costing(10_000)) if number % 2 else release(call)

    def grant(more: int) -> None:
        for number in range(4):
            adjust(account_id=session_account().pk, by=staff, reason="x", limit=cents(100) + more + number * 2)

    works: list[Callable[[], None]] = [spend, spend, spend, partial(grant, 1), partial(grant, 2)]
    at_once(works)
    assert session_account().length == 1 + 3 * 8 * 2 + 2 * 4
    assert_books_right(open_holds=0)


def test_chains_take_no_further_statement(learner: User, django_assert_num_queries: Any) -> None:
    """As many as without chains."""
    payer, price = lesson(user_id=learner.pk), price_now()
    call = sent(payer)
    # Accounts, a savepoint and its end, the user, the session, the user's day and month, the hold with all that share.
    with django_assert_num_queries(8):
        reserve(payer=payer, price=price, amount=1, run=TURN, now=NOON)
    # A savepoint and its end, hold, accounts, hold, entries, figures for alerts, head and events of the session, and
    # the accounts that many share.
    with django_assert_num_queries(11):
        settle(call, costing(500_000), now=NOON)


def test_an_entry_gets_its_place_once_and_keeps_what_it_says(tamper: Sql) -> None:
    lesson()
    as_before(tamper)
    for change in ("seq = 1, reason = 'x'", "reason = 'x'"):
        assert_never(executing(f"UPDATE gateway_entry SET {change}"))
