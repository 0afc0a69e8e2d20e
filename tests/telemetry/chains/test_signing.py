"""`manage.py audit_sign`: what was written without a signature is walked, and signed as an operator's act."""

from pathlib import Path

import pytest
from pytest_django import Settings

from telemetry.chains import signing
from telemetry.chains.verification import chains_verify
from telemetry.models import Chain, Event
from tests.routing.audit_hands import faults, lines_of, verified
from tests.telemetry.conftest import Append, Tamper, chain_redo

pytestmark = pytest.mark.django_db


def as_before(tamper: Tamper) -> None:
    tamper("UPDATE telemetry_chain SET signature = ''")


def test_chains_from_before_are_signed_once_and_that_is_on_record(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 3)
    append("b", 2)
    as_before(tamper)
    assert verified()[-1] == "2 of 2 chains are broken."
    assert "events: 2 chains signed" in lines_of("audit_sign")
    assert faults() == {}
    assert Chain.objects.filter(broken_at=None, verified_length__gt=0).count() == 2
    assert Event.objects.get(event="audit.signed").data == {"events": 2}
    assert "events: 0 chains signed" in lines_of("audit_sign")
    assert Event.objects.filter(event="audit.signed").count() == 1


def test_what_has_another_fault_is_named_and_not_signed(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 3)
    append("b", 2)
    append("c", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id IN ('a', 'c') AND seq = 2")
    chain_redo(tamper, "c")
    tamper("UPDATE telemetry_chain SET signature = '' WHERE key <> 'c'")
    lines = lines_of("audit_sign")
    assert lines[-1] == "2 chains have faults and were not signed."
    assert [line.split(":")[1] for line in lines if "chain " in line] == [" chain a, seq 2", " chain c, seq 2"]
    assert "events: 1 chains signed" in lines
    assert set(faults()) == {"a", "c"}


def test_after_a_new_key_all_are_signed_with_it(append: Append, folder: Path, settings: Settings) -> None:
    settings.AUDIT_KEYS = ["old key of thirty-two characters"]
    append("a", 1)
    settings.AUDIT_KEYS = ["new key of thirty-two characters", *settings.AUDIT_KEYS]
    lines_of("audit_sign")
    settings.AUDIT_KEYS = settings.AUDIT_KEYS[:1]  # the old one has signed nothing any more
    assert faults() == {}


def test_pages_leave_nothing_out(append: Append, tamper: Tamper, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "PAGE_CHAINS", 2)
    for number in range(5):
        append(f"chain-{number}", 1)
    as_before(tamper)
    assert "events: 5 chains signed" in lines_of("audit_sign")
    assert not [check.fault for check in chains_verify() if check.fault]
