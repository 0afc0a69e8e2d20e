"""Keys come and go; what was signed with one that is still in the ring holds."""

import hmac

import pytest
from pytest_django import Settings

from accounts.models import User
from telemetry.chains.keys import audit_keys_check, ring
from telemetry.contracts import FaultKind
from tests.routing.audit_hands import faults
from tests.routing.rows import entry_row

pytestmark = pytest.mark.django_db

OLD, NEW = "old key of thirty-two characters", "new key of thirty-two characters"


def test_without_keys_one_made_of_the_secret_key_signs(learner: User, settings: Settings) -> None:
    settings.AUDIT_KEYS, settings.SECRET_KEY_FALLBACKS = [], []
    entry = entry_row(learner)
    assert entry.key_id == ring().signing.id
    assert list(ring().keys) == [entry.key_id]
    assert settings.SECRET_KEY.encode() != ring().signing.secret
    assert faults() == {}


def test_a_key_is_rotated_without_breaking_what_it_signed(learner: User, settings: Settings) -> None:
    settings.AUDIT_KEYS = []
    ids = [entry_row(learner).key_id]
    settings.AUDIT_KEYS = [OLD]
    ids.append(entry_row(learner).key_id)
    settings.AUDIT_KEYS = [NEW, OLD]
    ids.append(entry_row(learner).key_id)
    assert len(set(ids)) == 3
    assert faults() == {}


def test_a_secret_key_is_rotated_without_breaking_what_it_signed(learner: User, settings: Settings) -> None:
    settings.AUDIT_KEYS, settings.SECRET_KEY_FALLBACKS = [], []
    first = entry_row(learner)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key that is long enough"
    assert entry_row(learner).key_id != first.key_id
    assert faults() == {}
    settings.SECRET_KEY_FALLBACKS = []
    assert faults()[first.chain_id].kind is FaultKind.UNKNOWN_KEY


def test_a_secret_key_that_leaked_goes_and_the_key_made_of_it_stays(learner: User, settings: Settings) -> None:
    """The command is that of docs/operator.md."""
    settings.AUDIT_KEYS, settings.SECRET_KEY_FALLBACKS = [], []
    settings.SECRET_KEY = "a secret key that is about to leak"
    first = entry_row(learner)
    made = hmac.new(settings.SECRET_KEY.encode(), b"andamio.audit/1 key", "sha256").hexdigest()
    settings.AUDIT_KEYS, settings.SECRET_KEY = [NEW, made], "another secret key that is long enough"
    assert first.key_id in ring().keys
    assert entry_row(learner).key_id == ring().signing.id != first.key_id
    assert faults() == {}


def test_a_key_that_was_removed_is_named_with_the_first_entry_it_signed(learner: User, settings: Settings) -> None:
    settings.AUDIT_KEYS = [OLD]
    entry_row(learner)
    settings.AUDIT_KEYS = [NEW, OLD]
    second = entry_row(learner)
    settings.AUDIT_KEYS = [OLD]
    fault = faults()[second.chain_id]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.UNKNOWN_KEY, 2, second.pk)
    assert second.key_id in fault.detail
    settings.AUDIT_KEYS = [NEW, OLD]  # put back, it is the one it was
    assert faults() == {}


def test_a_retired_key_signs_nothing_after_a_newer_one(learner: User, stranger: User, settings: Settings) -> None:
    settings.AUDIT_KEYS = [NEW, OLD]
    first = entry_row(learner)
    settings.AUDIT_KEYS = [OLD]
    retired = entry_row(learner)
    entry_row(stranger)  # a chain in which the newer one has signed nothing
    settings.AUDIT_KEYS = [NEW, OLD]
    [(chain, fault)] = faults().items()
    assert (chain, fault.kind, fault.seq, fault.row_id) == (first.chain_id, FaultKind.FORGED, 2, retired.pk)
    assert f"signed with a retired key, {retired.key_id}: {first.key_id} had" in fault.detail


def test_a_key_made_of_the_secret_key_is_older_than_any_that_is_given(learner: User, settings: Settings) -> None:
    former, another = settings.SECRET_KEY, "another secret key that is long enough"
    keys: list[tuple[list[str], str]] = [([], former), ([], another), ([NEW], former)]
    settings.SECRET_KEY_FALLBACKS = [former, another]
    for settings.AUDIT_KEYS, settings.SECRET_KEY in keys:
        entry_row(learner)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = another, [former]
    assert faults() == {}
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = former, [another]
    assert [(fault.kind, fault.seq) for fault in faults().values()] == [(FaultKind.FORGED, 2)]
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = another, [former]
    settings.AUDIT_KEYS = []
    entry_row(learner)
    settings.AUDIT_KEYS = [NEW]
    assert [(fault.kind, fault.seq) for fault in faults().values()] == [(FaultKind.FORGED, 4)]


def test_an_id_says_nothing_of_its_key_and_a_key_given_twice_is_one(settings: Settings) -> None:
    settings.AUDIT_KEYS = [OLD, NEW, OLD]
    keys = ring().keys
    assert len(keys) == 3  # and the derived one
    assert all(len(key_id) == 16 and key_id.encode().hex() not in key.secret.hex() for key_id, key in keys.items())


def test_a_key_that_could_be_guessed_is_warned_of(settings: Settings) -> None:
    settings.AUDIT_KEYS = [NEW, "short"]
    [warning] = audit_keys_check()
    assert warning.id == "telemetry.W001"
    assert "key 2 has fewer than 32 characters" in warning.msg
    assert "short" not in warning.msg
    settings.AUDIT_KEYS = [NEW]
    assert audit_keys_check() == []
