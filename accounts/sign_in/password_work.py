"""Passwords are slow to check on purpose: how many at a time, and how many wrong ones from one address."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.http import HttpRequest

from core.limits.actions import ServerBusy, limit_require
from core.limits.windows import DAY, network_key, rates_give_back
from core.operations.connections import waiting

AT_ONCE = 1
"""Of a process. Hashing needs no interpreter lock: with as many processes as cores, every core hashes at most."""
IN_LINE = 32
"""Those who wait; the last of them for about ten seconds."""
LONGEST_WAIT = 15.0
RETRY_AFTER = 10
_line = threading.BoundedSemaphore(AT_ONCE + IN_LINE)
_slots = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def password_slot() -> Iterator[None]:
    """Around the work on a password: waits for its turn, without a connection or a thread that others could use.

    Not in a transaction. Raises `ServerBusy` where the line is full, or did not move for `LONGEST_WAIT` seconds.
    """
    if not _line.acquire(blocking=False):
        raise ServerBusy(RETRY_AFTER)
    try:
        _slot_take()
        try:
            yield
        finally:
            _slots.release()
    finally:
        _line.release()


def _slot_take() -> None:
    if _slots.acquire(blocking=False):
        return
    with waiting():
        if not _slots.acquire(timeout=LONGEST_WAIT):
            raise ServerBusy(RETRY_AFTER)


@contextmanager
def password_tried(request: HttpRequest) -> Iterator[None]:
    """Around a look at a password, in its turn; one that is wrong raises here.

    It counts as a wrong one for its address, whatever the name, before it is looked at, and a right one is given back:
    so of many tries at once no more than `LOGIN_FAILURES_ADDRESS` in a minute are looked at, and
    `LOGIN_FAILURES_ADDRESS_DAY` in a day. Three statements. Raises `ServerBusy` and `TooManyRequests`.
    """
    address = network_key(request)
    minute, day = f"sign-in-failures:{address}", f"sign-in-failures-day:{address}"
    with password_slot():
        limit_require({minute: settings.LOGIN_FAILURES_ADDRESS})
        limit_require({day: settings.LOGIN_FAILURES_ADDRESS_DAY}, seconds=DAY)
        yield
    rates_give_back([minute, day])
