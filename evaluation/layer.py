"""A result held against its plan. Sources: RF-007, scenarios 6 to 10 and 15; design.md, "Settled", 6 to 8 and 10."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import Any, TypeVar

from asgiref.sync import async_to_sync, sync_to_async

from accounts.models import User
from evaluation.checking.check import ResultReading, criterion_check, evaluation_of, result_read
from evaluation.checking.evaluators.judged import Judge
from evaluation.checking.results import check_storable, result_json
from evaluation.contracts import CriterionResult, Evaluation, Reason, RelevanceScore
from evaluation.relevance import relevance_of, relevance_weighed
from evaluation.services import evaluation_store
from evaluation.services.experience import experience_of
from gateway.client.passed_models import PassedModel
from gateway.client.tiers import is_configured
from gateway.contracts import Payer, Tier
from gateway.operations.deadlines import acommit, aoperation_run
from gateway.operations.degradation import degradation_allows
from gateway.services import texts_embed_locally
from planning.contracts import Plan, SuccessCriterion
from planning.selectors import user_planned_for
from planning.services import chain_of

AGENT = "evaluator"
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="evaluation")
Answer = TypeVar("Answer")


@cache
def warm_up() -> None:
    """Load what evaluations need, once in a process: a second or two that no operation's time should pay for."""
    criterion_check(SuccessCriterion(text="Distance to the centre <= 2 km"), {"distance_to_centre": "900 m"})
    relevance_of("Book hotel in Paris", {"hotel": "Lutetia", "city": "Paris"})


async def _warm() -> None:
    if not warm_up.cache_info().currsize:
        await asyncio.get_running_loop().run_in_executor(_threads, warm_up)


class EvaluationLayer:
    """Evaluates results. `llm`: anything with `complete(prompt) -> str`, asked as a judge of criteria that the grammar
    does not understand; left out, the settings say whether there is one.
    """

    def __init__(self, llm: PassedModel | None = None) -> None:
        self._llm = llm

    def evaluate_result(
        self, plan: Plan, execution_result: object, *, key: str = "", latest: bool = False, by: str = ""
    ) -> Evaluation:
        """Check every criterion of the plan against the result, a mapping, a list or a plain object.

        That of a stored plan is stored, with a pending reflection where it failed; `key` names the event that the
        result is of, which is evaluated once. `latest`: what was said of this plan before counts no more, so that it is
        neither reflected on nor remembered. `by` names the app that evaluates; a plan may be one app's alone, and then
        `PlanReserved` is raised. Raises `MetacognitionTimeoutError` after 2 s, when nothing is stored, and
        `ResultRefused` for a result that is too large or too deep.
        """
        return async_to_sync(self.aevaluate_result)(plan, execution_result, key=key, latest=latest, by=by)

    async def aevaluate_result(
        self, plan: Plan, execution_result: object, *, key: str = "", latest: bool = False, by: str = ""
    ) -> Evaluation:
        """`evaluate_result`, awaited."""
        await _warm()
        async with aoperation_run("evaluate_result") as under_way:
            result = result_json(execution_result)
            user = await sync_to_async(_user_of, thread_sensitive=True)(plan)
            under_way.user_id = user.pk if user else None
            judge = await self._judge(plan, user)
            reading = await _apart(result_read, execution_result)
            checks, relevance = await asyncio.gather(
                self._checked(plan, reading, result, judge), self._relevance(plan.task, reading)
            )
            storable = [check_storable(check) for check in checks]
            evaluation = evaluation_of(storable, relevance_weighed(relevance, storable))
            if judge is not None:
                evaluation = evaluation.model_copy(update={"cost_microcents": judge.cost})
            if plan.id is None:
                return evaluation

            def store() -> Evaluation:
                under_way.check()
                assert plan.id is not None
                experience = experience_of(plan, evaluation) if evaluation.success else ""
                texts_embed_locally([experience])  # now, and remembered: not with the transaction open
                return evaluation_store(
                    plan_id=plan.id,
                    evaluation=evaluation,
                    execution_result=result,
                    key=key,
                    latest=latest,
                    by=by,
                    experience=experience,
                    check=under_way.check,
                )

            return await acommit(under_way, store)

    def check_criterion(self, criterion: str | SuccessCriterion, execution_result: object) -> CriterionResult:
        """One criterion against the result; nothing is stored."""
        return async_to_sync(self.acheck_criterion)(criterion, execution_result)

    async def acheck_criterion(self, criterion: str | SuccessCriterion, execution_result: object) -> CriterionResult:
        """`check_criterion`, awaited."""
        await _warm()
        async with aoperation_run("check_criteria"):
            understood = criterion if isinstance(criterion, SuccessCriterion) else SuccessCriterion(text=criterion)
            plan = Plan(task=understood.text, success_criteria=[understood])
            judge = await self._judge(plan, None)
            return await _check(understood, result_read(execution_result), result_json(execution_result), judge)

    def assess_relevance(self, task: str, execution_result: object) -> RelevanceScore:
        """How relevant the result is to the task, 0 to 1, with its parts; nothing is stored."""
        return async_to_sync(self.aassess_relevance)(task, execution_result)

    async def aassess_relevance(self, task: str, execution_result: object) -> RelevanceScore:
        """`assess_relevance`, awaited."""
        await _warm()
        return await self._relevance(task, execution_result)

    async def _checked(
        self, plan: Plan, reading: ResultReading, result: Any, judge: Judge | None
    ) -> list[CriterionResult]:
        """All criteria at once."""
        async with aoperation_run("check_criteria"):
            checks = (_check(criterion, reading, result, judge) for criterion in plan.success_criteria)
            return list(await asyncio.gather(*checks))

    async def _relevance(self, task: str, execution_result: object) -> RelevanceScore:
        """In a thread: it computes, and must not keep judges from being asked."""
        async with aoperation_run("assess_relevance"):
            return await _apart(relevance_of, task, execution_result)

    async def _judge(self, plan: Plan, user: User | None) -> Judge | None:
        """A judge, where a criterion wants one and one may be asked."""
        if all(criterion.parse is not None for criterion in plan.success_criteria):
            return None
        if self._llm is None and not is_configured(Tier.CHEAP):
            return None
        return await sync_to_async(self._judge_of, thread_sensitive=True)(plan, user)

    def _judge_of(self, plan: Plan, user: User | None) -> Judge | None:
        if self._llm is not None:
            return Judge(self._llm, Payer(chain="passed", agent=AGENT))
        if not degradation_allows("evaluation", user_id=user.pk if user else None):
            return None
        chain = chain_of(plan.id) if plan.id else "evaluation"
        return Judge(None, Payer.of(user, chain=chain, agent=AGENT))


def _user_of(plan: Plan) -> User | None:
    """For whom a plan is that is stored; None for any other."""
    return user_planned_for(plan.id) if plan.id else None


async def _apart(work: Callable[..., Answer], *arguments: object) -> Answer:
    """In a thread: it computes, and neither judges nor the limit of time may have to wait for it."""
    return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, work, *arguments)


async def _check(
    criterion: SuccessCriterion, reading: ResultReading, result: Any, judge: Judge | None
) -> CriterionResult:
    """One criterion; a judge is asked where only a judge could say."""
    checked = await _apart(criterion_check, criterion, reading)
    if judge is None or checked.reason != Reason.NOT_UNDERSTOOD:
        return checked
    return await judge.judged(checked, result)
