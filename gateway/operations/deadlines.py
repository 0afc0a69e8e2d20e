"""Running an operation against the clock: its deadline reaches every call to a model that is made in it.

Sources: RT-009, latency targets and hard timeouts; design.md, "Settled where the sources conflict", 10.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeVar

import structlog
from asgiref.sync import sync_to_async
from django.db import transaction
from django.utils import timezone

from gateway.contracts import OperationRun
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError
from gateway.events import record
from gateway.models import OperationTiming
from gateway.operations.registry import Operation, operation_named
from telemetry.contracts import EventDraft, EventLevel, EventName

_log = structlog.get_logger(__name__)
Result = TypeVar("Result")


@dataclass
class Running:
    """An operation that is under way. `cache_hit` and `user_id` are set by the code that runs it; None where there is
    no cache, or no user who is known here.

    `committed`: its result is stored, so that its limit is of no concern any more.
    """

    operation: Operation
    timeout_ms: int | None
    run: OperationRun
    outer: "Running | None" = None
    cache_hit: bool | None = None
    user_id: int | None = None
    committed: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def elapsed_ms(self) -> int:
        """Since it began."""
        return round(1000 * (time.monotonic() - self.started))

    @property
    def left_ms(self) -> int | None:
        """Until its hard limit or that of the operation it is part of, never negative; None without either."""
        own = None if self.timeout_ms is None else max(0, self.timeout_ms - self.elapsed_ms)
        limits = [own, self.outer.left_ms if self.outer else None]
        return min((limit for limit in limits if limit is not None), default=None)

    @property
    def done_for(self) -> int | None:
        """The user for whom it runs, by itself or by the operation that it is part of."""
        return self.outer.done_for if self.user_id is None and self.outer else self.user_id

    def check(self) -> None:
        """Raise `MetacognitionTimeoutError` when the time is over: to be asked before anything is stored."""
        if self.left_ms == 0 and not self.committed:
            raise self.timeout_error()

    def timeout_error(self) -> MetacognitionTimeoutError:
        """What is raised when the time is over."""
        if self.outer is not None and self.outer.left_ms == 0:
            return self.outer.timeout_error()
        return MetacognitionTimeoutError(f"{self.operation.name} exceeded {self.timeout_ms}ms")


_running: ContextVar[Running | None] = ContextVar("gateway_running", default=None)


def running() -> Running | None:
    """The innermost operation that is under way here."""
    return _running.get()


def run_within(operation: Operation, outer: Running | None) -> OperationRun:
    """A run of its own, charged to those that it is part of as well."""
    run = f"{operation.name}:{uuid.uuid4().hex}"
    return OperationRun(operation=operation.name, run=run, cap=operation.cap, outer=outer.run if outer else None)


@contextmanager
def operation_run(name: str, *, timeout_ms: int | None = None, user_id: int | None = None) -> Iterator[Running]:
    """Run an operation: measured against its target, ended at its hard limit or at a shorter `timeout_ms`.

    `user_id`: for whom, so that slow runs are counted for them; left out, that of the operation that this is part of.
    Work that waits for no model cannot be stopped from outside: it is refused when it is done, so whatever it stores
    belongs after `check`. Raises `MetacognitionTimeoutError`.
    """
    under_way = _begin(name, timeout_ms, user_id)
    token, outcome = _running.set(under_way), OperationTiming.Outcome.FAILED
    try:
        yield under_way
        under_way.check()
        outcome = OperationTiming.Outcome.DONE
    except MetacognitionTimeoutError:
        outcome = OperationTiming.Outcome.TIMED_OUT
        raise
    except MetacognitionCostExceeded:
        outcome = OperationTiming.Outcome.TOO_DEAR
        raise
    finally:
        _running.reset(token)
        _finish(under_way, outcome)


@asynccontextmanager
async def aoperation_run(
    name: str, *, timeout_ms: int | None = None, user_id: int | None = None
) -> AsyncIterator[Running]:
    """`operation_run` whose hard limit cancels what is awaited."""
    under_way = _begin(name, timeout_ms, user_id)
    token, outcome = _running.set(under_way), OperationTiming.Outcome.FAILED
    limit = under_way.left_ms
    clock = asyncio.timeout(None if limit is None else limit / 1000)
    try:
        async with clock:
            yield under_way
        under_way.check()
        outcome = OperationTiming.Outcome.DONE
    except TimeoutError as error:
        if not clock.expired():
            raise
        outcome = OperationTiming.Outcome.TIMED_OUT
        raise under_way.timeout_error() from error
    except (MetacognitionTimeoutError, asyncio.CancelledError) as error:
        # Cancelled at the limit of the operation that it is part of, which tells of it.
        if isinstance(error, MetacognitionTimeoutError) or under_way.left_ms == 0:
            outcome = OperationTiming.Outcome.TIMED_OUT
        raise
    except MetacognitionCostExceeded:
        outcome = OperationTiming.Outcome.TOO_DEAR
        raise
    finally:
        _running.reset(token)
        await sync_to_async(_finish, thread_sensitive=True)(under_way, outcome)


async def acommit(under_way: Running, save: Callable[[], Result]) -> Result:
    """Run a write in the caller's thread to its end. `save` asks `under_way.check` before it commits: what was in time
    then counts, though the limit passes while it is written; what was not is rolled back and raises.
    """
    work = asyncio.ensure_future(sync_to_async(save, thread_sensitive=True)())
    try:
        result = await asyncio.shield(work)
    except asyncio.CancelledError:
        result = await work
        if under_way.left_ms != 0:  # somebody else cancelled: it is stored, and nobody waits for it
            raise
    under_way.committed = True
    return result


def _begin(name: str, timeout_ms: int | None, user_id: int | None) -> Running:
    operation, outer = operation_named(name), _running.get()
    limits = [limit for limit in (operation.timeout_ms, timeout_ms) if limit is not None]
    return Running(operation, min(limits, default=None), run_within(operation, outer), outer, user_id=user_id)


def _finish(under_way: Running, outcome: OperationTiming.Outcome) -> None:
    """Write down how long it took. A database that is away costs the figure, not the operation."""
    ms, operation = under_way.elapsed_ms, under_way.operation
    violated = ms > operation.target_ms
    if violated:
        _log.warning("over its latency target", operation=operation.name, ms=ms, target_ms=operation.target_ms)
    try:
        _write(under_way, outcome, ms, violated=violated)
    except Exception:
        _log.exception("a timing was not stored", operation=operation.name)


@transaction.atomic
def _write(under_way: Running, outcome: OperationTiming.Outcome, ms: int, *, violated: bool) -> None:
    operation = under_way.operation
    OperationTiming.objects.create(
        operation=operation.name,
        at=timezone.now(),
        ms=ms,
        target_ms=operation.target_ms,
        violated=violated,
        outcome=outcome,
        cache_hit=under_way.cache_hit,
        user_id=under_way.done_for,
    )
    events: dict[str, EventName] = {
        OperationTiming.Outcome.TIMED_OUT: EventName.OPERATION_TIMED_OUT,
        OperationTiming.Outcome.TOO_DEAR: EventName.OPERATION_REFUSED,
    }
    if outcome in events:
        data = {"operation": operation.name, "ms": ms, "limitMs": under_way.timeout_ms}
        record([EventDraft(event=events[outcome], level=EventLevel.WARNING, data=data)])
