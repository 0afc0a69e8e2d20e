"""`make soak`: learners, programs and staff for an hour, a provider with faults, processes killed at random.

Ends with 1 where anything is stuck, money or proof does not add up, memory grew, or answers became slow.
"""

import argparse
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import psutil

from benchmarks.doubt import OPINION, QUESTIONS
from benchmarks.own_place import own_place
from benchmarks.servers import HOST, UNLIMITED, Provider
from config.launcher import places

_FAULTS = 0.05
_KILL_EVERY, _SAMPLE_SECONDS = (20.0, 60.0), 2.0
_LEFT_ALONE = 0.5
"""From this part of the time on the oldest process of each role lives: whose memory is flat must have been there."""
_READY = "Ctrl-C stops everything."
_BUDGETS = dict.fromkeys(
    ("GUESTS_DAY_BUDGET_CENTS", "USER_DAY_BUDGET_CENTS", "AGENT_MONTH_BUDGET_CENTS", "SESSION_BUDGET_CENTS"), "10000000"
) | {"MAX_ESCALATIONS_PER_SESSION": "30000", "USER_MONTH_SHARE": "100", "GUESTS_MONTH_SHARE": "100"}
Request = tuple[str, float, float, int]
_MOST_GROWTH, _MOST_SLOWER = 1.10, 1.20
ROLES = ("web", "worker", "beat")
_MEASURED = ("answer", "asking", "api")


@dataclass
class Watch:
    """What was seen of the processes: bytes of the oldest of each role by moment, and who was killed."""

    memory: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    killed: list[str] = field(default_factory=list)

    def sample(self, launcher: psutil.Process, database: psutil.Process) -> None:
        """Resident memory of the oldest process of each role; PostgreSQL's without what its processes share."""
        for role in ROLES:
            if processes := _processes(launcher, role):
                self.memory[role].append(processes[0].memory_info().rss)
        self.memory["launcher"].append(launcher.memory_info().rss)
        own = [one.memory_info() for one in (database, *database.children())]
        self.memory["database"].append(sum(info.rss - info.shared for info in own))

    def kill(self, launcher: psutil.Process, *, but_oldest: bool) -> None:
        """Kill -9 one process that chance names, of those that are not the oldest of their role, or of all."""
        named = [(role, process) for role in ROLES for process in _processes(launcher, role)[but_oldest:]]
        if named:
            role, process = random.choice(named)
            process.kill()
            self.killed.append(role)


def _processes(launcher: psutil.Process, role: str) -> list[psutil.Process]:
    """The launcher's processes of a role, the oldest first."""
    found = []
    for process in launcher.children():
        with suppress(psutil.Error):
            if process.cmdline()[-1:] == [role]:
                found.append(process)
    return sorted(found, key=psutil.Process.create_time)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    options = parser.parse_args()
    with own_place():
        provider = Provider(delay=0.5, reply=OPINION, faults=_FAULTS)
        try:
            with _running(provider.url) as (address, launcher):
                return _soak(options.minutes * 60, address, launcher, provider)
        finally:
            provider.close()


@contextmanager
def _running(provider: str) -> Iterator[tuple[str, psutil.Process]]:
    """Everything that `make run` starts."""
    port = _free_port()
    limits = dict.fromkeys(("API_RATE_USER", "API_RATE_TOKEN", "API_RATE_ADDRESS"), "1000000")
    os.environ |= {"OPENAI_BASE_URL": provider, "OPENAI_API_KEY": "soak", **_BUDGETS, **UNLIMITED, **limits}
    os.environ["DEMO_PASSWORD"] = secrets.token_urlsafe(12)
    command = [sys.executable, "-m", "config.launcher", "--port", str(port)]
    process = subprocess.Popen(command, cwd=places.PROJECT, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if _READY in line:
            break
    else:
        raise RuntimeError("the server did not start")
    try:
        yield f"http://{HOST}:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _soak(seconds: float, address: str, launcher: psutil.Process, provider: Provider) -> int:
    import django

    django.setup()
    from benchmarks.soak import counting

    place = places.var() / "soak.json"
    people = {"url": address, "password": os.environ["DEMO_PASSWORD"], **counting.prepared(QUESTIONS[0])}
    place.write_text(json.dumps(people))
    watch = Watch()
    records = _use(place, seconds, launcher, watch)
    faults = counting.faults(provider) + _slower(records, seconds) + _grown(watch)
    print(f"{len(records)} requests in {seconds / 60:.0f} minutes; killed: {dict(Counter(watch.killed))}")
    print(f"by status (0: the connection broke): {dict(Counter(status for *_, status in records))}")
    print(*([f"FAULT: {fault}" for fault in faults] or ["Nothing is stuck, and everything adds up."]), sep="\n")
    return 1 if faults else 0


def _use(place: Path, seconds: float, launcher: psutil.Process, watch: Watch) -> list[Request]:
    """Let people use it and kill processes meanwhile; what they asked and got."""
    database = psutil.Process(int((places.var() / "postgres" / "postmaster.pid").read_text().split()[0]))
    began = time.monotonic()
    kill_at = began + random.uniform(*_KILL_EVERY)
    with (places.var() / "people.json").open("w+") as found:
        command = [sys.executable, "-m", "benchmarks.soak.people", str(place), str(seconds)]
        people = subprocess.Popen(command, cwd=places.PROJECT, stdout=found)
        while people.poll() is None:
            watch.sample(launcher, database)
            if time.monotonic() > kill_at:
                watch.kill(launcher, but_oldest=time.monotonic() - began > _LEFT_ALONE * seconds)
                kill_at = time.monotonic() + random.uniform(*_KILL_EVERY)
            time.sleep(_SAMPLE_SECONDS)
        found.seek(0)
        return [tuple(one) for one in json.load(found)]


def _slower(records: list[Request], seconds: float) -> list[str]:
    """What took longer in the last quarter than in the first."""
    slower = []
    for measured in _MEASURED:
        p95 = []
        for first, last in ((0.0, seconds / 4), (3 * seconds / 4, seconds)):
            done = (took for kind, at, took, status in records if kind == measured and first <= at < last and status)
            p95.append(1000 * quantiles(done, n=20)[18])
        print(f"{measured}, p95: {p95[0]:.0f} ms in the first quarter, {p95[1]:.0f} ms in the last")
        if p95[1] > _MOST_SLOWER * p95[0]:
            slower.append(f"{measured} became slower")
    return slower


def _grown(watch: Watch) -> list[str]:
    """Whose memory is larger in the last eighth of the time than in the sixth, when it has filled."""
    grown = []
    for role, sizes in watch.memory.items():
        eighth = len(sizes) // 8
        before, after = median(sizes[5 * eighth : 6 * eighth]), median(sizes[-eighth:])
        print(f"memory of {role}: {before / 2**20:.0f} MiB in the sixth eighth, {after / 2**20:.0f} MiB in the last")
        if after > _MOST_GROWTH * before:
            grown.append(f"the memory of {role} grew")
    return grown


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as server:
        return int(server.getsockname()[1])


if __name__ == "__main__":
    sys.exit(main())
