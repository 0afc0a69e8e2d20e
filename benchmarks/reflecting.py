"""Turns of learners while 500 failures are reflected on, beside turns without. `make bench-large` runs it.

One worker reflects, at the priority that `make run` gives it, and is stopped and continued by signals between rounds,
so that pairs of rounds differ in nothing else.
"""

import os
import signal
import subprocess
import sys
from statistics import median

from benchmarks import report
from benchmarks.own_place import own_place
from benchmarks.servers import Load, Site, postgres_cpu_seconds, stop
from config.launcher import places, prepare

FAILURES, LEARNERS, ROUNDS, SECONDS = 500, 16, 6, 4.0
_FAIL = """
import django; django.setup()
from accounts.models import User
from evaluation.layer import EvaluationLayer
from planning.layer import PlanningLayer
people = [User.objects.create_user(f"person-{n}", password=None) for n in range(25)]
for n in range(%d):
    plan = PlanningLayer().create_plan("Book hotel in Paris", people[n %% 25].pk, criteria=["Hotel quality >= 7"])
    EvaluationLayer().evaluate_result(plan, {"hotel": {"quality": 5, "price": 80}})
"""
_WORK = """
import os; os.nice(10)
import django; django.setup()
from reflection.tasks import reflect
print("ready", flush=True)
while True:
    reflect()
"""
_ABOUT = """
{n} learners walk the demo lesson; in every second round a worker reflects on {failures} failures of other people beside
them, at the priority of background work. Medians of {rounds} pairs of rounds of {seconds:g} s.
"""


def main() -> None:
    """Print pairs of figures."""
    with own_place():
        _measure()


def _measure() -> None:
    prepare.prepare()
    _python(_FAIL % FAILURES)
    lifeline, writing_end = os.pipe()
    site, load, worker = Site("turns", 2, lifeline, {}), None, None
    try:
        site.wait()
        load = Load(site.port, site.port, LEARNERS)
        worker = _worker()
        pairs = _pairs(site, load, worker)
        left = int(_python(_LEFT))
    finally:
        if worker is not None:
            worker.kill()
            worker.wait()
        if load is not None:
            load.close()
        stop([site])
        os.close(writing_end)
    _print(pairs, FAILURES - left)


def _pairs(site: Site, load: Load, worker: "subprocess.Popen[str]") -> dict[bool, list[report.Round]]:
    found: dict[bool, list[report.Round]] = {False: [], True: []}
    for number in range(ROUNDS + 1):
        for reflects in (False, True):
            worker.send_signal(signal.SIGCONT if reflects else signal.SIGSTOP)
            web, database = site.cpu_seconds(), postgres_cpu_seconds()
            said = load.round("turns", LEARNERS, SECONDS if number else 1.0)
            used = [after - before for before, after in zip(web, site.cpu_seconds(), strict=True)]
            if number:  # the first only warms up
                found[reflects].append(report.round_of(said, used, postgres_cpu_seconds() - database))
    return found


_LEFT = """
import django; django.setup()
from evaluation.models import PendingReflection
print(PendingReflection.objects.filter(state="running").count())
"""


def _worker() -> "subprocess.Popen[str]":
    worker = subprocess.Popen([sys.executable, "-c", _WORK], cwd=places.PROJECT, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    worker.stdout.readline()
    return worker


def _python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=places.PROJECT, stdout=subprocess.PIPE, text=True, check=True).stdout


def _print(pairs: dict[bool, list[report.Round]], done: int) -> None:
    print(_ABOUT.format(n=LEARNERS, failures=FAILURES, rounds=ROUNDS, seconds=SECONDS))
    for reflects, rounds in pairs.items():
        name = "reflecting" if reflects else "alone"
        figures = (report.middle(rounds, figure) for figure in ("turns", "p50", "p95"))
        print("{:<12}{:8.1f} turns/s   p50 {:6.1f} ms   p95 {:6.1f} ms".format(name, *figures))
    shares = [beside.turns / alone.turns for alone, beside in zip(pairs[False], pairs[True], strict=True)]
    print(f"turns a second beside reflecting / alone: {median(shares):.2f} ({min(shares):.2f} to {max(shares):.2f})")
    print(f"reflected on meanwhile: {done} of {FAILURES}")


if __name__ == "__main__":
    main()
