"""`manage.py audit_sign`: what was written without a signature is walked, and signed as an operator's act."""

from pathlib import Path

import pytest
from pytest_django import Settings

from config.database_roles import OWNER
from telemetry.chains import signing
from telemetry.chains.signatures import head_sign
from telemetry.chains.verification import chains_verify
from telemetry.models import Chain, Event
from telemetry.services import trail_sign_first
from tests.hands import as_role
from tests.routing.audit_hands import faults, lines_of, signed, verified
from tests.telemetry.conftest import Append, Tamper, chain_redo

pytestmark = pytest.mark.django_db


def as_before(tamper: Tamper) -> None:
    tamper("UPDATE telemetry_chain SET signature = ''")


def test_chains_from_before_are_signed_once_and_that_is_on_record(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 3)
    append("b", 2)
    as_before(tamper)
    assert verified()[-1] == "2 of 2 chains are broken."
    assert "events: 2 chains signed" in signed("--unsigned")
    assert faults() == {}
    assert Chain.objects.filter(broken_at=None, verified_length__gt=0).count() == 2
    assert Event.objects.get(event="audit.signed").data == {"events": 2}
    assert "events: 0 chains signed" in signed("--unsigned")
    assert Event.objects.filter(event="audit.signed").count() == 1


def test_what_has_another_fault_is_named_and_not_signed(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 3)
    append("b", 2)
    append("c", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id IN ('a', 'c') AND seq = 2")
    chain_redo(tamper, "c")
    tamper("UPDATE telemetry_chain SET signature = '' WHERE key <> 'c'")
    lines = signed("--unsigned")
    assert lines[-1] == "2 chains have faults and were not signed."
    assert [line.split(":")[1] for line in lines if "chain " in line] == [" chain a, seq 2", " chain c, seq 2"]
    assert "events: 1 chains signed" in lines
    assert set(faults()) == {"a", "c"}


def test_after_a_new_key_all_are_signed_with_it(append: Append, folder: Path, settings: Settings) -> None:
    settings.AUDIT_KEYS = ["old key of thirty-two characters"]
    append("a", 1)
    settings.AUDIT_KEYS = ["new key of thirty-two characters", *settings.AUDIT_KEYS]
    signed()
    settings.AUDIT_KEYS = settings.AUDIT_KEYS[:1]  # the old one has signed nothing any more
    assert faults() == {}


def test_pages_leave_nothing_out(append: Append, tamper: Tamper, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "PAGE_CHAINS", 2)
    for number in range(5):
        append(f"chain-{number}", 1)
    as_before(tamper)
    assert "events: 5 chains signed" in signed("--unsigned")
    assert not [check.fault for check in chains_verify() if check.fault]


def append_forged(tamper: Tamper, key: str) -> None:
    """A row behind the signed ones, as somebody without the keys can put it there."""
    tamper(
        """INSERT INTO telemetry_event (chain_id, seq, timestamp, level, event, course, mode, data, previous_hash, hash)
           SELECT chain_id, seq + 1, timestamp, level, event, course, mode, data, hash, hash FROM telemetry_event
           WHERE chain_id = %s ORDER BY seq DESC LIMIT 1""",
        [key],
    )
    chain_redo(tamper, key)


def test_a_new_key_signs_nothing_that_was_put_behind_a_signed_row_nor_where_a_signature_was_taken_away(
    append: Append, tamper: Tamper, folder: Path, settings: Settings
) -> None:
    for key in ("a", "b", "c"):
        append(key, 2)
    append_forged(tamper, "a")
    append_forged(tamper, "b")
    tamper("UPDATE telemetry_chain SET signature = '' WHERE key = 'b'")
    settings.AUDIT_KEYS = ["new key of thirty-two characters"]
    lines = signed()
    assert "events: chain a, seq 3: from here on it is not signed: event 3 to 3" in lines
    assert "events: chain b, seq 1: from here on it is not signed: event 1 to 3" in lines
    assert "events: 1 chains signed" in lines
    assert lines[-1] == "2 chains have faults and were not signed."
    assert set(faults()) == {"a", "b"}


def test_unsigned_rows_are_signed_in_the_chains_that_are_named(append: Append, tamper: Tamper, folder: Path) -> None:
    for key in ("a", "b"):
        append(key, 2)
        append_forged(tamper, key)
    assert "events: 1 chains signed" in signed("--unsigned", "b", "of another table")
    assert set(faults()) == {"a"}


def test_the_first_signing_signs_all_or_nothing_and_only_where_nothing_is_signed(
    append: Append, tamper: Tamper, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append("a", 2)
    append("b", 2)
    as_before(tamper)
    monkeypatch.setattr(signing, "PAGE_CHAINS", 1)
    calls = list[str]()

    def killed(table: str, key: str, length: int, hash_: str) -> str:
        calls.append(key)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return head_sign(table, key, length, hash_)

    with monkeypatch.context() as patch, as_role(OWNER):
        patch.setattr(signing, "head_sign", killed)
        with pytest.raises(KeyboardInterrupt):
            trail_sign_first()
    assert set(faults()) == {"a", "b"}
    assert "events: 2 chains signed" in signed("--first")
    append("c", 1)
    tamper("UPDATE telemetry_chain SET signature = '' WHERE key = 'c'")
    assert signed("--first") == []
    assert set(faults()) == {"c"}


def test_where_there_are_anchors_signatures_that_are_gone_were_taken_away(
    append: Append, tamper: Tamper, folder: Path
) -> None:
    append("a", 2)
    lines_of("audit_anchor")
    as_before(tamper)
    assert signed("--first") == []
    assert "a" in faults()
