"""Metrics for programs: figures for a range of days."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from core.api.base import ApiView, InvalidRequest, operation
from core.contracts import Contract
from gateway.api.values import EXAMPLES
from gateway.figures.contracts import Days, Metrics
from gateway.figures.reading import figures_of

TAG = "Metrics"
DAYS_AT_FIRST = 30
DAYS_AT_MOST = 3660
_DAY_FORM = re.compile(r"[12]\d{3}-\d{2}-\d{2}", re.ASCII)


def _plain(value: Any) -> Any:
    # Pydantic would also take seconds since 1970.
    if isinstance(value, str) and not _DAY_FORM.fullmatch(value):
        raise ValueError("must be a day like 2026-01-31")
    return value


Day = Annotated[
    date,
    BeforeValidator(_plain),
    WithJsonSchema({"type": "string", "format": "date", "pattern": "^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$"}),
]


class MetricsQuery(Contract):
    """Which days to tell of; both count."""

    since: Day | None = Field(default=None, description="The first day, in UTC; left out, 29 days before the last one.")
    until: Day | None = Field(default=None, description="The last day, in UTC; left out, today.")

    @field_validator("until")
    @classmethod
    def _in_order(cls, until: date | None, info: ValidationInfo) -> date | None:
        since = info.data.get("since")
        if until is not None and since is not None:
            if since > until:
                raise ValueError("must not lie before since")
            if (until - since).days > DAYS_AT_MOST:
                raise ValueError("must not be more than ten years after since")
        return until


class MetricsView(ApiView):
    """What models cost and how long operations took."""

    required_scopes = {"GET": Scope.METRICS_READ}

    @operation(
        id="metrics_read",
        summary="Read metrics",
        tag=TAG,
        response=Metrics,
        query=MetricsQuery,
        example=EXAMPLES["metrics"],
    )
    def get(self, request: Request) -> Response:
        """Everything at once, for the days you name or the last thirty.

        A call to a model belongs to the day on which its money was set aside. Times of operations are kept for ninety
        days. It holds no names, words or sessions of learners.
        """
        return self.answer(Metrics.from_object(figures_of(_days(self.query(MetricsQuery)))))


def _days(query: MetricsQuery) -> Days:
    until = query.until or max(datetime.now(UTC).date(), query.since or date.min)
    since = query.since or until - timedelta(days=DAYS_AT_FIRST - 1)
    if (until - since).days > DAYS_AT_MOST:
        raise InvalidRequest("The query string does not fit this address.", [("/since", "must not be so long ago")])
    return Days(since=since, until=until)
