"""Figures over a hundred thousand calls, with twice as many before them, are made in the database."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from gateway.figures import calls as figures_calls
from gateway.figures.alerts import periodic_alerts_raise
from gateway.figures.contracts import Days
from gateway.figures.reading import figures_of
from telemetry.services import horizon_advance
from tests.gateway.calls import at

pytestmark = [pytest.mark.hard, pytest.mark.django_db]
DAYS = Days(since=date(2026, 3, 2), until=date(2026, 3, 31))
CALLS = 100_000
_SESSIONS = """
INSERT INTO gateway_account (scope, key, "limit", spent, spent_cheap, spent_embed, spent_thinker, held, thinker_floor,
    economy_floor, escalations_limit, escalations_used, opened_at)
SELECT 'session', 's' || n, 100000000, 0, 0, 0, 0, 0, 0, 0, 5, 0, '2026-01-01' FROM generate_series(0, 19999) AS n
UNION ALL
SELECT 'operation', 'create_plan:' || n, 1000000, 500, 500, 0, 0, 0, 0, 0, 0, 0,
       '2026-01-01'::timestamptz + n * interval '1 minute' FROM generate_series(1, 100000) AS n
"""
# A call every 25.92 seconds: a hundred thousand in thirty days.
_HOLDS = """
INSERT INTO gateway_hold (id, state, tier, model, price_id, amount, cost, overrun, outcome, unverified, escalation,
    operation, call, attempt, user_id, agent, chain, course, mode, subject, prompt_digest, prompt_bytes, reply_digest,
    reply_bytes, latency_ms, reserved_at, dispatched_at, settled_at, expires_at)
SELECT gen_random_uuid(), 'settled', (ARRAY['cheap', 'cheap', 'embed', 'thinker'])[1 + n %% 4], 'm',
    (SELECT min(id) FROM gateway_price), 1000, 700 + n %% 300, 0, CASE n %% 50 WHEN 0 THEN 'failed' ELSE 'answered' END,
    n %% 70 = 0, n %% 40 = 3, 'op' || n %% 7, gen_random_uuid(), 1, (%(users)s::bigint[])[1 + n %% 50], 'tutor',
    's' || n %% 20000, 'light', 'adaptive', 'turn:1', repeat('d', 64), 100, repeat('d', 64), 100, n %% 3000,
    moment, moment, moment, moment
FROM (SELECT n, '2026-01-01'::timestamptz + n * interval '25.92 seconds' AS moment
      FROM generate_series(0, 299999) AS n) AS calls
"""
_TIMINGS = """
INSERT INTO gateway_operationtiming (operation, at, ms, target_ms, violated, outcome)
SELECT 'create_plan', '2026-01-01'::timestamptz + n * interval '25.92 seconds', n %% 1900, 2000, false, 'done'
FROM generate_series(0, 299999) AS n
"""


@pytest.fixture
def many(db: None) -> None:
    users = [User.objects.create(username=f"u{number}").pk for number in range(50)]
    with connection.cursor() as cursor:
        for statement in (_SESSIONS, _HOLDS, _TIMINGS):
            cursor.execute(statement, {"users": users})
        cursor.execute("ANALYZE")
    horizon_advance()  # how many queries that takes depends on the events of tests before


def test_figures_of_a_hundred_thousand_calls(many: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        figures = figures_of(DAYS)
    assert len(queries) == 13
    assert figures.calls == CALLS
    assert figures.sessions.of == 20_000
    assert sum(one.runs for one in figures.latencies) == CALLS


def test_they_look_at_no_call_outside_the_days(many: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "EXPLAIN " + figures_calls._BY_DAY.format(**figures_calls._PARTS), figures_calls.moments_of(DAYS)
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "hold_by_time" in plan


def test_alerts_of_the_beat_ask_a_fixed_number_of_times(many: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        periodic_alerts_raise(now=at(date(2026, 3, 20), 23))
    assert len(queries) == 15
