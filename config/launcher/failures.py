"""One line for whatever goes wrong in a start, also when the folder for the details is what failed."""

import contextlib
import errno
import traceback
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError

from config.launcher import places
from config.launcher.console import Problem

_FULL = {errno.ENOSPC, errno.EDQUOT}


def describe(error: Exception) -> str:
    """What to tell the person who typed `make run`; the details of a surprise are noted down where there is room."""
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
