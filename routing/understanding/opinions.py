"""The opinion of a language model on a message that the router is unsure of: one more signal. Source: issue 8.

An answer of a model becomes the key of a domain of the pack, or nothing. Warnings are kept for good, so they hold no
words of the message or the model.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import structlog
from asgiref.sync import async_to_sync

from core.contracts import Contract
from gateway.client.passed_models import NoSense, PassedModel, json_said, passed_complete
from gateway.errors import MetacognitionTimeoutError
from gateway.operations.deadlines import aoperation_run
from gateway.operations.registry import Operation
from routing.packs.pack import Pack
from routing.understanding.opinion_prompts import NONE, prompt_of
from routing.understanding.phrases import LAB

_log = structlog.get_logger(__name__)

OPERATION: Final = Operation("route_question", target_ms=2000, timeout_ms=5000, cap=1_000_000, degrades=False)
"""As long as making a plan may take (RT-009), and at most one cent a question."""
_NAME_AT_MOST: Final = 120

NAMED_NONE: Final = "A model was asked, and it named no domain."
NO_SENSE: Final = "A model was asked, and its answer made no sense."
TOO_LATE: Final = "A model was asked, and it did not answer in time."


class Opinion(Contract):
    """The domain that a model named; None where it named none or could not be asked, with `warnings`.

    `model` is the model that answered, empty for none.
    """

    domain: str | None = None
    model: str = ""
    warnings: tuple[str, ...] = ()


OpinionAsked = Callable[[str, Pack], Opinion]
"""Asked with the text of a `Question`, which is bounded."""


def keys_offered(pack: Pack) -> tuple[str, ...]:
    """The domains that a model may name. The laboratory is not among them: no model opens it."""
    return tuple(key for key in pack.keys if key != LAB)


def opinion_of_passed(llm: PassedModel) -> OpinionAsked:
    """Asks a model that a caller passed in; its failure is a warning. It blocks: not for an event loop."""

    def asked(text: str, pack: Pack) -> Opinion:
        try:
            reply = async_to_sync(_reply_of_passed)(llm, prompt_of(text, pack, keys_offered(pack)))
        except MetacognitionTimeoutError:
            return Opinion(warnings=(TOO_LATE,))
        except NoSense:
            return Opinion(warnings=(NO_SENSE,))
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("a passed model gave no opinion", error=type(error).__name__)
            return Opinion(warnings=(failed(error),))
        return opinion_read(reply, pack, model=type(llm).__name__)

    return asked


async def _reply_of_passed(llm: PassedModel, prompt: str) -> str:
    async with aoperation_run(OPERATION.name):
        return await passed_complete(llm, prompt)


def opinion_read(reply: str, pack: Pack, *, model: str) -> Opinion:
    """The opinion in a model's reply: JSON with a domain, or the key of one and nothing else."""
    model = model[:_NAME_AT_MOST]
    try:
        named = _named(reply)
    except NoSense:
        return Opinion(model=model, warnings=(NO_SENSE,))
    if named == NONE:
        return Opinion(model=model, warnings=(NAMED_NONE,))
    domain = {key.casefold(): key for key in keys_offered(pack)}.get(named)
    return Opinion(domain=domain, model=model, warnings=() if domain else (NO_SENSE,))


def failed(error: BaseException) -> str:
    """The warning of an unforeseen fault, by its type alone."""
    return f"Asking a model went wrong: {type(error).__name__}."[:_NAME_AT_MOST]


def _named(reply: str) -> str:
    """The name in a reply. Raises `NoSense`."""
    if len(reply) < _NAME_AT_MOST and not any(sign in reply for sign in "{["):
        return reply.strip(" \t\r\n.\"'`*").casefold()
    value: Any = json_said(reply)
    named = value.get("domain") if isinstance(value, dict) else None
    if not isinstance(named, str):
        raise NoSense("a model named nothing")
    return named.strip().casefold()
