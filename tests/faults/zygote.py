"""`python -m tests.faults.zygote`: has loaded what web, worker and beat load, and makes them by forking.

Loading takes a process ten seconds; where one is killed at each of fifty steps there is no time for that. What is
forked runs `config.launcher.child` as `make run` does. Standard input brings a line for each,
`{"role": "web", "log": path}`; it is answered with the process id.
"""

import json
import os
import select
import signal
import sys
import time
from typing import Any


def _sleep(seconds: Any) -> None:
    select.select([], [], [], seconds)


if "FAKETIME_TIMESTAMP_FILE" in os.environ:  # libfaketime fails in the system call of Python's own
    time.sleep = _sleep

from config.launcher import child  # noqa: E402 - many modules take `sleep` when they are loaded


def serve() -> None:
    """Fork for each line, until the input ends."""
    import httpx2  # noqa: F401 - these three are loaded for all of them
    import openai  # noqa: F401

    import config.asgi  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for them here
    _answer("ready")
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if not pid:
            _become(order["role"], order["log"])
        _answer(pid)


def _answer(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def _become(role: str, log: str) -> None:
    os.setsid()
    os.environ["PGAPPNAME"] = role  # the proxy knows its connections by this
    written = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for descriptor, own in ((nothing, 0), (written, 1), (written, 2)):
        os.dup2(descriptor, own)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    try:
        child.main(role)
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve()
