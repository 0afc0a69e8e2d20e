"""The same work many times at once, each with a database connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


def at_once(works: Sequence[Callable[[], Result]]) -> list[Result]:
    """What each returns, in order; all wait for the last before they begin. An error of one is raised here."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[], Result]) -> Result:
        try:
            start.wait(timeout=30)
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result(timeout=60) for done in [pool.submit(run, work) for work in works]]
