"""What the person who typed `make run` sees: plain lines, and one line when something is wrong."""

import contextlib
import errno
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError

from config.launcher import places

_FULL = {errno.ENOSPC, errno.EDQUOT}


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


def failure_text(error: Exception) -> str:
    """One line for whatever went wrong; details of an unexpected error go to the log, where that can be written."""
    if isinstance(error, Problem | ImproperlyConfigured | CommandError):
        return str(error)  # written for people
    if isinstance(error, OSError) and (line := _about_the_folder(error)):
        return line
    what = f"Something went wrong: {type(error).__name__}: {' '.join(str(error).split())}"
    return f"{what}. The details are in {log}" if (log := _note_down(error)) else what


def _about_the_folder(error: OSError) -> str | None:
    """The line for a folder for data that cannot be used; None when something else is wrong."""
    if error.errno in _FULL:
        return f"The disk is full: {error.filename or places.var()}. Make room and start again."
    folder, path = places.var(), Path(str(error.filename))
    if error.filename is None or not (path.is_relative_to(folder) or folder.is_relative_to(path)):
        return None
    return f"Cannot use {path}: {error.strerror}. Choose another folder: ANDAMIO_VAR=/path/to/folder make run"


def _note_down(error: Exception) -> str | None:
    """Where the details are now; None when they could not be written."""
    with contextlib.suppress(Exception):  # often the same that is being described
        log = places.var() / "log" / "launcher.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a") as file:
            traceback.print_exception(error, file=file)
        return places.short(log)
    return None
