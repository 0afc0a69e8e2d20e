"""One call of a model: from the hold to what it cost, over retries and fallbacks. Source: design.md, "Money".

Each try is a request with a hold of its own. A fallback is never dearer than what was asked for. All tries together
keep one deadline.
"""

import asyncio
import random
import time
import uuid
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from gateway import ledger
from gateway.client.breaker import breaker_failed, breaker_look, breaker_succeeded, breaker_try
from gateway.client.call_texts import digest_of, size_of, text_keep
from gateway.client.steps import InDatabase, OverNetwork, Step, Steps
from gateway.client.tiers import candidates_of
from gateway.client.transport import Answer, Failure, Sending
from gateway.contracts import CallReport, OperationRun, Outcome, Payer, Settled, Tier, Usage
from gateway.errors import (
    CircuitOpen,
    HoldNotOpen,
    MetacognitionTimeoutError,
    ModelUnavailable,
    ProviderFailed,
)
from gateway.ledger import Dispatched, Reserved
from gateway.ledger.pricing import worst_cost
from gateway.models import Price

TRIES = 3
"""Requests of one call at most, over its whole chain."""
TRIES_CHARGED = 2
"""After so many, one that is charged without an answer is the last of its model: each costs the worst case."""
_FREE = (Outcome.REFUSED, Outcome.NOT_SENT)
_BACKOFF_SECONDS = 0.25
_LEAST_SECONDS = 0.05
_WRITE_AGAIN_AFTER = (0.05, 0.2, 0.5, 1.0, 2.0)
_log = structlog.get_logger(__name__)


@dataclass
class Call:
    """What all tries of a call share. `until` is on the clock of `time.monotonic`; `tried` counts requests.

    With `fallback` another model may answer, never a dearer one; `max_tokens` bounds each answer of a language model.
    `counted_by` is the hold that counts as the escalation: one, however often its question is asked. `streamed`: a part
    of the answer was read already, so that it cannot begin anew.
    """

    tier: Tier
    payer: Payer
    run: OperationRun
    seconds: float
    escalation: bool = False
    fallback: bool = False
    max_tokens: int = 0
    id: uuid.UUID = field(default_factory=uuid.uuid4)
    tried: int = 0
    streamed: bool = False
    counted_by: uuid.UUID | None = None
    settled: list[Settled] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.until = time.monotonic() + self.seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline; negative after it."""
        return self.until - time.monotonic()

    def timeout_error(self) -> MetacognitionTimeoutError:
        """What is raised when the deadline is over."""
        return MetacognitionTimeoutError(f"{self.run.operation} exceeded {round(1000 * self.seconds)}ms")


@dataclass(frozen=True)
class Request:
    """The request, for any model, with the most tokens that there can be of each kind. `text` is what is logged."""

    text: str
    input_tokens: int
    output_tokens: int
    send: Callable[[Dispatched, float, Sending], Coroutine[Any, Any, Answer]]


OneTry = Callable[[Call, Request, Price], Steps[Answer]]


@dataclass(frozen=True)
class Opened:
    """A request about to be made. `clear`: its model has failed before, so that a success is news."""

    leave: Dispatched
    clear: bool
    moment: datetime = field(default_factory=timezone.now)
    began: float = field(default_factory=time.monotonic)

    @property
    def ms(self) -> int:
        """Since it was opened."""
        return round(1000 * (time.monotonic() - self.began))


def one_answer(call: Call, request: Request, candidate: Price) -> Steps[Answer]:
    """Ask once. Raises `Failure`, and what `open_hold` raises."""
    opened = yield opening(call, request, candidate)
    sending = Sending()
    try:
        reply: Answer = yield OverNetwork(lambda: request.send(opened.leave, call.left, sending))
    except BaseException as error:
        yield from close_hold(call, opened, request, report_of(error, opened, sending), error=error)
        raise
    yield from close_hold(call, opened, request, answered(reply, opened), text=reply.text)
    return reply


def answer(
    call: Call, request: Request, *, one_try: OneTry = one_answer, only: Price | None = None
) -> Steps[tuple[Answer, Price]]:
    """Ask candidates until one answers; return the answer and the candidate. `only` asks this one alone.

    Of the tries that are left each further candidate keeps one. Raises `MetacognitionTimeoutError`, the refusals of the
    ledger, or `ModelUnavailable` and what is below it.
    """
    candidates = [only] if only else (yield InDatabase(lambda: candidates_of(call.tier, fallback=call.fallback)))
    last: ModelUnavailable | None = None
    for place, candidate in enumerate(candidates, start=1):
        tries = TRIES - (len(candidates) - place)
        while call.tried < tries:
            if call.left < _LEAST_SECONDS:
                raise call.timeout_error()
            try:
                return (yield from one_try(call, request, candidate)), candidate
            except CircuitOpen as error:
                last = error
                break
            except Failure as failure:
                if failure.outcome == Outcome.TIMED_OUT:
                    raise call.timeout_error() from failure
                last = ProviderFailed(f"{candidate.model}: {failure.reason}")
                if call.streamed:
                    raise last from failure
                if not failure.again or (call.tried >= TRIES_CHARGED and failure.outcome not in _FREE):
                    break
                seconds = _pause_of(call, failure)
                if call.tried >= tries or seconds > call.left - _LEAST_SECONDS:
                    break
                yield OverNetwork(partial(asyncio.sleep, seconds))
    raise last or ProviderFailed("nobody could be asked")


def _pause_of(call: Call, failure: Failure) -> float:
    """Seconds until the next try: as the provider says, or twice as long each time, with some chance."""
    if failure.retry_after is not None:
        return failure.retry_after
    chance = 1 + random.random()  # noqa: S311 - spreads retries, keeps no secret
    return _BACKOFF_SECONDS * float(2**call.tried) / 2 * chance


def opening(call: Call, request: Request, candidate: Price) -> InDatabase:
    """`open_hold` as a step: who goes before it is done has asked nothing, and pays nothing."""
    return InDatabase(lambda: open_hold(call, request, candidate), lambda opened: ledger.release(opened.leave.id))


def open_hold(call: Call, request: Request, candidate: Price) -> Opened:
    """Set the worst case aside and say that the request is made.

    Raises what `breaker_look`, `breaker_try` and `ledger.reserve` raise; then nothing is held.
    """
    breaker = breaker_look(candidate.model)
    tokens = {"input_tokens": request.input_tokens, "output_tokens": request.output_tokens}
    worst = worst_cost(Tier(candidate.tier), candidate.tokens, **tokens)
    hold: Reserved = ledger.reserve(
        payer=call.payer,
        price=candidate,
        amount=worst,
        run=call.run,
        call=call.id,
        attempt=call.tried + 1,
        escalation=call.escalation and call.counted_by is None,
    )
    try:
        breaker_try(breaker)  # now that there is money: a call that cannot pay tries nothing
    except CircuitOpen:
        ledger.release(hold.id)
        raise
    call.tried += 1
    if call.escalation and call.counted_by is None:
        call.counted_by = hold.id
    try:
        leave = ledger.dispatch(
            hold,
            deadline=timedelta(seconds=max(0.0, call.left)),
            prompt_digest=digest_of(request.text),
            prompt_bytes=size_of(request.text),
        )
    except HoldNotOpen as error:  # this process stood still for so long that the hold expired
        raise call.timeout_error() from error
    return Opened(leave, breaker.failures > 0)


def answered(reply: Answer, opened: Opened) -> CallReport:
    """The report of a request that was answered."""
    return _report(opened, Outcome.ANSWERED, reply.usage, reply.text)


def report_of(error: BaseException, opened: Opened, sending: Sending) -> CallReport:
    """The report of a request that ended with this. One that never left costs nothing, whatever ended it."""
    if not sending.sent:
        return _report(opened, Outcome.NOT_SENT)
    if not isinstance(error, Failure):  # whoever asked has gone: cancelled, closed, interrupted
        return _report(opened, Outcome.CANCELLED)
    return _report(opened, error.outcome, error.usage, error.text)


def _report(opened: Opened, outcome: Outcome, usage: Usage | None = None, text: str = "") -> CallReport:
    return CallReport(
        outcome=outcome,
        usage=usage,
        latency_ms=opened.ms,
        reply_digest=digest_of(text) if text else "",
        reply_bytes=size_of(text),
    )


def close_hold(
    call: Call,
    opened: Opened,
    request: Request,
    report: CallReport,
    *,
    text: str = "",
    error: BaseException | None = None,
) -> Generator[Step, Any, None]:
    """Settle what was asked, surely: a database that is away for a moment is waited for.

    Where it stays away the hold expires and is charged in full. Raises nothing: the result of the request goes to the
    caller first.
    """
    leave = opened.leave
    for seconds in (*_WRITE_AGAIN_AFTER, None):
        try:
            yield InDatabase(lambda: _close(call, leave, report))
            break
        except HoldNotOpen:
            _log.warning("a call came back after its hold was closed", hold=str(leave.id), model=leave.model)
            break
        except (OperationalError, InterfaceError):
            if seconds is None:
                _log.exception("a call could not be written down; its hold will expire", hold=str(leave.id))
                return
            yield InDatabase(lambda: connection.close())  # looked up there: each thread has its own
            yield OverNetwork(partial(asyncio.sleep, seconds))
    try:
        yield InDatabase(lambda: _note(opened, request, report, text, error))
    except (OperationalError, InterfaceError):
        _log.exception("what else there was to note of a call is lost", hold=str(leave.id))


def _close(call: Call, leave: Dispatched, report: CallReport) -> None:
    if report.outcome == Outcome.NOT_SENT:
        ledger.release(leave.id)
        if call.counted_by == leave.id:
            call.counted_by = None
        return
    call.settled.append(ledger.settle(leave.id, report))


def _note(opened: Opened, request: Request, report: CallReport, text: str, error: BaseException | None) -> None:
    """Breaker and log of texts: worth keeping, and no money hangs on them."""
    model = opened.leave.model
    if settings.MODEL_TEXT_LOG and report.outcome != Outcome.NOT_SENT:
        text_keep(hold_id=opened.leave.id, prompt=request.text, reply=text)
    if isinstance(error, Failure) and not error.ours:
        breaker_failed(model, error.reason, began=opened.moment)
    elif error is None and opened.clear:
        breaker_succeeded(model, began=opened.moment)
