"""What runs in a child process: `python -m config.launcher.child web|worker|beat`.

A child ends with its launcher, however that ended: it holds the reading end of a pipe whose other end only the
launcher has, so the pipe closes even when the launcher is killed. That works on every system, unlike a parent-death
signal.
"""

import os
import signal
import socket
import sys
import threading
import time

import django

from config.launcher import checks
from config.web.options import GRACE_SECONDS, raise_descriptors, web_options

LIFELINE, SOCKET = "ANDAMIO_LIFELINE", "ANDAMIO_SOCKET"  # file descriptors, handed down by the launcher


def main(role: str) -> None:
    """Run the role until SIGTERM or the launcher's end."""
    # An ordinary exit, where the default would skip atexit and leave this process in the database's count of users.
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit(0))
    threading.Thread(target=_end_with_launcher, args=(int(os.environ[LIFELINE]),), daemon=True).start()
    {"web": _web, "worker": _worker, "beat": _beat}[role]()


def _end_with_launcher(lifeline: int) -> None:
    os.read(lifeline, 1)  # nothing is ever written: this returns when the launcher is gone
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def _web() -> None:
    import uvicorn

    django.setup()
    raise_descriptors()
    reserved = socket.socket(fileno=int(os.environ[SOCKET]))
    own = checks.bound_to(reserved.getsockname(), reserved.family)
    uvicorn.Server(uvicorn.Config("config.asgi:application", **web_options())).run(sockets=[own])


def _worker() -> None:
    os.nice(10)  # what is done in the background takes what learners leave
    django.setup()
    from config.celery_app import app

    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.start(["--quiet", "worker", "--pool", "threads", "--concurrency", "2", *quiet])


def _beat() -> None:
    django.setup()
    from config.celery_app import app

    app.start(["--quiet", "beat", "--pidfile", ""])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv[1])
