"""`python -m benchmarks.plans`: how often planning and evaluation are right, without a model.

`--data FOLDER` adds public pairs of tasks to the figures of the plan cache; `--fit` writes the calibration of relevance
anew.
"""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.own_place import own_place
from benchmarks.plans_tables import Row, shares_of, shares_table

DATA: Final = "ANDAMIO_DATA"
_LABELLED: Final = Path(__file__).parent.parent / "tests" / "data"
_MET: Final[dict[bool | None, str]] = {True: "met", False: "not met", None: "unknown"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA), help=f"folder of the public sets; or {DATA}")
    parser.add_argument("--fit", action="store_true", help="write the calibration of relevance, fitted to its cases")
    options = parser.parse_args()
    with own_place():
        import django

        django.setup()
        _measure(options.data and Path(options.data), fit=options.fit)


def _measure(data: Path | None, *, fit: bool) -> None:
    from benchmarks import plan_cache, plans_relevance

    if fit:
        print(*plans_relevance.fit(), sep="\n")
    for part in (criteria, grammar, plans_relevance.report, types):
        print(*part(), sep="\n", flush=True)
    print(*plan_cache.report(data), sep="\n")


def criteria() -> list[str]:
    """Success criteria checked against results: accuracy, and what was taken for what."""
    from evaluation.checking.check import criterion_check
    from planning.contracts import SuccessCriterion

    rows = [{**row, "text": row["criterion"]} for row in _rows("criteria/accuracy.jsonl")]
    rows += _rows("criteria/cases.jsonl")
    criteria = [SuccessCriterion(text=row["text"]) for row in rows]
    found = [criterion_check(criterion, row["result"]).met for criterion, row in zip(criteria, rows, strict=True)]
    for criterion, row in zip(criteria, rows, strict=True):
        row["kind"] = criterion.parse.kind.value if criterion.parse else "not understood"
    right = [met is row["met"] for met, row in zip(found, rows, strict=True)]
    pairs = Counter((row["met"], met) for met, row in zip(found, rows, strict=True))
    table = [f"{'is, down; said, across':<24}" + "".join(f"{name:>10}" for name in _MET.values())]
    table += [f"{name:<24}" + "".join(f"{pairs[is_met, met]:>10}" for met in _MET) for is_met, name in _MET.items()]
    return [
        *shares_table("Success criteria checked; the aim is over 90 %", shares_of(rows, right, _groups)),
        *table,
        "",
    ]


def grammar() -> list[str]:
    """Criteria that are read as they are meant, in every part that the case names."""
    from planning.criteria import criterion_parse

    rows = list(_rows("criteria/cases.jsonl"))
    right = [_as_meant(criterion_parse(row["text"]), row["parse"]) for row in rows]
    return shares_table("Criteria read as meant", shares_of(rows, right, lambda row: [f"in {row['lang']}"]))


def types() -> list[str]:
    """Tasks whose type is found."""
    from language.detect import language_of
    from planning.understanding import task_type_of

    rows = list(_rows("plans/task_types.jsonl"))
    right = [task_type_of(row["task"], language_of(row["task"])) == row["task_type"] for row in rows]
    return shares_table("Types of tasks", shares_of(rows, right, lambda _: []))


def _as_meant(parse: Any, meant: Row | None) -> bool:
    if parse is None or meant is None:
        return parse is None and meant is None
    return all(getattr(parse, name) == value for name, value in meant.items())


def _groups(row: Row) -> tuple[str, str]:
    return f"in {row['lang']}", f"kind: {row['kind']}"


def _rows(name: str) -> Iterator[Row]:
    for line in (_LABELLED / name).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


if __name__ == "__main__":
    main()
