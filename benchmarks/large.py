"""`python -m benchmarks.large`: what a turn costs as the record grows."""

import argparse
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from benchmarks.own_place import own_place
from benchmarks.servers import Load, Site, stop
from config.database_roles import SUPERUSER
from config.launcher import places, prepare

_ABOUT = """
Each size has a database of its own on one server, filled with events made from real walks, and a web process of its
own. In each of {rounds} rounds one learner after another, in changing order, walks the demo lesson for {seconds:g} s on
one of them. A turn is an answer or a "continue". The ratio is that of a turn's time to a turn's time with the fewest
events in the same round; of it the median, and the least and greatest of all rounds. Other tables are small in all.
"""
_HEADER = f"{'events stored':>13} {'turns/s':>8} {'answer p50 ms':>14} {'ratio':>6} {'least':>6} {'greatest':>9}"


@dataclass
class Size:
    """One database, who serves it and who walks there; of each round the seconds of a turn and the median answer's."""

    events: int
    site: Site
    load: Load
    turns: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)

    def walk(self, seconds: float) -> tuple[float, float]:
        """Seconds of a turn on average, and of the middle answer."""
        found = self.load.round("turns", 1, seconds)
        return found["seconds"] / sum(found["counts"].values()), median(found["answer_latencies"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__)
    parser.add_argument("--events", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=3.0, help="the length of a walk")
    options = parser.parse_args()
    with own_place():
        prepare.prepare()
        print(_ABOUT.format(rounds=options.rounds, seconds=options.seconds))
        print(f"Load of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
        with _sizes(sorted(options.events)) as sizes:
            _measure(sizes, options)
        print(*_table(sizes), sep="\n")


@contextmanager
def _sizes(counts: Sequence[int]) -> Iterator[list[Size]]:
    from django.conf import settings

    lifeline, writing_end = os.pipe()
    sites: list[Site] = []
    loads: list[Load] = []
    try:
        stored = []
        for count in counts:
            variables = _database(settings.DATABASE_URL, count)
            stored.append(_fill(variables, count))
            sites.append(Site(f"events-{count}", 1, lifeline, variables))
        for site in sites:
            site.wait()
            loads.append(Load(site.port, site.port, 1))
        yield [Size(*parts) for parts in zip(stored, sites, loads, strict=True)]
    finally:
        for load in loads:
            load.close()
        stop(sites)
        os.close(writing_end)


def _database(url: str, count: int) -> dict[str, str]:
    """A copy of the prepared database, as variables of the environment."""
    parts = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    name = f"events_{count}"
    maintenance = make_conninfo(**{**parts, "dbname": "postgres", "user": SUPERUSER})
    with psycopg.connect(maintenance, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE {parts['dbname']}".encode())
    return {"DATABASE_URL": make_conninfo(**{**parts, "dbname": name}), "SECRET_KEY": secrets.token_urlsafe(64)}


def _fill(variables: dict[str, str], count: int) -> int:
    """Make the events, in a process that reads the settings of that database, and return how many there are."""
    program = (
        "import django; django.setup(); from benchmarks.events import events_make; print(events_make(int(argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"from sys import argv; {program}", str(count)],
        cwd=places.PROJECT,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout)


def _measure(sizes: list[Size], options: argparse.Namespace) -> None:
    for number in range(options.rounds + 1):
        turn = number % len(sizes)
        for size in [*sizes[turn:], *sizes[:turn]]:
            took, answer = size.walk(options.seconds if number else 1.0)
            if number:  # the first only warms up
                size.turns.append(took)
                size.answers.append(answer)


def _table(sizes: list[Size]) -> Iterator[str]:
    yield _HEADER
    for size in sizes:
        ratios = [mine / least for mine, least in zip(size.turns, sizes[0].turns, strict=True)]
        yield (
            f"{size.events:>13,} {1 / median(size.turns):>8.1f} {1000 * median(size.answers):>14.1f}"
            f" {median(ratios):>6.2f} {min(ratios):>6.2f} {max(ratios):>9.2f}"
        )


if __name__ == "__main__":
    main()
