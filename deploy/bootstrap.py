"""Makes `.venv` and installs a hashed lock into it; finds and finishes what an earlier, interrupted start left behind.

Usage: `python3 deploy/bootstrap.py base` (what running needs) or `dev` (what tests and checks need as well).

Standard library only, and nothing that Python 3.6 cannot read: an old Python must get as far as saying that it is
too old. Hence the quoted annotations.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

OLDEST = (3, 11)
NAMES = ("python3.14", "python3.13", "python3.12", "python3.11")
FIRST_INSTALL_MB, UPDATE_MB = 2000, 500
_PROBE = "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"


class Problem(Exception):
    """What is wrong, in one line for the person who typed `make`."""


class Place:
    """Where things are below the project's `root`."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.venv = os.path.join(root, ".venv")
        self.python = os.path.join(self.venv, "bin", "python")
        self.stamp = os.path.join(self.venv, "andamio-stamp.json")
        self.var = os.path.join(root, "var")
        self.log = os.path.join(self.var, "log", "bootstrap.log")

    def lock_file(self, kind: str) -> str:
        return os.path.join(self.root, "requirements", kind + ".txt")

    def short(self, path: str) -> str:
        return os.path.relpath(path, self.root)


def say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


# Which Python


def python_problem(version: "tuple[int, ...]") -> "str | None":
    """Why this Python cannot run Andamio; None when it can."""
    if version[:2] >= OLDEST:
        return None
    return (
        "Andamio needs Python %d.%d or newer; this is %d.%d. Install one, or name it: make PYTHON=/path/to/python3"
        % (OLDEST + version[:2])
    )


def answer(python: str, code: str) -> "str | None":
    """What `python` prints for `code`; None when it does not run or fails."""
    try:
        # -I: neither the folder nor PYTHON* variables may lend it modules that it does not have.
        printed = subprocess.check_output([python, "-I", "-c", code], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    return printed.decode().strip()


def usable_python() -> str:
    """The Python to make `.venv` with: the one running this, else a newer one on PATH."""
    # The real path: an activated .venv is about to be replaced, and cannot make its own successor.
    candidates = [] if python_problem(sys.version_info[:2]) else [os.path.realpath(sys.executable)]
    pythons = candidates + [path for path in map(shutil.which, NAMES) if path]
    for python in pythons:
        if answer(python, _PROBE):
            return python
    raise Problem(
        python_problem(sys.version_info[:2])
        or "This Python has no venv module; install it (Debian and Ubuntu: apt install python3-venv) and try again."
    )


# What is there already


def digest(path: str) -> str:
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def stamp_for(place: Place, kind: str, version: str) -> "dict[str, str]":
    """What the stamp says after `kind` was installed. The dev lock holds all of the base lock at the same versions."""
    kinds = ("base", "dev") if kind == "dev" else ("base",)
    stamp = {name: digest(place.lock_file(name)) for name in kinds}
    stamp["python"] = version
    return stamp


def read_stamp(place: Place) -> "dict[str, str]":
    try:
        with open(place.stamp) as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def is_ready(place: Place, kind: str) -> bool:
    """Whether `.venv` works and holds exactly what the lock says now."""
    stamp = read_stamp(place)
    if stamp.get(kind) != digest(place.lock_file(kind)):
        return False
    return answer(place.python, _PROBE) == stamp.get("python")


def is_repairable(place: Place) -> bool:
    """Whether pip can finish what is there: a Python new enough, pip, and no package that was left half unpacked."""
    version = answer(place.python, "import pip, sys; print('%d.%d' % sys.version_info[:2])")
    if version is None or python_problem(tuple(int(part) for part in version.split("."))):
        return False
    packages = os.path.join(place.venv, "lib", "python" + version, "site-packages")
    if not os.path.isdir(packages):
        return False
    infos = [name for name in os.listdir(packages) if name.endswith(".dist-info")]
    # pip writes RECORD last: without it nobody knows which of the package's files arrived.
    return all(os.path.exists(os.path.join(packages, name, "RECORD")) for name in infos)


def check_room(path: str, needed_mb: int, free: "int | None" = None) -> None:
    """Raise `Problem` when fewer than `needed_mb` are free where `path` lies; `free` (bytes) is asked when None."""
    free_mb = (shutil.disk_usage(path).free if free is None else free) // 1_000_000
    if free_mb < needed_mb:
        raise Problem("Not enough room on the disk: %d MB free in %s, %d MB needed." % (free_mb, path, needed_mb))


# Making it


@contextlib.contextmanager
def only_one(place: Place) -> "Iterator[None]":
    """Let one start at a time touch `.venv`; a second one waits and says so."""
    os.makedirs(os.path.dirname(place.log), exist_ok=True)
    with open(os.path.join(place.var, "bootstrap.lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another start is installing packages; waiting for it.")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def prepare_venv(place: Place) -> None:
    """Leave a `.venv` with a working Python and pip, made anew unless what is there can be finished."""
    if os.path.lexists(place.venv):
        if is_repairable(place):
            stamped = os.path.exists(place.stamp)
            say("The list of packages has changed: bringing .venv up to date." if stamped else
                "The .venv here is unfinished: finishing it.")  # fmt: skip
            return
        say("The .venv here is half-made or broken: making it anew.")
    python = usable_python()
    if os.path.isdir(place.venv) and not os.path.islink(place.venv):
        shutil.rmtree(place.venv)
    elif os.path.lexists(place.venv):
        os.unlink(place.venv)
    say("Making .venv with Python %s." % answer(python, _PROBE))
    run(place, [python, "-I", "-m", "venv", place.venv], "Making .venv failed")


def install(place: Place, kind: str) -> None:
    lock = place.lock_file(kind)
    with open(lock) as file:
        count = sum(1 for line in file if "==" in line and line[:1].isalnum())
    say("Installing %d packages (once, about a minute)." % count)
    pip = [place.python, "-I", "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    run(place, pip + ["--progress-bar", "off", "--require-hashes", "-r", lock], "Installing packages failed", count)


def run(place: Place, command: "list[str]", failure: str, count: int = 0) -> None:
    """Run `command` with its output in the log; raise `Problem` with the last error when it fails."""
    with open(place.log, "ab+") as log:
        start = log.tell()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment())
        try:
            while process.poll() is None:
                time.sleep(0.1)
                if count and sys.stdout.isatty():
                    say("\r" + progress(place, start, count), end="")
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if count and sys.stdout.isatty():
            say("")
        log.seek(start)
        output = log.read().decode(errors="replace")
    if process.returncode:
        if os.strerror(errno.ENOSPC) in output:
            raise Problem("The disk is full: %s needs about %d MB." % (place.root, FIRST_INSTALL_MB))
        cut_off = " (the package index cannot be reached)" if "Retrying (" in output else ""
        raise Problem("%s%s: %s; all of it in %s" % (failure, cut_off, last_error(output), place.short(place.log)))


def environment() -> "dict[str, str]":
    """The environment without what would send packages elsewhere than into `.venv`."""
    astray = {"PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_DRY_RUN", "PYTHONHOME", "PYTHONPATH"}
    return dict({name: value for name, value in os.environ.items() if name not in astray}, PIP_USER="0")


def progress(place: Place, start: int, count: int) -> str:
    """How far pip is: it fetches everything first and says so in its log, then unpacks one package after another."""
    with open(place.log, errors="replace") as file:
        file.seek(start)
        fetched = sum(line.startswith(("Collecting ", "Requirement already satisfied: ")) for line in file)
    folders = [name for _, names, _ in os.walk(os.path.join(place.venv, "lib")) for name in names]
    unpacked = sum(name.endswith(".dist-info") for name in folders)
    return "  fetched %d of %d, installed %d " % (min(fetched, count), count, min(unpacked, count))


def last_error(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith(("error", "oserror"))]
    return (errors or lines or ["no message"])[-1]


def ensure(root: str, kind: str, free: "int | None" = None) -> None:
    """Leave a `.venv` below `root` that holds `requirements/<kind>.txt`. Takes no time when it does already."""
    place = Place(root)
    if is_ready(place, kind):
        return
    with only_one(place):
        if is_ready(place, kind):  # another start has just done it
            return
        began = time.time()
        check_room(root, UPDATE_MB if read_stamp(place) else FIRST_INSTALL_MB, free)
        prepare_venv(place)
        if os.path.exists(place.stamp):
            os.unlink(place.stamp)  # until it is written again, an interruption shows
        install(place, kind)
        stamp = stamp_for(place, kind, str(answer(place.python, _PROBE)))
        with open(place.stamp + ".new", "w") as file:
            json.dump(stamp, file)
        os.replace(place.stamp + ".new", place.stamp)
        say("Packages are in place after %d s." % (time.time() - began))


def main(arguments: "list[str]") -> int:
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)  # also where whoever started this had them ignored
    try:
        if python_problem(sys.version_info[:2]):
            return subprocess.call([usable_python(), os.path.abspath(__file__)] + arguments)
        ensure(root, arguments[0])
    except Problem as problem:
        say(str(problem))
    except KeyboardInterrupt:
        say("\nStopped; the next start carries on from here.")
        return 130
    except OSError as error:
        full = error.errno == errno.ENOSPC
        say("The disk is full." if full else "Cannot prepare %s: %s" % (root, error))
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["base"]))
