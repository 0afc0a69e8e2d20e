"""A past that was rewritten with the database's full rights is found, as long as the keys were not in it."""

from typing import Any

import pytest
from django.db import connection, transaction
from pytest_django import Settings

from telemetry.chains.signatures import head_sign
from telemetry.chains.verification import chains_verify
from telemetry.contracts import ChainFault, EventDraft, FaultKind
from telemetry.contracts.hashing import event_hash, timestamp_text
from telemetry.models import Chain, Event
from telemetry.services import events_append
from tests.telemetry.conftest import NOON, Append, Tamper, chain_redo

OLD, NEW = "old key of thirty-two characters", "new key of thirty-two characters"
# What a process of the version before sends, which knows no signature.
_BEFORE = """
WITH head AS (UPDATE telemetry_chain SET length = %(length)s, head_hash = %(hash)s WHERE key = %(chain)s)
INSERT INTO telemetry_event (chain_id, seq, timestamp, level, event, course, mode, data, previous_hash, hash)
SELECT chain_id, %(length)s, timestamp, level, event, course, mode, data, %(previous)s, %(hash)s
FROM telemetry_event WHERE chain_id = %(chain)s AND seq = 1
"""


def fault(key: str = "a") -> ChainFault | None:
    [check] = chains_verify([key])
    return check.fault


def found(key: str = "a") -> tuple[FaultKind, int] | None:
    wrong = fault(key)
    return (wrong.kind, wrong.seq) if wrong else None


def judged(append: Append, *results: str) -> None:
    drafts = [EventDraft(event="evaluation.result", data={"askCode": "A", "result": result}) for result in results]
    append("a", drafts=drafts)


def grades_change(tamper: Tamper) -> None:
    """Every REJECT of the chain becomes an ACCEPT, with all its hashes."""
    tamper("""UPDATE telemetry_event SET data = data || '{"result": "ACCEPT"}' WHERE chain_id = 'a'""")
    chain_redo(tamper, "a")


def append_as_before(key: str) -> None:
    """Append a copy of the first event, as a process does that was not restarted yet."""
    head, first = Chain.objects.get(key=key), Event.objects.get(chain_id=key, seq=1)
    place: dict[str, Any] = {"chain": key, "seq": head.length + 1, "previous_hash": head.head_hash}
    moment = timestamp_text(first.timestamp)
    copied = {name: getattr(first, name) for name in ("level", "event", "course", "mode", "data")}
    values: dict[str, Any] = {"chain": key, "length": head.length + 1, "previous": head.head_hash}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_BEFORE, {**values, "hash": event_hash(timestamp=moment, **place, **copied)})


def test_a_rejection_made_an_acceptance_with_its_chain_computed_anew_is_forged(append: Append, tamper: Tamper) -> None:
    judged(append, "ACCEPT", "REJECT")
    grades_change(tamper)
    wrong = fault()
    assert wrong
    assert (wrong.kind, wrong.seq) == (FaultKind.FORGED, 2)
    assert "the head's signature is not one of the key" in wrong.detail


def test_taking_the_signature_away_as_well_is_found(append: Append, tamper: Tamper) -> None:
    judged(append, "ACCEPT", "REJECT")
    grades_change(tamper)
    tamper("UPDATE telemetry_chain SET signature = ''")
    assert found() == (FaultKind.UNSIGNED, 1)


@pytest.mark.parametrize("text", ["x", "1", "1:2", "::", ":a:b", "-1:a:b", "٣:a:b", "2::b"])
def test_what_is_no_signature_signs_nothing(append: Append, tamper: Tamper, text: str) -> None:
    append("a", 2)
    tamper("UPDATE telemetry_chain SET signature = %s", [text])
    assert found() in {(FaultKind.UNSIGNED, 1), (FaultKind.UNKNOWN_KEY, 2)}


def test_an_append_vouches_for_nothing_that_was_forged(append: Append, tamper: Tamper) -> None:
    judged(append, "REJECT", "REJECT")
    grades_change(tamper)
    append("a")
    assert found() == (FaultKind.FORGED, 2)
    tamper("UPDATE telemetry_chain SET signature = ''")
    append("a")
    assert found() == (FaultKind.UNSIGNED, 1)


def test_rows_put_behind_the_signed_ones_are_unsigned(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    signed = Chain.objects.get().signature
    append("a", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE seq = 3")
    chain_redo(tamper, "a")
    tamper("UPDATE telemetry_chain SET signature = %s", [signed])
    append("a", 1)
    assert found() == (FaultKind.UNSIGNED, 3)


def test_a_tail_cut_off_with_its_head_is_found_by_the_signature(append: Append, tamper: Tamper) -> None:
    append("a", 3)
    tamper("DELETE FROM telemetry_event WHERE seq = 3")
    chain_redo(tamper, "a")
    wrong = fault()
    assert wrong
    assert (wrong.kind, wrong.seq) == (FaultKind.TRUNCATED, 3)
    assert wrong.detail == "the tail was cut off: 3 events were signed, 2 are there"


def test_a_chain_of_another_name_has_another_signature(append: Append, tamper: Tamper) -> None:
    append("a", 1)
    append("b", 1)
    tamper("UPDATE telemetry_chain SET signature = (SELECT signature FROM telemetry_chain WHERE key = 'b')")
    assert found("a") == (FaultKind.FORGED, 1)
    assert found("b") is None


def test_a_chain_begun_before_signatures_is_unsigned_and_stays_so(append: Append, tamper: Tamper) -> None:
    append("a", 2)
    tamper("UPDATE telemetry_chain SET signature = ''")
    append("a", 1)
    assert found() == (FaultKind.UNSIGNED, 1)
    assert Chain.objects.get().signature == ""


def test_what_a_process_of_the_version_before_appends_is_unsigned_and_not_forged(append: Append) -> None:
    append("a", 2)
    signed = Chain.objects.get().signature
    append_as_before("a")
    head = Chain.objects.get()
    assert (head.length, head.signature) == (3, signed)
    assert found() == (FaultKind.UNSIGNED, 3)
    append("a", 1)  # and a new one goes on behind it
    assert found() == (FaultKind.UNSIGNED, 3)
    assert Chain.objects.get().signature == signed


def test_an_append_signs_in_the_same_two_statements(append: Append, django_assert_num_queries: Any) -> None:
    append("a", 1)
    with transaction.atomic(), django_assert_num_queries(2):
        events_append(chain="a", course="c", mode="", drafts=[EventDraft(event="a.b")], now=NOON)
    assert found() is None


def test_keys_are_exchanged_without_breaking_what_they_signed(append: Append, settings: Settings) -> None:
    settings.AUDIT_KEYS = [OLD]
    append("a", 1)
    append("b", 1)
    settings.AUDIT_KEYS = [NEW, OLD]
    append("a", 1)
    assert (found("a"), found("b")) == (None, None)
    settings.AUDIT_KEYS = [NEW]
    assert (found("a"), found("b")) == (None, (FaultKind.UNKNOWN_KEY, 1))
    settings.AUDIT_KEYS = [OLD]  # a server that was not stopped: it cannot know that the head is good
    append("a", 1)
    settings.AUDIT_KEYS = [NEW, OLD]
    assert found("a") == (FaultKind.UNSIGNED, 3)


def test_a_key_that_the_ring_does_not_have_proves_nothing(append: Append, tamper: Tamper, settings: Settings) -> None:
    judged(append, "REJECT")
    grades_change(tamper)
    settings.AUDIT_KEYS = ["a key of somebody with the database alone"]
    forged = head_sign("telemetry_chain", "a", 1, Chain.objects.get().head_hash)
    tamper("UPDATE telemetry_chain SET signature = %s", [forged])
    settings.AUDIT_KEYS = []
    assert found() == (FaultKind.UNKNOWN_KEY, 1)
