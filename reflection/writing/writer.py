"""A reflection that a model writes: a passed one, or ours at the payer's cost. Sources: RT-010, 7; RT-009.

A reply is held against the failure before it is followed. One that was paid for is kept for a while: a worker that
takes over from one that died does not pay for it again.
"""

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.db.models import Sum
from django.utils import timezone

from gateway.client import Message, Model
from gateway.client.passed_models import NoSense, PassedModel, passed_complete
from gateway.client.tiers import model_of
from gateway.contracts import Payer, Tier
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.models import Hold
from reflection.contracts import PatternFound, Reflection
from reflection.contracts.failure import Failure
from reflection.models import CachedWork
from reflection.writing.attempts import AttemptMade
from reflection.writing.caching import cached_get, cached_put
from reflection.writing.grounding import grounding_faults
from reflection.writing.prompts import messages_of, prompt_of
from reflection.writing.reply_parsing import reflection_attributed, reflection_parse

OPERATION, MOST_TOKENS = "reflect_on_result", 450
_log = structlog.get_logger(__name__)
Result = TypeVar("Result")


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
        """Attempt `number`, from 1; the prompt names what fell short in the one `before`.

        Raises `NoSense` for a reply that is no reflection or is not grounded in the failure, `ModelUnavailable`,
        `MetacognitionCostExceeded` and `MetacognitionTimeoutError`.
        """
        text = await (self._ask_ours(number, before) if self._llm is None else self._ask_passed(number, before))
        try:
            written = reflection_parse(text)
            if faults := grounding_faults(written, self._failure):
                raise NoSense("; ".join(faults))
        except NoSense as error:
            self._refused = str(error)
            raise
        self._refused = ""
        return reflection_attributed(written, self._failure)

    async def _ask_passed(self, number: int, before: AttemptMade | None) -> str:
        assert self._llm is not None
        prompt = prompt_of(self._failure, self._patterns, number, before, self._refused)
        try:
            return await passed_complete(self._llm, prompt)
        except (MetacognitionTimeoutError, MetacognitionCostExceeded, ModelUnavailable, NoSense):
            raise
        except Exception as error:
            raise ModelUnavailable(f"A passed model failed: {type(error).__name__}") from error

    async def _ask_ours(self, number: int, before: AttemptMade | None) -> str:
        messages = messages_of(self._failure, self._patterns, number, before, self._refused)
        self.model = model_of(Tier.CHEAP)
        key = self._key(messages)
        kept = await in_caller_thread(cached_get, CachedWork.Kind.REFLECTION, key)
        if isinstance(kept, dict) and isinstance(kept.get("text"), str):
            self.model = str(kept.get("model") or self.model)
            return str(kept["text"])
        text = await self._paid_for(messages)
        try:
            value = {"text": text, "model": self.model}
            put = partial(cached_put, CachedWork.Kind.REFLECTION, self._owner, key, value, user_id=self._payer.user_id)
            await in_caller_thread(put)
        except Exception:
            _log.exception("a reply was not kept; should this be done again, it is paid for again")
        return text

    async def _paid_for(self, messages: Sequence[Message]) -> str:
        model = Model(Tier.CHEAP, payer=self._payer, operation=OPERATION, max_tokens=MOST_TOKENS)
        began = timezone.now()
        try:
            reply = await model.areply(messages)
        except (ModelUnavailable, MetacognitionCostExceeded):
            self.cost += await in_caller_thread(self._cost_since, began)
            raise
        self.model = reply.model
        self.cost += sum(hold.cost for hold in reply.settled)
        return reply.text

    def _cost_since(self, began: Any) -> int:
        """Micro-cents of the requests since that brought nothing."""
        holds = Hold.objects.filter(chain=self._payer.chain, operation=OPERATION, reserved_at__gte=began)
        return holds.aggregate(cost=Sum("cost"))["cost"] or 0

    @property
    def _owner(self) -> str:
        return str(self._payer.user_id or self._failure.plan.user_id or "")

    def _key(self, messages: Sequence[Message]) -> str:
        """Digest of the owner and all that a reply follows from."""
        basis = [self._owner, self.model, MOST_TOKENS, *(message.content for message in messages)]
        return hashlib.sha256(json.dumps(basis).encode()).hexdigest()


async def in_caller_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Run it in the caller's thread, which has its connection."""
    return await sync_to_async(work, thread_sensitive=True)(*arguments)
