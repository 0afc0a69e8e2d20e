from datetime import timedelta

import pytest
from django.db import connection

from telemetry.chains import verification
from telemetry.chains.verification import chains_verify
from telemetry.contracts import ChainFault, FaultKind
from telemetry.contracts.hashing import genesis_hash
from telemetry.models import Chain, Event
from telemetry.services import chains_mark_verified
from tests.telemetry.conftest import NOON, Append, Tamper


def faults() -> dict[str, ChainFault]:
    return {check.chain: check.fault for check in chains_verify() if check.fault}


def test_whole_chains_have_no_fault(append: Append) -> None:
    for key in ("a", "b", "c"):
        append(key, 5)
    assert [(check.chain, check.length, check.fault) for check in chains_verify()] == [
        ("a", 5, None),
        ("b", 5, None),
        ("c", 5, None),
    ]


def test_nothing_recorded_is_nothing_to_check(db: None) -> None:
    assert list(chains_verify()) == []


@pytest.mark.parametrize(
    "change",
    [
        "data = data || '{\"score\": 1}'",
        "data = '[]'",
        "data = ('{\"n\": 1' || repeat('0', 5000) || '}')::jsonb",
        "data = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
        "timestamp = timestamp + interval '1 microsecond'",
        "timestamp = timestamp - interval '4047 years'",
        "timestamp = 'infinity'",
        "level = 'error'",
        "event = 'budget.usage'",
        "course = 'another'",
        "mode = 'deterministic'",
        "hash = repeat('0', 64)",
    ],
)
def test_an_altered_row_is_named(append: Append, tamper: Tamper, change: str) -> None:
    append("a", 3)
    append("b", 3)
    altered = Event.objects.get(chain_id="b", seq=2).pk
    tamper(f"UPDATE telemetry_event SET {change} WHERE id = %s", [altered])
    assert list(faults()) == ["b"]
    fault = faults()["b"]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.ALTERED, 2, altered)


def test_a_year_before_christ_is_not_the_same_year_after(append: Append, tamper: Tamper) -> None:
    append("a", 1)
    tamper("UPDATE telemetry_event SET timestamp = '2024-01-01 12:00:00+00 BC'")
    assert faults()["a"].kind is FaultKind.ALTERED


def test_a_missing_row_is_a_gap_at_the_next(append: Append, tamper: Tamper) -> None:
    append("a", 4)
    tamper("DELETE FROM telemetry_event WHERE seq = 2")
    fault = faults()["a"]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.GAP, 3, Event.objects.get(seq=3).pk)
    assert "event 2 is missing" in fault.detail


def test_a_missing_first_row_is_a_gap(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    tamper("DELETE FROM telemetry_event WHERE seq = 1")
    assert (faults()["a"].kind, faults()["a"].seq) == (FaultKind.GAP, 2)


def test_a_wrong_previous_hash_is_named(append: Append, tamper: Tamper) -> None:
    append("a", 3)
    tamper("UPDATE telemetry_event SET previous_hash = repeat('0', 64) WHERE seq = 3")
    assert (faults()["a"].kind, faults()["a"].seq) == (FaultKind.WRONG_PREVIOUS, 3)


def test_rows_swapped_in_place_are_found(append: Append, tamper: Tamper) -> None:
    append("a", 3)
    tamper("UPDATE telemetry_event SET seq = seq + 10 WHERE seq = 1")
    tamper("UPDATE telemetry_event SET seq = 1 WHERE seq = 2")
    tamper("UPDATE telemetry_event SET seq = 2 WHERE seq = 11")
    assert (faults()["a"].kind, faults()["a"].seq) == (FaultKind.WRONG_PREVIOUS, 1)


def test_rows_of_another_chain_do_not_fit(append: Append, tamper: Tamper) -> None:
    append("a", 1)
    append("b", 2)
    tamper("DELETE FROM telemetry_event WHERE chain_id = 'a'")
    tamper("UPDATE telemetry_event SET chain_id = 'a' WHERE chain_id = 'b' AND seq = 1")
    assert {key: (fault.kind, fault.seq) for key, fault in faults().items()} == {
        "a": (FaultKind.WRONG_PREVIOUS, 1),
        "b": (FaultKind.GAP, 2),
    }


def test_a_tail_cut_off_is_named(append: Append, tamper: Tamper) -> None:
    append("a", 4)
    append("b", 2)
    tamper("DELETE FROM telemetry_event WHERE seq > 2 OR chain_id = 'b'")
    assert {key: (fault.kind, fault.seq, fault.row_id) for key, fault in faults().items()} == {
        "a": (FaultKind.TRUNCATED, 3, None),
        "b": (FaultKind.TRUNCATED, 1, None),
    }


def test_a_tail_cut_off_with_its_head_is_found_by_the_last_good_check(append: Append, tamper: Tamper) -> None:
    append("a", 3)
    chains_mark_verified(checks=list(chains_verify()))
    tamper("DELETE FROM telemetry_event WHERE seq = 3")
    tamper("UPDATE telemetry_chain SET length = 2, head_hash = (SELECT hash FROM telemetry_event WHERE seq = 2)")
    fault = faults()["a"]
    assert (fault.kind, fault.seq, fault.detail) == (
        FaultKind.TRUNCATED,
        3,
        "the tail was cut off: 3 events at the last good check, now 2",
    )


def test_a_head_that_disagrees_is_named(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    append("b", 2)
    tamper("UPDATE telemetry_chain SET head_hash = repeat('0', 64) WHERE key = 'a'")
    tamper("UPDATE telemetry_chain SET length = 1 WHERE key = 'b'")
    assert {key: (fault.kind, fault.seq) for key, fault in faults().items()} == {
        "a": (FaultKind.WRONG_HEAD, 2),
        "b": (FaultKind.WRONG_HEAD, 2),
    }


def test_events_without_their_chain_are_named(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    append("b", 2)
    connection.check_constraints()
    tamper("DELETE FROM telemetry_chain WHERE key = 'a'")
    assert {key: (fault.kind, fault.seq) for key, fault in faults().items()} == {"a": (FaultKind.ORPHANED, 1)}


def test_only_the_first_fault_of_each_chain_is_told(append: Append, tamper: Tamper) -> None:
    for key in ("a", "b"):
        append(key, 9)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE seq > 3")
    assert [(check.chain, check.fault and check.fault.seq) for check in chains_verify()] == [("a", 4), ("b", 4)]


def test_pages_and_blocks_leave_nothing_out(append: Append, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "PAGE_CHAINS", 2)
    monkeypatch.setattr(verification, "BLOCK_ROWS", 3)
    for number in range(7):
        append(f"chain-{number}", number + 1)
    Chain.objects.create(key="empty", head_hash=genesis_hash("empty"))
    read: list[int] = []
    checks = list(chains_verify(on_rows=read.append))
    assert [check.length for check in checks] == [1, 2, 3, 4, 5, 6, 7, 0]
    assert not any(check.fault for check in checks)
    assert sum(read) == 28 + 1


def test_named_chains_only(append: Append) -> None:
    for key in ("a", "b", "c"):
        append(key)
    assert [check.chain for check in chains_verify(["c", "a", "nobody"])] == ["a", "c"]
    assert list(chains_verify([])) == []


def test_a_good_check_is_kept_and_a_bad_one_keeps_the_good(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    chains_mark_verified(checks=list(chains_verify()), now=NOON)
    append("a", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE seq = 4")
    chains_mark_verified(checks=list(chains_verify()), now=NOON + timedelta(days=1))
    chain = Chain.objects.get()
    assert (chain.verified_at, chain.verified_length, chain.broken_at) == (NOON, 2, 4)
    tamper("UPDATE telemetry_event SET level = 'info'")
    chains_mark_verified(checks=list(chains_verify()), now=NOON + timedelta(days=2))
    chain.refresh_from_db()
    assert (chain.verified_at, chain.verified_length, chain.broken_at) == (NOON + timedelta(days=2), 4, None)
