"""What other layers hand to telemetry and get from it. Events keep the documented form of spec/3, "Formato JSONL"."""

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, Field

from core.contracts import Contract
from telemetry.contracts.hashing import data_normalise

NAME_LENGTH = 64
# Who exported what, whose tokens were ended all at once, and anchors with what an operator signed. All other chains are
# sessions' ids, "lesson:" and a slug, or "gateway": prices, alerts, breakers.
EXPORTS_CHAIN, ACCOUNTS_CHAIN, AUDIT_CHAIN = "exports", "accounts", "audit"


class EventName(StrEnum):
    """Known events. Those of spec/3 do not change; others may join, and an `EventDraft` takes any name of the form."""

    TURN_START = "engine.turn.start"
    EVALUATION_RESULT = "evaluation.result"
    ESCALATION_TRIGGERED = "escalation.triggered"
    ADAPTATION_PLANNED = "adaptation.planned"
    BUDGET_USAGE = "budget.usage"
    ADVANCEMENT_ACCEPT = "advancement.accept"
    ADVANCEMENT_REJECT = "advancement.reject"
    SESSION_STARTED = "session.started"
    SESSION_FINISHED = "session.finished"
    MODE_CHANGED = "mode.changed"
    HINT_SHOWN = "hint.shown"
    STEP_SHOWN = "step.shown"
    QUESTION_REPORTED = "question.reported"
    QUESTION_VOIDED = "question.voided"
    VERDICT_REVIEWED = "verdict.reviewed"
    RESULT_RESCORED = "result.rescored"
    LESSON_UPLOADED = "lesson.uploaded"
    LESSON_PUBLISHED = "lesson.published"
    LESSON_RETIRED = "lesson.retired"
    TELEMETRY_EXPORTED = "telemetry.exported"
    AUDIT_ANCHORED = "audit.anchored"
    AUDIT_SIGNED = "audit.signed"
    BUDGET_ADJUSTED = "budget.adjusted"
    CHARGE_CORRECTED = "charge.corrected"
    PRICE_SET = "price.set"
    ALERT_RAISED = "alert.raised"
    BREAKER_CHANGED = "breaker.changed"
    DEGRADATION_CHANGED = "degradation.changed"
    OPERATION_TIMED_OUT = "operation.timed_out"
    OPERATION_REFUSED = "operation.refused"
    QUOTA_EXCEEDED = "quota.exceeded"
    PLAN_CREATED = "plan.created"
    PLAN_DISCARDED = "plan.discarded"
    PLAN_QUARANTINED = "plan.quarantined"
    PLAN_EVICTED = "plan.evicted"
    PLAN_EVALUATED = "plan.evaluated"
    REFLECTION_MADE = "reflection.made"
    REFLECTION_REVIEWED = "reflection.reviewed"
    REFLECTION_ABANDONED = "reflection.abandoned"
    PATTERN_CHANGED = "pattern.changed"
    ANALYSIS_ANSWERED = "analysis.answered"
    ANALYSIS_RATED = "analysis.rated"
    ANALYSIS_REFUSED = "analysis.refused"
    QUERY_PLANNED = "query.planned"
    QUERY_CORRECTED = "query.corrected"
    QUERY_FAILED = "query.failed"
    QUERY_MOVED = "query.moved"
    LEARNER_ERASED = "learner.erased"
    TOKENS_REVOKED = "tokens.revoked"


class EventLevel(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class EventDraft(Contract):
    """An event before it has its place in a chain. `data` comes out as PostgreSQL gives it back."""

    event: str = Field(pattern=r"^[a-z]+(\.[a-z_]+)+$", max_length=NAME_LENGTH)
    level: EventLevel = EventLevel.INFO
    data: Annotated[dict[str, Any], AfterValidator(data_normalise)] = Field(default_factory=dict)


class EventRecord(Contract):
    """An event in its chain: `seq` counts from 1 without gaps; `timestamp` is exact to the millisecond."""

    timestamp: AwareDatetime
    level: EventLevel
    event: str
    session_id: str = Field(alias="sessionId")
    data: dict[str, Any]
    seq: int
    course: str
    mode: str

    def as_jsonl(self) -> dict[str, Any]:
        """The documented keys in the documented order, and no other.

        The time is UTC with `Z`: `2024-01-01T12:00:00Z`, or `2024-01-01T12:00:00.250Z` when it is not a whole second.
        """
        return {
            "timestamp": timestamp_jsonl(self.timestamp),
            "level": self.level.value,
            "event": self.event,
            "sessionId": self.session_id,
            "data": self.data,
        }

    def as_line(self) -> str:
        """`as_jsonl` as one line without its end, in ASCII: no terminal, encoding or line splitter can break it."""
        return json.dumps(self.as_jsonl(), separators=(",", ":"))


class FaultKind(StrEnum):
    """What can be wrong with a chain at the first place where it breaks."""

    ALTERED = "altered"
    GAP = "gap"
    WRONG_PREVIOUS = "wrong_previous"
    TRUNCATED = "truncated"
    WRONG_HEAD = "wrong_head"
    ORPHANED = "orphaned"
    FORGED = "forged"
    UNKNOWN_KEY = "unknown_key"
    UNSIGNED = "unsigned"


class ChainFault(Contract):
    """The first broken place of a chain; `row_id` is None where the row that should be there is missing."""

    kind: FaultKind
    seq: int
    row_id: int | UUID | None
    detail: str


class ChainCheck(Contract):
    """The outcome for one chain; `length` is what its head said when it was read, `fault` None when all of it holds.

    `table` is the name of the chained table, such as "event".
    """

    table: str
    chain: str
    length: int
    fault: ChainFault | None = None


def timestamp_jsonl(moment: datetime) -> str:
    """An aware time in the documented form; milliseconds only when there are some, anything finer is cut off."""
    utc = moment.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds" if utc.microsecond >= 1000 else "seconds") + "Z"
