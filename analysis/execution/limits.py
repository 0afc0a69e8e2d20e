"""What an execution may take, and how it is stopped from outside."""

import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Rows of each result, seconds of the whole execution, and memory as the engine writes it ("1GB")."""

    rows: int = 10_000
    seconds: float = 30
    memory: str = "1GB"


class Cancel:
    """Stops an execution from another thread, also before it begins."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()
