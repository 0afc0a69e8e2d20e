"""The order of things in `make run`."""

import argparse
import functools
import os
import signal
import socket
import sys
import warnings
from pathlib import Path
from types import FrameType

from accounts.contracts import DemoAccount
from config import env
from config.launcher import checks, children, places, prepare
from config.launcher.console import Problem, Stop, failure_text, say, step


class Launcher:
    """One run, from the first check to the last process gone."""

    def __init__(self) -> None:
        self._ending = self._hurry = False
        self._children: list[children.Child] = []
        self._database: Path | None = None  # the embedded one's folder, once it may have been started
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        if not self._ending:
            raise Stop
        self._hurry = True

    def run(self, port: str) -> int:
        """Serve until asked to stop; the exit code."""
        code = 1
        try:
            self._serve(env.text("HOST", "127.0.0.1"), port)
        except Stop:
            self._ending, code = True, 0
        except Exception as error:
            say(failure_text(error))
        finally:
            ended = self._end()
        if ended and (code == 0 or self._children):
            say(f"Stopped; your data is kept in {places.short(places.var())}/")
        return code if ended else 1

    def _serve(self, host: str, port: str) -> None:
        if not port.isdecimal():
            raise Problem(f"{port!r} is no port; choose a number: make run PORT=8000")
        bound = checks.take_port(host, int(port))
        checks.check_room(places.var())
        web_processes = env.integer("WEB_CONCURRENCY", min(2, os.cpu_count() or 1), minimum=1)
        public_url = env.origin("PUBLIC_URL")
        self._database = places.database_folder()
        accounts = prepare.prepare()
        with step("Starting the web server, the worker and beat"):
            self._start_children(bound, web_processes)
            starting = functools.partial(children.check_start, self._children)
            checks.wait_until_ready(host, int(port), public_url, starting)
        _greet(public_url or f"http://{checks.reachable(host)}:{port}", accounts)
        children.watch(self._children)

    def _start_children(self, bound: socket.socket, web_processes: int) -> None:
        """Both ends of the lifeline and the socket stay open here: a child that is started again needs them too."""
        self._bound = checks.share(bound)
        lifeline, self._lifeline = os.pipe()  # its writing end closes with this process, see child.py
        self._children = children.start_all(self._bound.fileno(), lifeline, web_processes)

    def _end(self) -> bool:
        """Stop everything; return whether that went well. From here on, a signal only makes it quicker."""
        self._ending = True
        if self._children:
            say("\nStopping ...")
        children.stop_all(self._children, lambda: self._hurry)
        try:
            if self._database:
                from config.launcher import embedded  # only now: a deployment with its own PostgreSQL does not load it

                embedded.stop(self._database)
        except Exception as error:
            say(failure_text(error))
            return False
        return True


def _greet(address: str, accounts: list[DemoAccount]) -> None:
    say(f"\nAndamio is ready: {address}\n")
    for account in accounts:
        password = account.password or "(password shown when it was made)"
        say(f"  {account.role:<8} {account.username:<8} {password}")
    if any(account.password for account in accounts):
        say("\nThe passwords are shown this once. A new one: DEMO_PASSWORD=... make run")
    else:
        say("\nA new password for both: DEMO_PASSWORD=... make run")
    say("Ctrl-C stops everything.")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m config.launcher", description="Prepare Andamio and serve it.")
    parser.add_argument("--port", default="8000", help="the port to serve on")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")  # true of every machine without a desktop
    return Launcher().run(parser.parse_args().port)


if __name__ == "__main__":
    sys.exit(main())
