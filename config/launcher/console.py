"""What the person who typed `make run` sees: plain lines, and one line when something is wrong."""

import contextlib
import time
from collections.abc import Iterator


class Problem(Exception):
    """What is wrong and what to do, in one line."""


class Stop(BaseException):
    """Someone asked for the end: Ctrl-C, SIGTERM or a closed terminal. Like KeyboardInterrupt, it is no error."""


def say(text: str = "", end: str = "\n") -> None:
    """Print at once. A terminal that is gone must not keep the rest from being stopped properly."""
    with contextlib.suppress(OSError, ValueError):
        print(text, end=end, flush=True)


class Step:
    """What a step reports about itself, shown behind its name."""

    def __init__(self) -> None:
        self.result = ""


@contextlib.contextmanager
def step(name: str) -> Iterator[Step]:
    """Announce a step, then say what came of it and how long it took."""
    began = time.monotonic()
    say(f"{name} ... ", end="")
    current = Step()
    try:
        yield current
    except BaseException:
        say()
        raise
    say(f"{current.result or 'done'} ({time.monotonic() - began:.1f} s)")
