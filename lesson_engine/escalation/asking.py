"""Asking the thinker about one answer. Whatever goes wrong leaves the rules' verdict. No transaction may be open."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import structlog

from gateway.client import Model, Structured
from gateway.client.tiers import is_configured, model_of
from gateway.contracts import Outcome as CallOutcome
from gateway.contracts import Payer, Tier
from gateway.errors import (
    EscalationRefused,
    MetacognitionCostExceeded,
    MetacognitionTimeoutError,
    ModelUnavailable,
    SchemaNotMet,
)
from gateway.models import Hold
from gateway.operations.deadlines import operation_run
from gateway.operations.registry import Operation
from lesson_engine.contracts import Ask, Reply, Verdict, VerdictResult
from lesson_engine.escalation.crosscheck import Agreement, crosscheck
from lesson_engine.escalation.prompts import Confidence, Opinion, opinion_messages

_log = structlog.get_logger(__name__)

OPERATION = Operation("escalate_grade", target_ms=3000, timeout_ms=10_000, degrades=False)
MOST_TOKENS = 600
"""Of an answer: a few words, and what a model may think before it says them."""
Outcome = Agreement | Literal["refused_budget", "refused_escalations", "unavailable", "timed_out", "schema_not_met"]
_REFUSED = ("refused_budget", "refused_escalations")
WhoPays = Callable[[], Payer]


@dataclass(frozen=True)
class Escalation:
    """What came of wanting a second opinion. `before` is the rules' verdict, `cost` what was charged, in micro-cents.

    `asked`: a request was made. Both are None where the ledger could not be read. `opinion` and `confidence` are None
    where no opinion came.
    """

    outcome: Outcome
    before: Verdict
    after: VerdictResult
    model: str
    asked: bool | None
    cost: int | None = 0
    opinion: VerdictResult | None = None
    confidence: Confidence | None = None
    tricks: bool = False

    @property
    def refused(self) -> bool:
        """Whether an account did not allow it, so that no model was asked."""
        return self.outcome in _REFUSED and not self.asked


class Escalated(NamedTuple):
    """The verdict that counts, and how it came about."""

    verdict: Verdict
    escalation: Escalation


def escalation_due(ask: Ask, verdict: Verdict) -> bool:
    """Whether the grader is unsure of an answer in the learner's own words, and a thinker is configured."""
    in_words = ask.answer.kind in ("open", "definition")
    unsure = verdict.doubtful and not verdict.no_attempt and verdict.result is not VerdictResult.NOT_GRADABLE
    return unsure and in_words and is_configured(Tier.THINKER)


def second_opinion(ask: Ask, reply: Reply, verdict: Verdict, *, language: str, who_pays: WhoPays) -> Escalated:
    """Ask the thinker once and hold its opinion against the verdict; nothing is raised.

    Whether the account is willing is the ledger's word. `language` is the lesson's.
    """
    payer = None
    try:
        payer = who_pays()
        reply_of_model = _asked(ask, reply, verdict, language, payer)
        checked = crosscheck(ask, verdict, reply_of_model.value, model=reply_of_model.model)
    except Exception as error:
        outcome = _outcome_of(error)
        if outcome is None:
            _log.exception("asking for a second opinion failed", ask=ask.code)
        return _without(verdict, outcome or "unavailable", payer)
    opinion = reply_of_model.value
    escalation = Escalation(
        outcome=checked.agreement,
        before=verdict,
        after=checked.verdict.result,
        model=reply_of_model.model,
        asked=True,
        cost=sum(call.cost for call in reply_of_model.settled),
        opinion=VerdictResult(opinion.verdict),
        confidence=opinion.confidence,
        tricks=opinion.tricks,
    )
    return Escalated(checked.verdict, escalation)


def _asked(ask: Ask, reply: Reply, verdict: Verdict, language: str, payer: Payer) -> Structured[Opinion]:
    messages = opinion_messages(ask, reply.text, verdict, language=language)
    with operation_run(OPERATION.name, user_id=payer.user_id):
        thinker = Model(
            Tier.THINKER,
            payer=payer,
            operation=OPERATION.name,
            max_tokens=MOST_TOKENS,
            escalation=True,
            fallback=False,
        )
        return thinker.structured(messages, Opinion)


def _outcome_of(error: Exception) -> Outcome | None:
    """What an error of the gateway means; None for any other."""
    match error:
        case EscalationRefused():
            return "refused_escalations"
        case MetacognitionCostExceeded():
            return "refused_budget"
        case MetacognitionTimeoutError():
            return "timed_out"
        case SchemaNotMet():
            return "schema_not_met"
        case ModelUnavailable():
            return "unavailable"
    return None


def _without(verdict: Verdict, outcome: Outcome, payer: Payer | None) -> Escalated:
    requests = _requests(payer) if payer is not None else []
    if requests and outcome in _REFUSED:  # the account bore the first request, and not the one after it
        outcome = "schema_not_met" if any(request.answered for request in requests) else "unavailable"
    escalation = Escalation(
        outcome=outcome,
        before=verdict,
        after=verdict.result,
        model=model_of(Tier.THINKER),
        asked=None if requests is None else bool(requests),
        cost=None if requests is None else sum(request.cost for request in requests),
    )
    return Escalated(verdict, escalation)


class _Request(NamedTuple):
    answered: bool
    cost: int


def _requests(payer: Payer) -> list[_Request] | None:
    """The requests that brought no usable opinion, as the ledger wrote them down: one query. None where that fails."""
    made = (Hold.State.DISPATCHED, Hold.State.SETTLED)
    mine = Hold.objects.filter(chain=payer.chain, subject=payer.subject, operation=OPERATION.name, state__in=made)
    try:
        rows = list(mine.values_list("outcome", "cost"))
    except Exception:
        _log.exception("what a second opinion cost could not be read", chain=payer.chain, subject=payer.subject)
        return None
    return [_Request(outcome == CallOutcome.ANSWERED, cost or 0) for outcome, cost in rows]
