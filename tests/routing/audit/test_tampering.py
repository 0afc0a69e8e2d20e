"""Whatever somebody does who owns the database, short of having the keys, is named with its row."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from routing.audit.table import ENTRIES
from routing.models import AuditChain, AuditEntry
from telemetry.chains.events import EVENTS
from telemetry.chains.verification import chains_verify
from telemetry.contracts import FaultKind
from telemetry.services import chains_mark_verified, events_append
from telemetry.tasks import verify_chains
from tests.routing.audit_hands import checksums_redo, faults, tamper, verified
from tests.routing.rows import MESSAGE, entry_row, failure_row
from tests.telemetry.conftest import drafts_of

pytestmark = pytest.mark.django_db

ALTERATIONS = {
    "id": "id = gen_random_uuid()",
    "timestamp": "timestamp = timestamp + interval '1 microsecond'",
    "another era": "timestamp = '2026-02-12 18:14:00+00 BC'",
    "infinity": "stored_at = 'infinity'",
    "correlation id": "correlation_id = gen_random_uuid()",
    "subject": "subject = 'somebody else'",
    "question": "question_id = (SELECT question_id FROM routing_auditentry WHERE chain_id = 'consult:%d' LIMIT 1)",
    "message": "message_digest = repeat('0', 64)",
    "plan": 'plan_snapshot = plan_snapshot || \'{"confidence": "low"}\'',
    "plan id": "query_plan_id = (SELECT query_plan_id FROM routing_auditentry WHERE chain_id = 'consult:%d' LIMIT 1)",
    "decision": 'decision_snapshot = decision_snapshot || \'{"recommendation": "execute"}\'',
    "output": "output_snapshot = jsonb_set(output_snapshot, '{answer,recommendation}', '\"Go.\"')",
    "versions": "versions = versions || '{\"phase\": 3}'",
    "5,000 digits": "versions = ('{\"phase\": 1' || repeat('0', 5000) || '}')::jsonb",
    "deep": "warnings = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    "status": "status = 'partial'",
    "error": "status = 'partial', error_message = 'none'",
    "warnings": "warnings = '[\"x\"]'",
    "model": "model_used = 'another'",
    "stored": "stored_at = stored_at - interval '1 day'",
    "retention": "retention_days = 1",
    "key": "key_id = repeat('0', 16)",
    "hash": "hash = repeat('0', 64)",
}


@pytest.fixture
def second(learner: User, stranger: User) -> AuditEntry:
    """The second of three entries of the learner; the stranger has one."""
    entry_row(stranger)
    return [entry_row(learner, answered=True) for _ in range(3)][1]


def undone(work: Callable[[], None]) -> None:
    """Do this, and undo it."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SAVEPOINT tampering")
        work()
        cursor.execute("ROLLBACK TO tampering")


def test_related_facts_every_altered_column_is_named_with_its_row(second: AuditEntry, stranger: User) -> None:
    wrong: dict[str, object] = {}

    def alter(name: str, change: str) -> None:
        tamper(f"UPDATE routing_auditentry SET {change.replace('%d', str(stranger.pk))} WHERE seq = 2")
        row = AuditEntry.objects.filter(seq=2).values_list("pk", flat=True).get()
        found = {key: (fault.kind, fault.seq, fault.row_id) for key, fault in faults().items()}
        if found != {second.chain_id: (FaultKind.ALTERED, 2, row)}:
            wrong[name] = found

    for name, change in ALTERATIONS.items():
        undone(lambda name=name, change=change: alter(name, change))  # type: ignore[misc]
    assert wrong == {}
    assert faults() == {}


def test_a_null_of_json_is_not_the_null_of_the_database(learner: User) -> None:
    entry_row(learner)
    tamper("UPDATE routing_auditentry SET decision_snapshot = 'null'")
    assert [fault.kind for fault in faults().values()] == [FaultKind.ALTERED]


def test_a_checksum_made_right_again_does_not_help_without_the_key(second: AuditEntry) -> None:
    tamper("UPDATE routing_auditentry SET subject = 'somebody else' WHERE id = %s", second.pk)
    checksums_redo(second)
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.FORGED, 2, second.pk)
    assert second.key_id in fault.detail


def test_a_signature_of_another_entry_does_not_fit(second: AuditEntry) -> None:
    tamper(
        "UPDATE routing_auditentry SET signature = (SELECT signature FROM routing_auditentry AS e"
        " WHERE e.chain_id = %s AND e.seq = 3) WHERE id = %s",
        second.chain_id,
        second.pk,
    )
    assert (faults()[second.chain_id].kind, faults()[second.chain_id].seq) == (FaultKind.FORGED, 2)


def test_an_own_key_is_not_in_the_ring(second: AuditEntry) -> None:
    tamper("UPDATE routing_auditentry SET key_id = 'mine' WHERE id = %s", second.pk)
    checksums_redo(second)
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.UNKNOWN_KEY, 2, second.pk)


def test_entries_that_are_missing_moved_or_cut_off_are_named(second: AuditEntry, stranger: User) -> None:
    other = f"consult:{stranger.pk}"
    table, head = "routing_auditentry", "routing_auditchain"
    own = f"chain_id = '{second.chain_id}'"
    deeds = {
        f"DELETE FROM {table} WHERE {own} AND seq = 2": (second.chain_id, FaultKind.GAP, 3, "entry 2 is missing"),
        f"DELETE FROM {table} WHERE {own} AND seq = 3": (second.chain_id, FaultKind.TRUNCATED, 3, "says 3 entries"),
        f"DELETE FROM {table} WHERE {own}": (second.chain_id, FaultKind.TRUNCATED, 1, "0 are there"),
        f"UPDATE {table} SET previous_hash = repeat('0', 64) WHERE {own} AND seq = 3": (
            second.chain_id, FaultKind.WRONG_PREVIOUS, 3, "not the hash of entry 2",
        ),
        f"UPDATE {table} SET chain_id = '{other}' WHERE {own} AND seq = 2": (
            other, FaultKind.WRONG_PREVIOUS, 2, "not the hash of entry 1",
        ),
        f"UPDATE {head} SET head_hash = repeat('0', 64) WHERE key = '{other}'": (
            other, FaultKind.WRONG_HEAD, 1, "not that of the last entry",
        ),
        f"UPDATE {head} SET length = 2 WHERE key = '{second.chain_id}'": (
            second.chain_id, FaultKind.WRONG_HEAD, 3, "says 2 entries",
        ),
    }  # fmt: skip
    wrong: dict[str, object] = {}

    def do(deed: str) -> None:
        key, kind, seq, detail = deeds[deed]
        tamper(deed)
        fault = faults().get(key)
        if not fault or (fault.kind, fault.seq) != (kind, seq) or detail not in fault.detail:
            wrong[deed] = fault

    for deed in deeds:
        undone(lambda deed=deed: do(deed))  # type: ignore[misc]
    assert wrong == {}


def test_a_tail_cut_off_with_its_head_is_found_by_the_last_good_check(second: AuditEntry) -> None:
    chains_mark_verified(checks=list(chains_verify()))
    cut_off(second)
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq) == (FaultKind.TRUNCATED, 3)
    assert fault.detail == "the tail was cut off: 3 entries at the last good check, now 2"


def cut_off(second: AuditEntry) -> None:
    tamper("DELETE FROM routing_auditentry WHERE chain_id = %s AND seq = 3", second.chain_id)
    tamper("UPDATE routing_auditchain SET length = 2, head_hash = %s WHERE key = %s", second.hash, second.chain_id)


def test_a_tail_cut_off_with_its_head_is_found_by_the_plan_that_nobody_tells_of(second: AuditEntry) -> None:
    plan = AuditEntry.objects.get(chain=second.chain_id, seq=3).query_plan_id
    cut_off(second)
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.TRUNCATED, 3, None)
    assert fault.detail == f"the entry of query plan {plan} is missing: it was cut off, or never written"
    assert verified("--chain", second.chain_id)[-1] == "1 of 1 chains are broken."


def test_a_chain_that_is_gone_is_found_by_the_plans_that_nobody_tells_of(second: AuditEntry) -> None:
    tamper("DELETE FROM routing_auditentry WHERE chain_id = %s", second.chain_id)
    tamper("DELETE FROM routing_auditchain WHERE key = %s", second.chain_id)
    assert list(faults()) == [second.chain_id]
    for arguments in ([], ["--chain", second.chain_id]):
        [line, _] = verified(*arguments)
        assert line.startswith(f"chain {second.chain_id}, seq 1, no row: truncated: the entry of query plan ")


def test_odd_names_of_chains_are_of_nothing(second: AuditEntry) -> None:
    for name in ("consult:", "consult:x", f"consult:{'9' * 30}", "consult:-1", "' OR 1=1", "%s", "ñ" * 500):
        assert verified("--chain", name) == [f"There is no chain {name!r}."]


def test_entries_without_their_chain_are_named(second: AuditEntry) -> None:
    tamper("DELETE FROM routing_auditchain WHERE key = %s", second.chain_id)
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq, fault.detail) == (FaultKind.ORPHANED, 1, "the chain of this entry is missing")


def test_what_an_entry_names_must_still_be_what_it_says(second: AuditEntry) -> None:
    deeds = {
        "question": "UPDATE routing_question SET message = 'Something else.' WHERE id = (%s)",
        "plan": 'UPDATE routing_queryplan SET plan = plan || \'{"rationale": "Because."}\' WHERE question_id = (%s)',
        "decision": 'UPDATE routing_governordecision SET decision = decision || \'{"diagnosis": "None."}\''
        " WHERE query_plan_id = (SELECT id FROM routing_queryplan WHERE question_id = (%s))",
        "output": "UPDATE routing_synthesizeroutput SET output = jsonb_set(output, '{answer,risks}', '\"None.\"')"
        " WHERE decision_id = (SELECT d.id FROM routing_governordecision AS d JOIN routing_queryplan AS p"
        " ON p.id = d.query_plan_id WHERE p.question_id = (%s))",
    }
    wrong: dict[str, object] = {}

    def do(name: str) -> None:
        tamper(deeds[name], second.question_id)
        fault = faults().get(second.chain_id)
        detail = f"the {name} that it names is not the one that it has on record"
        if not fault or (fault.kind, fault.seq, fault.detail) != (FaultKind.ALTERED, 2, detail):
            wrong[name] = fault

    for name in deeds:
        undone(lambda name=name: do(name))  # type: ignore[misc]
    assert wrong == {}


def test_section_6_erased_words_leave_the_entry_valid(second: AuditEntry) -> None:
    question = second.question
    question.message, question.salt, question.erased_at = None, None, second.timestamp
    question.save()
    assert faults() == {}


def test_the_command_counts_entries_beside_events_and_names_the_row(second: AuditEntry, stranger: User) -> None:
    assert verified() == ["4 entries in 2 chains: whole"]
    assert verified("--chain", second.chain_id) == ["3 entries in 1 chains: whole"]
    assert verified("--chain", "consult:0") == ["There is no chain 'consult:0'."]
    tamper("UPDATE routing_auditentry SET model_used = 'x' WHERE id = %s", second.pk)
    place = f"chain {second.chain_id}, seq 2, entry {second.pk}"
    fault = "altered: its content was altered: it does not match its hash"
    assert verified() == [f"{place}: {fault}", "1 of 2 chains are broken."]
    assert verified("--chain", f"consult:{stranger.pk}") == ["1 entries in 1 chains: whole"]
    assert AuditChain.objects.get(key=second.chain_id).broken_at == 2


def test_a_table_costs_two_statements_however_many_rows_and_two_more_for_missing_entries_and_packs(
    second: AuditEntry, django_assert_num_queries: Any
) -> None:
    """Around the page's statement stands a savepoint here, as a transaction elsewhere."""
    for chain in ("a", "b"):
        events_append(chain=chain, course="c", mode="adaptive", drafts=drafts_of(3))
    for table, statements in ((EVENTS, 3), (ENTRIES, 4)):  # of events, which should be there
        with django_assert_num_queries(statements + 2):
            assert len(list(chains_verify(tables=[table]))) == 2


def test_the_hourly_task_checks_entries_too(second: AuditEntry, caplog: pytest.LogCaptureFixture) -> None:
    assert verify_chains() == 0
    assert set(AuditChain.objects.values_list("verified_length", flat=True)) == {1, 3}
    failure_row(second.question.user)
    tamper("UPDATE routing_auditentry SET error_message = 'x' WHERE seq = 4")
    assert verify_chains() == 1
    assert f"audit chain broken: {second.chain_id}, seq 4" in caplog.text
    assert verify_chains() == 0


def test_words_are_nowhere_in_an_entry(second: AuditEntry) -> None:
    """Nor could they be guessed from its hash once the salt is erased."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT e::text FROM routing_auditentry AS e WHERE id = %s", [second.pk])
        [(row,)] = cursor.fetchall()
    assert MESSAGE not in row
    assert second.message_digest == second.question.digest
