"""What is counted of query plans for staff."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db import connection
from pydantic import Field

from core.contracts import Contract

DECILES = 10


class Count(NamedTuple):
    """The number of plans, and of those that were corrected."""

    plans: int
    corrected: int

    @property
    def share(self) -> float | None:
        """The share that was corrected; None of nothing."""
        return self.corrected / self.plans if self.plans else None


NOTHING = Count(0, 0)


class Decile(NamedTuple):
    """Plans whose probability lies in the same tenth; `mean` is its mean among them, 0 to 1."""

    number: int
    mean: float
    tally: Count


class Made(NamedTuple):
    """Plans by pack and phase."""

    pack: str
    phase: int
    tally: Count


class ConsultFigures(Contract):
    """Figures of the first plans of questions; plans that correct another are not the router's.

    A plan counts as corrected when the latest correction of the question names another domain than the plan's first
    one. Dates are those on which a period begins.
    """

    together: Count = NOTHING
    by_confidence: Mapping[tuple[date, str], Count] = Field(
        default_factory=dict, description="by period and confidence"
    )
    by_domain: Mapping[tuple[date, str], Count] = Field(default_factory=dict, description="by period and first domain")
    by_flag: Mapping[str, int] = Field(default_factory=dict)
    confusion: Mapping[tuple[str, str], int] = Field(
        default_factory=dict, description="of corrected ones, by what they were understood as and are about"
    )
    deciles: tuple[Decile, ...] = ()
    made: tuple[Made, ...] = ()
    errors: Mapping[date, int] = Field(default_factory=dict, description="questions that could not be read, by period")
    waiting: int = Field(default=0, ge=0, description="labelled examples that wait for staff, whatever the days")
    broken: int = Field(default=0, ge=0, description="chains of audit entries that the last check found broken")

    @property
    def failed(self) -> int:
        """How many questions could not be read."""
        return sum(self.errors.values())

    def of_confidence(self, confidence: str) -> Count:
        """Of one confidence, whatever the period."""
        return _sum(count for (_start, key), count in self.by_confidence.items() if key == confidence)

    def of_domain(self, domain: str) -> Count:
        """Of one first domain, whatever the period."""
        return _sum(count for (_start, key), count in self.by_domain.items() if key == domain)

    def at(self, start: date) -> Count:
        """Of one period."""
        return _sum(count for (begins, _key), count in self.by_confidence.items() if begins == start)


def _sum(counts: Iterable[Count]) -> Count:
    plans, corrected = (sum(column) for column in zip(NOTHING, *counts, strict=True))
    return Count(plans, corrected)


UNITS = ("day", "week", "month")

# One pass over the plans of the range, by the index `query_plan_by_time`: what is kept of each is a few words, so that
# the groups below are made of those and not of the rows, of which plan and reading are most. Of a question there is one
# labelled example at most, with the last thing that somebody said; they are few among many.
_PLANS = """
WITH asked AS MATERIALIZED (
    SELECT date_trunc(%(unit)s, plan.created_at AT TIME ZONE 'UTC')::date AS start, plan.confidence,
           plan.domains[1] AS domain, said.domain AS about, plan.flags, plan.pack_id, plan.phase, plan.probability,
           least(floor(plan.probability * %(deciles)s), %(deciles)s - 1)::int AS decile
    FROM routing_queryplan AS plan
    LEFT JOIN routing_labelledexample AS said
        ON said.question_id = plan.question_id AND said.domain <> plan.domains[1]
    WHERE plan.corrects_id IS NULL AND plan.created_at >= %(since)s AND plan.created_at < %(until)s
), grouped AS (
    SELECT CASE
               WHEN GROUPING(confidence) = 0 THEN 'confidence' WHEN GROUPING(about) = 0 THEN 'confusion'
               WHEN GROUPING(start) = 0 THEN 'domain' WHEN GROUPING(decile) = 0 THEN 'decile'
               WHEN GROUPING(pack_id) = 0 THEN 'made' ELSE 'together'
           END AS kind,
           start, coalesce(confidence, domain) AS key, about, coalesce(decile, phase) AS number, pack_id,
           count(*) AS plans, count(about) AS corrected, avg(probability) AS said
    FROM asked
    GROUP BY GROUPING SETS ((start, confidence), (start, domain), (domain, about), (decile), (pack_id, phase), ())
)
SELECT kind, start, key, about, number, NULL, plans, corrected, said
FROM grouped WHERE kind NOT IN ('made', 'confusion') OR (kind = 'confusion' AND about IS NOT NULL)
UNION ALL
SELECT kind, NULL, NULL, NULL, number, pack.name || '@' || pack.version, plans, corrected, NULL
FROM grouped JOIN routing_packversion AS pack ON pack.id = grouped.pack_id WHERE kind = 'made'
UNION ALL
SELECT 'flag', NULL, flag, NULL, NULL, NULL, count(*), 0, NULL FROM asked, unnest(asked.flags) AS flag GROUP BY flag
"""
_BESIDE = """
SELECT 'error', date_trunc(%(unit)s, timestamp AT TIME ZONE 'UTC')::date, count(*) FROM routing_auditentry
WHERE status = 'error' AND timestamp >= %(since)s AND timestamp < %(until)s GROUP BY 2
UNION ALL
SELECT 'waiting', NULL, count(*) FROM routing_labelledexample WHERE state = 'waits'
UNION ALL
SELECT 'broken', NULL, count(*) FROM routing_auditchain WHERE broken_at IS NOT NULL
"""
_Row = tuple[Any, ...]


def consult_figures(since: datetime, until: datetime, *, unit: str = "day") -> ConsultFigures:
    """The figures of questions asked from `since` on and before `until`. Two queries."""
    if unit not in UNITS:
        raise ValueError(f"no unit of time: {unit!r}")
    values = {"since": since, "until": until, "unit": unit, "deciles": DECILES}
    rows = _rows(_PLANS, values)
    beside = _rows(_BESIDE, values)
    return ConsultFigures(
        together=next((Count(*row[6:8]) for row in _of(rows, "together")), NOTHING),
        by_confidence={(row[1], row[2]): Count(*row[6:8]) for row in _of(rows, "confidence")},
        by_domain={(row[1], row[2]): Count(*row[6:8]) for row in _of(rows, "domain")},
        by_flag={row[2]: row[6] for row in _of(rows, "flag")},
        confusion={(row[2], row[3]): row[6] for row in _of(rows, "confusion")},
        deciles=tuple(sorted(Decile(row[4], float(row[8]), Count(*row[6:8])) for row in _of(rows, "decile"))),
        made=tuple(sorted(Made(row[5], row[4], Count(*row[6:8])) for row in _of(rows, "made"))),
        errors={row[1]: row[2] for row in _of(beside, "error")},
        waiting=sum(row[2] for row in _of(beside, "waiting")),
        broken=sum(row[2] for row in _of(beside, "broken")),
    )


def _of(rows: Iterable[_Row], kind: str) -> list[_Row]:
    return [row for row in rows if row[0] == kind]


def _rows(sql: str, values: dict[str, Any]) -> list[_Row]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
