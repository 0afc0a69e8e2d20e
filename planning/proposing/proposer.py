"""How to do a task: from the templates, or from a model whose proposal holds against the task."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog
from asgiref.sync import sync_to_async
from django.db.models import Sum

from gateway.client import Model
from gateway.client.passed_models import NoSense, PassedModel, passed_complete
from gateway.client.tiers import is_configured, model_of
from gateway.contracts import Payer, Tier
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.models import Hold
from gateway.operations.deadlines import aoperation_run
from gateway.operations.degradation import degradation_allows
from planning.contracts import DesiredResult, PlanSource, Step, SuccessCriterion
from planning.proposing.model import Proposal, criteria_proposed, messages_of, prompt_of, proposal_faults, proposal_said
from planning.templates import criteria_of, desired_result_of, steps_of
from planning.understanding.contracts import TaskReading

_log = structlog.get_logger(__name__)
AGENT = "planner"
MOST_TOKENS = 700
_FIXED = frozenset({"lesson"})
"""Task types whose steps are ours: no model is asked."""


@dataclass(frozen=True)
class Proposed:
    """Steps, result and criteria, from the templates or from `model`. `cost` in micro-cents; `fallback`: why a model
    that was asked was not followed.
    """

    steps: list[Step]
    desired_result: DesiredResult
    criteria: list[SuccessCriterion]
    source: PlanSource = PlanSource.TEMPLATE
    model: str | None = None
    cost: int = 0
    fallback: str | None = None


class Proposing:
    """Asks a passed model, or the cheap tier, or nobody."""

    def __init__(self, llm: PassedModel | None) -> None:
        self._llm = llm

    def asks_a_model(self, reading: TaskReading) -> bool:
        """Whether one may be asked how to do this."""
        return reading.task_type not in _FIXED and (self._llm is not None or is_configured(Tier.CHEAP))

    def name(self, reading: TaskReading) -> str:
        """Who says how to do this: plans of another are no plans of this one."""
        if not self.asks_a_model(reading):
            return "templates"
        return model_of(Tier.CHEAP) if self._llm is None else type(self._llm).__name__

    async def proposed(self, reading: TaskReading, known: Sequence[str], payer: Payer) -> Proposed:
        """A model's proposal where one is there, is allowed and makes sense, else the templates'.

        Raises `MetacognitionTimeoutError` alone: whatever else goes wrong with a model falls back.
        """
        async with aoperation_run("decompose_task"):
            templates = Proposed(steps_of(reading), desired_result_of(reading), criteria_of(reading, known))
            if not self.asks_a_model(reading):
                return templates
            if self._llm is not None:
                return await self._from_passed(self._llm, reading, known, templates)
            if not await sync_to_async(degradation_allows, thread_sensitive=True)("planning", user_id=payer.user_id):
                return replace(templates, fallback="degraded")
            proposed = await _from_ours(reading, known, payer, templates)
            return replace(proposed, cost=await sync_to_async(_cost_of, thread_sensitive=True)(payer.chain))

    async def _from_passed(
        self, llm: PassedModel, reading: TaskReading, known: Sequence[str], templates: Proposed
    ) -> Proposed:
        try:
            proposal = proposal_said(await passed_complete(llm, prompt_of(reading, known)))
        except MetacognitionTimeoutError:
            raise
        except Exception as error:
            _log.warning("a passed model was not followed", error=type(error).__name__)
            return replace(templates, fallback=_reason(error))
        return _followed(proposal, reading, known, templates, type(llm).__name__)


async def _from_ours(reading: TaskReading, known: Sequence[str], payer: Payer, templates: Proposed) -> Proposed:
    model = Model(Tier.CHEAP, payer=payer, operation="create_plan", max_tokens=MOST_TOKENS)
    try:
        answer = await model.areply(messages_of(reading, known))
        proposal = proposal_said(answer.text)
    except MetacognitionTimeoutError:
        raise
    except (ModelUnavailable, MetacognitionCostExceeded, NoSense) as error:
        return replace(templates, fallback=_reason(error))
    return _followed(proposal, reading, known, templates, answer.model)


def _cost_of(chain: str) -> int:
    """What was charged for calls of the plan, those that failed too."""
    return Hold.objects.filter(chain=chain).aggregate(cost=Sum("cost"))["cost"] or 0


def _followed(
    proposal: Proposal, reading: TaskReading, known: Sequence[str], templates: Proposed, model: str
) -> Proposed:
    """The model's proposal where it holds against the task, beside the criteria that the task and the user call for."""
    if faults := proposal_faults(proposal, reading, known):
        return replace(templates, fallback="; ".join(faults)[:300])
    taken = {criterion.normal for criterion in templates.criteria}
    more = [criterion for criterion in criteria_proposed(proposal, reading, known) if criterion.normal not in taken]
    desired = DesiredResult(
        user_has=proposal.user_has or templates.desired_result.user_has,
        system_shows=proposal.system_shows or templates.desired_result.system_shows,
    )
    return Proposed(proposal.as_steps(), desired, [*templates.criteria, *more], PlanSource.MODEL, model)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]
