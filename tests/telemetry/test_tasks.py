from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from telemetry.chains.verification import chains_verify
from telemetry.models import Chain
from telemetry.selectors import chains_due
from telemetry.services import chains_mark_verified
from telemetry.tasks import verify_chains
from tests.telemetry.conftest import Append, Tamper


def check(key: str, *, days_ago: int) -> None:
    chains_mark_verified(checks=list(chains_verify([key])), now=timezone.now() - timedelta(days=days_ago))


def test_grown_chains_are_due_the_longest_unchecked_first(append: Append) -> None:
    for days_ago, key in enumerate(("still", "recent", "old", "new")):
        append(key)
        if key != "new":
            check(key, days_ago=days_ago)
            if key != "still":
                append(key)
    assert chains_due(10) == ["new", "old", "recent"]
    assert chains_due(2) == ["new", "old"]


def test_what_did_not_grow_is_checked_again_after_a_week_behind_what_did(append: Append) -> None:
    for days_ago, key in ((6, "lately"), (8, "long ago"), (9, "longer ago"), (1, "grown")):
        append(key)
        check(key, days_ago=days_ago)
    append("grown")
    assert chains_due(10) == ["grown", "longer ago", "long ago"]


def test_a_run_checks_what_is_due_and_no_more_than_its_limit(append: Append) -> None:
    for key in ("a", "b", "c"):
        append(key, 2)
    assert verify_chains(limit=2) == 0
    assert chains_due(10) == ["c"]
    assert verify_chains() == 0
    assert chains_due(10) == []
    assert set(Chain.objects.values_list("verified_length", flat=True)) == {2}


def test_a_broken_chain_is_counted_and_logged_once(
    append: Append, tamper: Tamper, caplog: pytest.LogCaptureFixture
) -> None:
    append("a", 2)
    append("b", 2)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id = 'a' AND seq = 2")
    assert verify_chains() == 1
    assert "audit chain broken: a, seq 2" in caplog.text
    assert Chain.objects.get(key="a").broken_at == 2
    assert verify_chains() == 0
    assert not connection.needs_rollback
