"""Anchors know the ledger: what was emptied, cut or forged since is found, and entries from before are signed."""

from pathlib import Path

import pytest

from accounts.models import User
from gateway.contracts import Payer
from gateway.ledger import ledger_check, settle
from gateway.models import Account, Entry
from tests.gateway.ledger.conftest import Sql
from tests.gateway.ledger.test_signed_entries import as_before, chain_redo, forge_adjustment, found
from tests.gateway.ledger_helpers import LATER, NOON, assert_books_right, costing, lesson, sent, session_account
from tests.routing.audit_hands import lines_of, signed, verified

pytestmark = pytest.mark.django_db


def anchor_faults() -> list[str]:
    """What the faults of anchors are about."""
    lines = [line for line in verified("--anchors") if line.startswith("anchor ")]
    return [line.split(", ", 1)[1].split(" ", 2)[1].rstrip(",") for line in lines]


def test_an_emptied_ledger_is_found(busy: Payer, tamper: Sql, folder: Path) -> None:
    lines_of("audit_anchor")
    for table in ("entry", "calltext", "hold", "account"):
        tamper(f"DELETE FROM gateway_{table}")
    lines = lines_of("ledger_check")
    assert lines[-1] == "The ledger does not add up: 8 findings."
    assert any(line.startswith("account session lesson: anchor 1 of ") for line in lines)
    assert len(anchor_faults()) == 8 + 4  # accounts, and the totals of those that are shared


def test_the_check_says_how_many_accounts_the_anchor_knew(busy: Payer, folder: Path) -> None:
    assert ledger_check(now=LATER).anchored is None
    lines_of("audit_anchor")
    lesson("another")
    check = ledger_check(now=LATER)
    assert (check.anchored, check.accounts, check.faults) == (8, 9, ())
    assert check.anchor.startswith("anchor 1 of ")


def test_an_anchor_that_was_forged_is_a_finding(busy: Payer, folder: Path) -> None:
    lines_of("audit_anchor")
    next(folder.glob("*.gz")).write_bytes(b"")
    assert [finding.kind for finding in ledger_check(now=LATER).faults] == ["anchor"]


def test_calls_of_shared_accounts_are_found_by_their_totals(busy: Payer, tamper: Sql, folder: Path) -> None:
    lines_of("audit_anchor")
    shared = Account.objects.get(scope="agent_month")
    entry = Entry.objects.filter(account=shared, kind="settle").earliest("pk")
    tamper("UPDATE gateway_entry SET available = available + 5, spent = spent - 5 WHERE id = %s", entry.pk)
    assert found() == []  # it is in no chain
    assert anchor_faults() == [f"agent_month:{shared.key}"]


def test_what_shared_accounts_did_since_is_no_fault(busy: Payer, folder: Path) -> None:
    lines_of("audit_anchor")
    settle(sent(busy), costing(500_000), now=NOON)
    lines_of("audit_anchor")
    assert anchor_faults() == []


def test_calls_cut_off_with_an_old_head_are_found(tamper: Sql, folder: Path) -> None:
    payer = lesson()
    old = session_account()
    settle(sent(payer), costing(500_000), now=NOON)
    lines_of("audit_anchor")
    tamper("DELETE FROM gateway_entry WHERE kind <> 'open'")
    tamper("DELETE FROM gateway_hold")
    tamper("UPDATE gateway_account SET spent = 0, spent_cheap = 0")
    sql = "UPDATE gateway_account SET length = %s, head_hash = %s, signature = %s WHERE scope = 'session'"
    tamper(sql, old.length, old.head_hash, old.signature)
    assert ledger_check(now=LATER).faults == ()
    assert "session:lesson" in anchor_faults()


def test_entries_from_before_are_chained_and_signed(busy: Payer, tamper: Sql, folder: Path, staff: User) -> None:
    as_before(tamper)
    settle(sent(busy), costing(500_000), now=NOON)
    lines_of("audit_anchor")
    assert {kind for kind, _about in found()} == {"unsigned"}
    assert "accounts: 8 chains signed" in signed("--unsigned")
    assert found() == []
    for account in Account.objects.exclude(scope__in=Account.SHARED):
        assert Entry.objects.filter(account=account).count() == account.length
    assert anchor_faults() == []
    settle(sent(busy), costing(500_000), now=NOON)
    assert_books_right()
    assert "accounts: 0 chains signed" in signed("--unsigned")


def test_forged_accounts_are_named_and_not_signed(busy: Payer, tamper: Sql, folder: Path, staff: User) -> None:
    tamper("UPDATE gateway_entry SET reason = 'x' WHERE kind = 'adjust'")
    chain_redo(tamper, session_account())
    forge_adjustment(tamper, staff)
    lines = signed("--unsigned")
    assert any(line.startswith("accounts: account session lesson: ") for line in lines)
    assert lines[-1] == "1 chains have faults and were not signed."


def test_entries_without_a_place_behind_signed_ones_are_named_and_signed_by_name_alone(
    busy: Payer, tamper: Sql, folder: Path, staff: User
) -> None:
    forge_adjustment(tamper, staff)
    forge_adjustment(tamper, staff, "user_day")
    day = Account.objects.get(scope="user_day")
    lines = signed()
    assert any(line.startswith("accounts: account session lesson: 1 entries are in no chain") for line in lines)
    assert any(line.startswith(f"accounts: account user_day {day.key}: 1 entries are in no chain") for line in lines)
    assert lines[-1] == "2 chains have faults and were not signed."
    signed("--unsigned", "session:lesson")
    assert found() == [("unsigned", f"account user_day {day.key}")]
