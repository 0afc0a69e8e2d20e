"""What a language model says of a message that the router is unsure of: one more signal. Source: issue 8.

Whatever a model says, all that comes of it is the key of a domain of the pack, or nothing. Warnings are kept for good,
so they hold none of the message's words, nor any of the model's.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import structlog
from asgiref.sync import async_to_sync

from core.contracts import Contract
from gateway.deadlines import aoperation_run
from gateway.errors import MetacognitionTimeoutError
from gateway.operations import Operation
from gateway.passed_models import NoSense, PassedModel, json_said, passed_complete
from routing.lab import LAB
from routing.opinion_prompts import NONE, prompt_of
from routing.pack import Pack

_log = structlog.get_logger(__name__)

OPERATION: Final = Operation("route_question", target_ms=2000, timeout_ms=5000, cap=1_000_000, degrades=False)
"""As long as making a plan may take (RT-009), and at most one cent a question."""
_NAME_AT_MOST: Final = 120

NAMED_NONE: Final = "A model was asked, and it named no domain."
NO_SENSE: Final = "A model was asked, and its answer made no sense."
TOO_LATE: Final = "A model was asked, and it did not answer in time."


class Opinion(Contract):
    """The domain that a model named; None where it named none, or could not be asked, which `warnings` then say.

    `model` is who answered, empty where nobody did.
    """

    domain: str | None = None
    model: str = ""
    warnings: tuple[str, ...] = ()


OpinionAsked = Callable[[str, Pack], Opinion]


def keys_offered(pack: Pack) -> tuple[str, ...]:
    """The domains that a model may name. The laboratory is not among them: no model opens it."""
    return tuple(key for key in pack.keys if key != LAB)


def opinion_of_passed(llm: PassedModel) -> OpinionAsked:
    """Asks a model that a caller passed in; its failure is a warning. Not on an event loop, where nobody can wait."""

    def asked(message: str, pack: Pack) -> Opinion:
        try:
            text = async_to_sync(_passed_said)(llm, prompt_of(message, pack, keys_offered(pack)))
        except MetacognitionTimeoutError:
            return Opinion(warnings=(TOO_LATE,))
        except NoSense:
            return Opinion(warnings=(NO_SENSE,))
        except (Exception, asyncio.CancelledError) as error:
            _log.warning("a passed model gave no opinion", error=type(error).__name__)
            return Opinion(warnings=(failed(error),))
        return opinion_said(text, pack, model=type(llm).__name__)

    return asked


async def _passed_said(llm: PassedModel, prompt: str) -> str:
    async with aoperation_run(OPERATION.name):
        return await passed_complete(llm, prompt)


def opinion_said(said: str, pack: Pack, *, model: str) -> Opinion:
    """What a model's answer comes to: JSON with a domain, or the key of one and nothing else."""
    model = model[:_NAME_AT_MOST]
    try:
        named = _named(said)
    except NoSense:
        return Opinion(model=model, warnings=(NO_SENSE,))
    if named == NONE:
        return Opinion(model=model, warnings=(NAMED_NONE,))
    found = {key.casefold(): key for key in keys_offered(pack)}.get(named)
    return Opinion(domain=found, model=model, warnings=() if found else (NO_SENSE,))


def failed(error: BaseException) -> str:
    """The warning of a fault that nobody foresaw, by its kind alone."""
    return f"Asking a model went wrong: {type(error).__name__}."[:_NAME_AT_MOST]


def _named(said: str) -> str:
    """Raises `NoSense`."""
    if len(said) < _NAME_AT_MOST and not any(sign in said for sign in "{["):
        return said.strip(" \t\r\n.\"'`*").casefold()
    value: Any = json_said(said)
    named = value.get("domain") if isinstance(value, dict) else None
    if not isinstance(named, str):
        raise NoSense("a model named nothing")
    return named.strip().casefold()
