"""Lists of a hundred thousand rows cost as little as those of a few."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from core.admin import tools as admin_tools
from gateway.contracts import MICROCENTS
from gateway.ledger import settle
from gateway.models import Account, Alert, Entry, Price
from tests.gateway.admin_pages import change_url, listed
from tests.gateway.ledger_helpers import NOON, answered, lesson, lost, sent, session_account

# As they come about: one session after the other, each call with a session and one month that all share.
_ACCOUNTS = """
INSERT INTO gateway_account (scope, key, "limit", spent, spent_cheap, spent_embed, spent_thinker, held, thinker_floor,
                             economy_floor, escalations_limit, escalations_used, opened_at)
SELECT 'session', 'session-' || n, 100000000, n %% 1000 * 100000, n %% 1000 * 100000, 0, 0, (n %% 5000 = 0)::int,
       10000000, 5000000, 5, 0, now() - (%(rows)s - n) * interval '1 second' FROM generate_series(1, %(rows)s) AS n
"""
_HOLDS = """
INSERT INTO gateway_hold (id, state, tier, model, price_id, amount, cost, overrun, outcome, unverified, escalation,
    operation, call, attempt, agent, chain, course, mode, subject, prompt_digest, prompt_bytes, reply_digest,
    reply_bytes, reserved_at, dispatched_at, settled_at, expires_at)
SELECT gen_random_uuid(), CASE WHEN n %% 5000 = 0 THEN 'dispatched' ELSE 'settled' END,
       CASE WHEN n %% 20 = 0 THEN 'thinker' ELSE 'cheap' END, 'gpt-4o-mini', %(price)s, 1000000,
       CASE WHEN n %% 5000 = 0 THEN NULL ELSE 500000 END, 0, CASE WHEN n %% 1000 = 0 THEN 'cut' ELSE 'answered' END,
       n %% 1000 = 1, n %% 20 = 0, 'tutor_turn', gen_random_uuid(), 1, 'tutor', 'session-' || n %% 1000, 'light',
       'adaptive', '', repeat('d', 64), 900, repeat('d', 64), 90, now() - (%(rows)s - n) * interval '1 second',
       now(), CASE WHEN n %% 5000 = 0 THEN NULL ELSE now() END, now() FROM generate_series(1, %(rows)s) AS n
"""
_ENTRIES = """
INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason)
SELECT %(month)s, id, 'reserve', 0, -1, 1, 0, reserved_at, '' FROM gateway_hold ORDER BY reserved_at
"""
_TIMINGS = """
INSERT INTO gateway_operationtiming (operation, at, ms, target_ms, violated, outcome)
SELECT 'create_plan', now() - (%(rows)s - n) * interval '1 second', 3000, 2000, n %% 100 = 0, 'done'
FROM generate_series(1, %(rows)s) AS n
"""
_ALERTS = """
INSERT INTO gateway_alert (kind, key, details, raised_at)
SELECT 'budget_low', 'session-' || n, '{}', now() - (%(rows)s - n) * interval '1 second'
FROM generate_series(1, %(rows)s) AS n
"""
_PRICES = """
INSERT INTO gateway_price (tier, model, version, input, cached, output, reasoning, embedding, created_at, reason)
SELECT 'cheap', 'model-' || n / 100, n %% 100, n, 0, 0, 0, 0, now(), 'many' FROM generate_series(100, %(rows)s) AS n
"""
_BREAKERS = """
INSERT INTO gateway_breaker (model, failures, trips, last_failure, changed_at)
SELECT 'model-' || n, 1, 0, 'x', now() FROM generate_series(1, %(rows)s) AS n
"""


def many(rows: int) -> None:
    """So many of everything."""
    month = Account.objects.create(scope="agent_month", key="tutor:2025-01", limit=10**12, escalations_limit=0)
    price = Price.objects.get(model="gpt-4o-mini", version=1)
    with connection.cursor() as cursor:
        for statement in (_ACCOUNTS, _HOLDS, _ENTRIES, _TIMINGS, _ALERTS, _PRICES, _BREAKERS):
            cursor.execute(statement, {"rows": rows, "price": price.pk, "month": month.pk})
        cursor.execute("ANALYZE")


def plans(captured: CaptureQueriesContext) -> Iterator[str]:
    """How the database goes about each query that a page asked of the gateway's tables."""
    with connection.cursor() as cursor:
        for query in captured:
            if query["sql"].startswith("SELECT") and "gateway_" in query["sql"]:
                cursor.execute(f"EXPLAIN {query['sql']}")
                yield "\n".join(line for (line,) in cursor.fetchall())


# The browser's session and its user, the count, the rows; for prices nothing more as
# long as no model is set.
LISTS: list[tuple[str, dict[str, str], int]] = [
    ("account", {}, 4),
    ("account", {"q": "session-77"}, 4),
    ("hold", {}, 4),
    ("hold", {"unverified__exact": "1"}, 4),
    ("hold", {"state__exact": "dispatched"}, 4),
    ("hold", {"q": "session-77"}, 5),  # is it a model?
    ("entry", {}, 4),
    ("entry", {"q": "session-77"}, 5),  # which accounts have this key?
    ("entry", {"scope": "agent_month"}, 5),  # and which this scope?
    ("price", {}, 4),
    ("price", {"q": "model-77"}, 4),
    ("alert", {}, 4),
    ("breaker", {}, 4),
    ("operationtiming", {}, 4),
    ("operationtiming", {"violated__exact": "1"}, 4),
]


@pytest.mark.hard
def test_no_list_reads_or_sorts_a_hundred_thousand_rows(desk: Client) -> None:
    many(100_000)
    for model, query, queries in LISTS:
        listed(desk, model, **query)
        with CaptureQueriesContext(connection) as captured:
            response = desk.get(reverse(f"admin:gateway_{model}_changelist"), query)
        assert len(captured) == queries, (model, query, [one["sql"] for one in captured])
        for plan in plans(captured):
            bounded = "Limit" in plan and plan.startswith("Aggregate")  # the count, which ends at its bound
            assert bounded or f"Seq Scan on gateway_{model} " not in plan, (model, query, plan)
            assert "external" not in plan
        assert response.context["cl"].result_count <= admin_tools.ROWS_SHOWN
    assert "at most 10000 are listed" in desk.get(reverse("admin:gateway_hold_changelist")).context["title"]


@pytest.mark.parametrize("model", ["account", "hold", "entry", "price", "alert", "operationtiming"])
def test_a_list_takes_as_many_queries_for_many_rows_as_for_few(
    desk: Client, model: str, django_assert_num_queries: Any
) -> None:
    settle(sent(lesson()), answered(), now=NOON)
    listed(desk, model)
    with django_assert_num_queries(4):
        listed(desk, model)
    many(300)
    with django_assert_num_queries(4):
        assert len(listed(desk, model)) == 50


def test_models_without_a_price_take_one_query_more(
    desk: Client, settings: Settings, django_assert_num_queries: Any
) -> None:
    settings.MODELS_CONFIGURED, settings.EMBED_MODEL = True, "unknown"
    listed(desk, "price")
    with django_assert_num_queries(5):
        listed(desk, "price")


def test_pages_of_one_row_take_few_queries_among_many(desk: Client, django_assert_num_queries: Any) -> None:
    payer = lesson()
    call = sent(payer, 2 * MICROCENTS)
    settle(call, lost(), now=NOON)
    many(3_000)
    account = session_account()
    for url, queries in (
        # session, user, row; of an account its entries, of a call its entries and other attempts
        (change_url("account", account.pk), 4),
        (change_url("hold", call), 5),
        (change_url("entry", Entry.objects.filter(hold=call)[0].pk), 3),
        (change_url("alert", Alert.objects.all()[0].pk), 3),
        (reverse("admin:gateway_account_adjust", args=[account.pk]), 3),
        (reverse("admin:gateway_hold_correct", args=[call]), 3),
        (f"{reverse('admin:gateway_price_set')}?tier=cheap&model=gpt-4o-mini", 3),
    ):
        desk.get(url)
        with django_assert_num_queries(queries):
            assert desk.get(url).status_code == 200
