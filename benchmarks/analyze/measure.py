"""Measures Analyze: charts of nvBench, the narrowing of tools, whole answers over files, and how long it all takes.

Each report says what is held out.
"""

import argparse
from pathlib import Path

from benchmarks.analyze import answers, corpus, nl2vis, speed, tools_measure

PARTS = ("nl2vis", "tools", "answers", "speed")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.analyze", description=__doc__)
    parser.add_argument(
        "--data", type=Path, help="folder with nl2vis/, tools/ and routing/; without it these are left out"
    )
    parser.add_argument(
        "--answers", type=Path, action="append", help="a folder of questions over files instead of those in answers/"
    )
    parser.add_argument("--only", choices=PARTS, action="append", help="measure this part; several may be named")
    parser.add_argument(
        "--fit",
        action="store_true",
        help="first fit the network on questions/ (and charts of --data) and store it; needs torch, see fit.py",
    )
    parser.add_argument(
        "--held-out",
        choices=corpus.sets_known(),
        action="append",
        default=[],
        metavar="SET",
        help="with --fit, a set of questions/ to measure on instead of fitting on it; several may be named",
    )
    parser.add_argument("--misses", action="store_true", help="list the questions that were read or answered wrongly")
    chosen = parser.parse_args()
    if chosen.held_out and not chosen.fit:
        parser.error("--held-out goes with --fit")
    if chosen.fit:
        from benchmarks.analyze.fit import fit  # torch is there only where somebody fits

        fit(chosen.data, held_out=chosen.held_out)
        print()
    parts = chosen.only or PARTS
    if chosen.data and "nl2vis" in parts:
        nl2vis.report(chosen.data / "nl2vis", misses=chosen.misses)
        print()
    if chosen.data and "tools" in parts:
        tools_measure.report(chosen.data)
        print()
    if "answers" in parts:
        answers.report(chosen.answers or answers.folders_shipped(), misses=chosen.misses)
        print()
    if "speed" in parts:
        speed.report()
