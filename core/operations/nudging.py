"""Telling a worker that there is work. A message that is lost costs a delay, never the work: beat sends the same.

Source: design.md, "Work in the background".
"""

import threading
import time

import structlog
from celery import current_app

EXPIRES = 15
"""Seconds, as often as beat sends it again."""
_QUIET_AFTER_FAILURE = 60.0
_log = structlog.get_logger(__name__)
_lock = threading.Lock()
_not_before: dict[str, float] = {}


def worker_nudge(task: str, *, at_most_every: float = 0.0) -> None:
    """Send a task without arguments, at most once in so many seconds from this process; it never raises.

    A broker that is away is asked again only after a minute: commits must not wait for it each time. Nothing is sent
    where our Celery application is not loaded, as in a script.
    """
    if current_app.main == "default" or not _may_send(task, at_most_every):
        return
    try:
        current_app.send_task(task, retry=False, expires=EXPIRES)
    except Exception:
        _log.exception("telling a worker failed", task=task)
        with _lock:
            _not_before[task] = time.monotonic() + _QUIET_AFTER_FAILURE


def _may_send(task: str, at_most_every: float) -> bool:
    now = time.monotonic()
    with _lock:
        if now < _not_before.get(task, float("-inf")):
            return False
        _not_before[task] = now + at_most_every
        return True
