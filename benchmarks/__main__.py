"""`python -m benchmarks`: measure, print, leave nothing behind."""

import argparse
import json
import os

from benchmarks import escalation, plans_latency, report
from benchmarks.own_place import own_place
from benchmarks.servers import Load, Site, postgres_cpu_seconds, stop
from benchmarks.statements import PLANS, Plan, plan_in_words, plans_of_turns
from config.launcher import prepare

_ABOUT = """
Each round, {n} web processes serve learners who walk the demo lesson with htmx, each a guest of their own with one kept
connection, answering without a pause; 6 answers in 10 are right, and no two are worded alike. "answers" are answers
judged, "turns" these and the "continue"s between them. The floor: a bare Django view without middleware or template,
served by as many of the same web processes on the same database, which does for each turn the statements below on
scratch tables: as "orm" through models of two columns, as "sql" through a cursor; same mix of turns, same client.
Rounds of turns and of both floors alternate; figures are medians of {rounds} rounds of {seconds:g} s;
latency is that of answers. The client shares the machine's {cores} cores with all this: see the last column.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure turns against a bare view.")
    parser.add_argument("--learners", type=int, nargs="+", default=[1, 16, 64], help="learners at once, one level each")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of turns and of floor at each level")
    parser.add_argument("--seconds", type=float, default=4.0, help="the length of a round")
    parser.add_argument(
        "--web", type=int, default=min(2, os.cpu_count() or 1), help="web processes, as WEB_CONCURRENCY"
    )
    parser.add_argument("--turns-only", action="store_true", help="neither turns that ask a model, nor planning")
    options = parser.parse_args()
    with own_place():
        _measure(options)
        if not options.turns_only:
            escalation.measure(options)
            plans_latency.measure()


def _measure(options: argparse.Namespace) -> None:
    prepare.prepare()
    from benchmarks.floor.views import tables_make

    plans, most = plans_of_turns(), max(options.learners)
    tables_make(most)
    lifeline, writing_end = os.pipe()  # its writing end closes with this process, and the web processes end
    sites: list[Site] = []
    load = None
    try:
        sites.append(Site("turns", options.web, lifeline, {}))
        floor = {"DJANGO_SETTINGS_MODULE": "benchmarks.floor.settings", PLANS: json.dumps(plans)}
        sites.append(Site("floor", options.web, lifeline, floor))
        for site in sites:
            site.wait()
        load = Load(sites[0].port, sites[1].port, most)
        _print_about(options, plans)
        for learners in options.learners:
            _level(load, sites, learners, options)
    finally:
        if load is not None:
            load.close()
        stop(sites)
        os.close(writing_end)


def _print_about(options: argparse.Namespace, plans: dict[str, Plan]) -> None:
    print(
        _ABOUT.format(n=options.web, rounds=options.rounds, seconds=options.seconds, cores=os.cpu_count()),
        f"Load of the machine before: {os.getloadavg()[0]:.1f}",
        *(f"statements per {kind}: {plan_in_words(plan)}" for kind, plan in plans.items()),
        report.HEADER,
        sep="\n",
    )


def _level(load: Load, sites: list[Site], learners: int, options: argparse.Namespace) -> None:
    found: dict[str, list[report.Round]] = {"turns": [], "orm": [], "sql": []}
    turns, floor = sites
    for number in range(options.rounds + 1):
        for target, rounds in found.items():
            site = turns if target == "turns" else floor
            one = _round(load, site, target, learners, options.seconds if number else 1.0)
            if number:  # the first of each only warms up
                rounds.append(one)
    print(*report.lines(learners, *found.values()), sep="\n", flush=True)


def _round(load: Load, site: Site, target: str, learners: int, seconds: float) -> report.Round:
    web, database = site.cpu_seconds(), postgres_cpu_seconds()
    found = load.round(target, learners, seconds)
    used = [after - before for before, after in zip(web, site.cpu_seconds(), strict=True)]
    return report.round_of(found, used, postgres_cpu_seconds() - database)


if __name__ == "__main__":
    main()
