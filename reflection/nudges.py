"""Telling a worker that a failure waits."""

from core.nudging import worker_nudge

AT_MOST_EVERY = 1.0
"""Seconds between two messages of a process: a thousand failures at once need one, not a queue that others wait in."""


def reflection_nudge(**_: object) -> None:
    """Tell a worker, unless this process has just done so."""
    worker_nudge("reflection.tasks.reflect", at_most_every=AT_MOST_EVERY)
