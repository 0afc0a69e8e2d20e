"""Figures over a hundred thousand reflections, with as many before them, are made in the database."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from reflection.board.figures import quality_by_day, quality_figures
from tests.reflection.reflections_made import plan_make

pytestmark = [pytest.mark.hard, pytest.mark.django_db]
SINCE = datetime(2026, 3, 2, tzinfo=UTC)
UNTIL = SINCE + timedelta(days=30)
REFLECTIONS = 100_000
# One every 25.92 seconds: a hundred thousand in thirty days, and as many before.
_ROWS = """
INSERT INTO evaluation_evaluation (id, plan_id, key, execution_result, success, verified, errors, warnings,
    relevancy_score, completeness_score, cost, created_at)
SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, %(plan)s, '', '{}', false, 1, '[]', '[]', 0, 0, 0,
    %(since)s + (n - 100000) * interval '25.92 seconds'
FROM generate_series(0, 199999) AS n;
INSERT INTO reflection_reflection (id, evaluation_id, task_type, language, is_first, decision, review, in_force,
    version, features, fallback, cost, created_at)
SELECT id, id, 'hotel', 'en', false,
    CASE WHEN n %% 30 = 0 THEN 'rejected' WHEN n %% 7 = 0 THEN 'accepted_with_warnings' ELSE 'accepted' END,
    '', false, 1, '[]', '', 0, created_at
FROM (SELECT id, created_at, row_number() OVER (ORDER BY created_at) AS n FROM evaluation_evaluation) AS made;
INSERT INTO reflection_attempt (reflection_id, number, author, model, analysis, patterns, adjustments, learning,
    decision, is_valid, quality_score, metrics, violations, created_at)
SELECT id, attempt, 'facts', '', repeat(md5(id::text) || ' ', 20),
    jsonb_build_array(jsonb_build_object('text', 'budget first ends badly', 'support', 3 + attempt, 'total', 6,
        'confidence', (3 + attempt) / 6.0, 'episodes', jsonb_build_array(id, id, id, id))),
    jsonb_build_array(jsonb_build_object('text', 'Add constraint: quality >= 7')), repeat(md5(id::text) || ' ', 3),
    decision, decision = 'accepted', 0.5 + attempt / 10.0,
    '{"completeness": 1.0, "depth_score": 0.8, "actionability_score": 1.0, "novelty_score": 0.5}', '[]', created_at
FROM reflection_reflection, generate_series(1, 2) AS attempt ORDER BY created_at, attempt;
ANALYZE;
UPDATE reflection_reflection AS reflection SET kept_id = attempt.id FROM reflection_attempt AS attempt
WHERE attempt.reflection_id = reflection.id AND attempt.number = 2;
"""


@pytest.fixture
def many(learner: User) -> None:
    plan = plan_make(learner)
    with connection.cursor() as cursor:
        for statement in _ROWS.strip().rstrip(";").split(";\n"):
            cursor.execute(statement, {"plan": plan.pk, "since": SINCE})
        cursor.execute("ANALYZE")


def test_figures_of_a_hundred_thousand_reflections(many: None) -> None:
    with CaptureQueriesContext(connection) as queries:
        figures, days = quality_figures(SINCE, UNTIL), quality_by_day(SINCE, UNTIL)
    assert len(queries) == 2
    assert figures.reflections == REFLECTIONS == sum(day.figures.reflections for day in days)
    assert figures["metacognition.improvement_loop.iterations_avg"] == 2
    assert len(days) == 30
