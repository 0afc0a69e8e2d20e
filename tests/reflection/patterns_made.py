"""Episodes and patterns as rows."""

from datetime import UTC, datetime, timedelta
from typing import Any

from accounts.models import User
from memory.models import DIMENSIONS, Episode
from reflection.contracts import PatternFound
from reflection.models import Pattern
from reflection.patterns import patterns_found
from telemetry.models import Event
from tests.reflection.past_made import QUALITY, Check, failure, features, times

DOMAIN = "hotel_booking"
NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)


def remember(user: User, count: int, *checks: Check, at: datetime = NOON, domain: str = DOMAIN, **plan: Any) -> None:
    """So many episodes with these checks, a second apart, the last at `at`."""
    kept = {"features": sorted(features(*checks, **plan))}
    outcome = "success" if all(met for _text, met in checks) else "failure"
    Episode.objects.bulk_create(
        Episode(
            user=user, task_type=domain, content="Book hotel", outcome=outcome, metadata=kept, embedder="test",
            embedding=[1, *[0] * (DIMENSIONS - 1)], bytes=1_000, created_at=at - timedelta(seconds=number),
            expires_at=at + timedelta(days=90),
        )
        for number in range(count)
    )  # fmt: skip


def found(past: int = 2) -> list[PatternFound]:
    return patterns_found(failure(QUALITY, past=times(past, QUALITY)))


def other(number: int, **changes: Any) -> PatternFound:
    values = {"text": f"pattern {number}", "domain": DOMAIN, "outcome": f"fails:criterion {number}", "support": 3}
    return PatternFound(**{**values, "total": 3, "confidence": 1.0, **changes})


def figures(row: Pattern) -> tuple[str, int, int, int]:
    row.refresh_from_db()
    return row.state, row.support, row.contrary, row.total


def moves(user: User) -> list[tuple[str, str]]:
    """What the audit trail says of their patterns."""
    said = Event.objects.filter(chain=f"patterns:{user.pk}", event="pattern.changed").order_by("seq")
    return [(event.data["from"], event.data["to"]) for event in said]
