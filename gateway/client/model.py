"""A model of a tier, asked at the cost of a payer."""

from collections.abc import AsyncIterator, Iterator, Sequence
from functools import partial
from typing import Any

from gateway.client import chats, steps, vectors
from gateway.client.call import Call
from gateway.client.values import Message, Reply, Shape, Structured
from gateway.contracts import Payer, Tier, Vectors
from gateway.operations.deadlines import run_within, running
from gateway.operations.registry import operation_named

_TIMEOUT_MS = 20_000


class Model:
    """A language model of a tier, for one operation and who pays for it; nothing is asked before it is called.

    `max_tokens` bounds each answer, reasoning included. `timeout_ms` is over all tries; that of the operation under way
    (`deadlines.operation_run`) bounds it too, and so does what the operation may cost. `escalation` counts the call in
    the session. With `fallback` another model may answer, never a dearer one.

    What to expect of every method: `MetacognitionCostExceeded` and those below it, `MetacognitionTimeoutError`,
    `ModelUnavailable` and those below it. `AccountMissing`, `TransactionOpen` and errors of the database are faults.
    """

    def __init__(
        self,
        tier: Tier,
        *,
        payer: Payer,
        operation: str,
        max_tokens: int = 400,
        timeout_ms: int = _TIMEOUT_MS,
        escalation: bool = False,
        fallback: bool = True,
    ) -> None:
        if tier == Tier.EMBED:
            raise ValueError("an embedder says nothing: texts_embed asks it")
        options: dict[str, Any] = {"escalation": escalation, "fallback": fallback, "max_tokens": max_tokens}
        self._call = partial(_call, tier, payer, operation, timeout_ms, **options)

    def complete(self, prompt: str) -> str:
        """The answer to one message."""
        return self.reply([Message(content=prompt)]).text

    async def acomplete(self, prompt: str) -> str:
        """`complete`, awaited."""
        return (await self.areply([Message(content=prompt)])).text

    def reply(self, messages: Sequence[Message]) -> Reply:
        """The answer to a conversation, with what it cost."""
        return steps.run(chats.replied(self._call(), messages))

    async def areply(self, messages: Sequence[Message]) -> Reply:
        """`reply`, awaited; cancelled, it cancels the request."""
        return await steps.arun(chats.replied(self._call(), messages))

    def structured(self, messages: Sequence[Message], schema: type[Shape]) -> Structured[Shape]:
        """The answer as a value of a Pydantic model; raises `SchemaNotMet` when not even a repair brings one."""
        return steps.run(chats.structured(self._call(), messages, schema))

    async def astructured(self, messages: Sequence[Message], schema: type[Shape]) -> Structured[Shape]:
        """`structured`, awaited; cancelled, it cancels the request."""
        return await steps.arun(chats.structured(self._call(), messages, schema))

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """The answer in chunks. Closing the iterator early cancels the request."""
        return steps.iterate(chats.streamed(self._call(), messages))

    def astream(self, messages: Sequence[Message]) -> AsyncIterator[str]:
        """`stream` for an event loop."""
        return steps.aiterate(chats.streamed(self._call(), messages))


def texts_embed(texts: Sequence[str], *, payer: Payer, operation: str, timeout_ms: int = _TIMEOUT_MS) -> Vectors:
    """A vector of norm 1 for each text by `EMBED_MODEL`, charged; none at all for no texts. Raises as `Model`."""
    return steps.run(vectors.embedded(_call(Tier.EMBED, payer, operation, timeout_ms), texts))


async def atexts_embed(texts: Sequence[str], *, payer: Payer, operation: str, timeout_ms: int = _TIMEOUT_MS) -> Vectors:
    """`texts_embed`, awaited."""
    return await steps.arun(vectors.embedded(_call(Tier.EMBED, payer, operation, timeout_ms), texts))


def _call(tier: Tier, payer: Payer, operation: str, timeout_ms: int, **options: Any) -> Call:
    """A call within the operation under way, whose deadline and cap hold for it; else one of its own.

    Raises `KeyError` for an operation that is not registered.
    """
    own, outer = operation_named(operation), running()
    left = outer.left_ms if outer is not None else None
    seconds = (timeout_ms if left is None else min(timeout_ms, left)) / 1000
    run = outer.run if outer is not None and outer.operation == own else run_within(own, outer)
    return Call(tier, payer, run, seconds, **options)
