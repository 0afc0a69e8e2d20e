"""A reflection that a model writes: a passed one, or ours at the cost of who pays. Sources: RT-010, 7; RT-009.

What it says is held against the failure before it is followed. A reply that was paid for is kept for a while, so that
a worker who takes over after another one died does not pay for it again.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.db.models import Sum
from django.utils import timezone

from gateway.contracts import Payer, Tier
from gateway.door import Message, Model
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.models import Hold
from gateway.passed_models import NoSense, PassedModel, passed_complete
from gateway.tiers import model_of
from reflection.attempts import AttemptMade
from reflection.contracts import PatternFound, Reflection
from reflection.failure import Failure
from reflection.models import CachedWork
from reflection.prompts import messages_of, prompt_of
from reflection.said import reflection_about, reflection_said, said_faults
from reflection.services.caching import cached_get, cached_put

OPERATION, MOST_TOKENS = "reflect_on_result", 450
_log = structlog.get_logger(__name__)
Found = TypeVar("Found")


class ModelWriter:
    """Writes attempts at a reflection on one failure. `model` is who wrote the last one, `cost` micro-cents so far."""

    def __init__(
        self, llm: PassedModel | None, failure: Failure, patterns: Sequence[PatternFound], payer: Payer
    ) -> None:
        self._llm, self._failure, self._patterns, self._payer = llm, failure, tuple(patterns), payer
        self._refused = ""
        self.model = "" if llm is None else type(llm).__name__
        self.cost = 0

    async def write(self, number: int, before: AttemptMade | None) -> Reflection:
        """Attempt `number`, from 1, told what of the one `before` fell short.

        Raises `NoSense` for what is no reflection or does not hold against the failure, `ModelUnavailable`,
        `MetacognitionCostExceeded` and `MetacognitionTimeoutError`.
        """
        text = await (self._asked_ours(number, before) if self._llm is None else self._asked_passed(number, before))
        try:
            said = reflection_said(text)
            if faults := said_faults(said, self._failure):
                raise NoSense("; ".join(faults))
        except NoSense as error:
            self._refused = str(error)
            raise
        self._refused = ""
        return reflection_about(said, self._failure)

    async def _asked_passed(self, number: int, before: AttemptMade | None) -> str:
        assert self._llm is not None
        prompt = prompt_of(self._failure, self._patterns, number, before, self._refused)
        try:
            return await passed_complete(self._llm, prompt)
        except (MetacognitionTimeoutError, MetacognitionCostExceeded, ModelUnavailable, NoSense):
            raise
        except Exception as error:
            raise ModelUnavailable(f"A passed model failed: {type(error).__name__}") from error

    async def _asked_ours(self, number: int, before: AttemptMade | None) -> str:
        messages = messages_of(self._failure, self._patterns, number, before, self._refused)
        self.model = model_of(Tier.CHEAP)
        key = self._key(messages)
        kept = await _here(cached_get, CachedWork.Kind.REFLECTION, key)
        if isinstance(kept, dict) and isinstance(kept.get("text"), str):
            self.model = str(kept.get("model") or self.model)
            return str(kept["text"])
        text = await self._paid_for(messages)
        try:
            await _here(self._keep, key, {"text": text, "model": self.model})
        except Exception:
            _log.exception("a reply was not kept; should this be done again, it is paid for again")
        return text

    async def _paid_for(self, messages: Sequence[Message]) -> str:
        model = Model(Tier.CHEAP, payer=self._payer, operation=OPERATION, max_tokens=MOST_TOKENS)
        began = timezone.now()
        try:
            reply = await model.areply(messages)
        except (ModelUnavailable, MetacognitionCostExceeded):
            self.cost += await _here(self._cost_since, began)
            raise
        self.model = reply.model
        self.cost += sum(one.cost for one in reply.settled)
        return reply.text

    def _keep(self, key: str, value: dict[str, str]) -> None:
        owner, user_id = self._owner, self._payer.user_id
        cached_put(CachedWork.Kind.REFLECTION, owner, key, value, timezone.now(), user_id=user_id)

    def _cost_since(self, began: Any) -> int:
        """What requests came to that brought nothing."""
        holds = Hold.objects.filter(chain=self._payer.chain, operation=OPERATION, reserved_at__gte=began)
        return holds.aggregate(cost=Sum("cost"))["cost"] or 0

    @property
    def _owner(self) -> str:
        return str(self._payer.user_id or self._failure.plan.user_id or "")

    def _key(self, messages: Sequence[Message]) -> str:
        """Of all that a reply follows from, and of whose it is."""
        said = [self._owner, self.model, MOST_TOKENS, *(message.content for message in messages)]
        return hashlib.sha256(json.dumps(said).encode()).hexdigest()


async def _here(work: Callable[..., Found], *arguments: Any) -> Found:
    """In the caller's thread, which has its connection."""
    return await sync_to_async(work, thread_sensitive=True)(*arguments)
