"""What runs in a child process: `python -m config.launcher.child web|worker|beat`.

A child ends with its launcher, however that ended: it holds the reading end of a pipe whose other end only the
launcher has, so the pipe closes even when the launcher is killed. That works on every system, unlike a parent-death
signal.
"""

import atexit
import os
import signal
import socket
import sys
import threading
import time
import warnings
from types import FrameType

LIFELINE, SOCKET = "ANDAMIO_LIFELINE", "ANDAMIO_SOCKET"  # file descriptors, handed down by the launcher
GRACE_SECONDS = 10  # to finish what is under way, before the process is ended for good


def main(role: str) -> None:
    """Run the role until SIGTERM or the launcher's end."""
    # An ordinary exit, where the default would skip atexit and leave this process in the database's count of users.
    signal.signal(signal.SIGTERM, _leave)
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")  # true of every machine without a desktop
    threading.Thread(target=_end_with_launcher, args=(int(os.environ[LIFELINE]),), daemon=True).start()
    {"web": _web, "worker": _worker, "beat": _beat}[role]()


def _leave(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)


def _end_with_launcher(lifeline: int) -> None:
    os.read(lifeline, 1)  # nothing is ever written: this returns when the launcher is gone
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def _after_settings() -> None:
    """Read the settings, which joins the embedded database, and have the dead forgotten before this process leaves it.

    Exit hooks run in reverse order, so this one comes before the one that stops the server with its last user.
    """
    import django

    django.setup()
    from config.launcher import places

    if folder := places.database_folder():
        from config.launcher.embedded import forget_the_dead

        atexit.register(forget_the_dead, folder)


def _web() -> None:
    import uvicorn

    _after_settings()
    shared = socket.socket(fileno=int(os.environ[SOCKET]))
    options = uvicorn.Config(
        "config.asgi:application",
        access_log=False,
        log_level="warning",
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=GRACE_SECONDS // 2,
    )
    uvicorn.Server(options).run(sockets=[shared])


def _worker() -> None:
    _after_settings()
    from config.celery_app import app

    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "WARNING"]
    app.start(["--quiet", "worker", "--pool", "threads", "--concurrency", "2", *quiet])


def _beat() -> None:
    _after_settings()
    from config.celery_app import app

    scheduler = "django_celery_beat.schedulers:DatabaseScheduler"
    app.start(["--quiet", "beat", "--scheduler", scheduler, "--pidfile", "", "--loglevel", "WARNING"])


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(sys.argv[1])
