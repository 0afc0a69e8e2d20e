"""Language models that a caller passes in: anything with `complete(prompt) -> str`, perhaps with `acomplete`.

Source: design.md, "Names that stay put". They are neither paid nor stopped here; waiting for one
ends at the deadline of the operation under way, and a later reply is ignored.
"""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any, Protocol

_AT_ONCE = 32
_LONGEST, _TRIES = 100_000, 20
_threads = ThreadPoolExecutor(max_workers=_AT_ONCE, thread_name_prefix="passed-model")


class PassedModel(Protocol):
    """What a passed model must have; `acomplete`, where it is a coroutine, is preferred."""

    def complete(self, prompt: str, /) -> str: ...


class NoSense(ValueError):
    """What a model said is not of the form that was asked for."""


async def passed_complete(model: PassedModel, prompt: str) -> str:
    """What it says, not in the way of others who wait. Raises `NoSense` for what is no text, and whatever it raises."""
    acomplete = getattr(model, "acomplete", None)
    if asyncio.iscoroutinefunction(acomplete):
        reply: Any = await acomplete(prompt)
    else:
        loop = asyncio.get_running_loop()
        reply = await loop.run_in_executor(_threads, copy_context().run, _said, model, prompt)
    if not isinstance(reply, str):
        raise NoSense(f"a model said something of the type {type(reply).__name__}")
    return reply


def _said(model: PassedModel, prompt: str) -> Any:
    try:
        return model.complete(prompt)
    except StopIteration as end:  # which no future can carry: who awaits it would wait for ever
        raise NoSense("a model has nothing more to say") from end


def json_said(text: str) -> Any:
    """The first JSON object or list in a model's reply, also in a code fence or between words.

    Raises `NoSense`.
    """
    decoder = json.JSONDecoder()
    starts = [place for place, sign in enumerate(text[:_LONGEST]) if sign in "{["]
    for start in starts[:_TRIES]:
        try:
            return decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
    raise NoSense("a model said nothing that is JSON")
