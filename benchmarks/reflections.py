"""`python -m benchmarks.reflections`: reflections on failures whose cause was planted, without a model.

Says how many name the cause, what the gate says of them, and how much the analyses are alike. Each failure is made for
real: planned, evaluated, reflected on. The held-out ones come first; `--misses` lists what was taken for what, and
`--show` prints the reflections.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import mean, quantiles
from typing import TYPE_CHECKING, Any, Final

from benchmarks.own_place import own_place

if TYPE_CHECKING:
    from reflection.causes import Cause
    from reflection.contracts import Reflection, ValidationResult
    from reflection.contracts.failure import Failure

_NAMES: Final = {"planted_failures.jsonl": "held out", "planted_failures_more.jsonl": "held out, written later"}


class Made:
    """One row with what came of it."""

    def __init__(self, row: dict[str, Any], failure: "Failure") -> None:
        from reflection.causes import cause_of, reflection_of
        from reflection.quality.gate import gate_of

        self.row, self.failure = row, failure
        begun = time.perf_counter()
        self.reflection: Reflection = reflection_of(failure, [])
        self.ms = 1_000 * (time.perf_counter() - begun)
        self.cause: Cause = cause_of(failure)
        self.validation: ValidationResult = gate_of(failure, [])(self.reflection)

    @property
    def is_named(self) -> bool:
        return bool(self.cause.kind.value == self.row["cause"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reflections", description=__doc__)
    parser.add_argument("--misses", action="store_true", help="list what was taken for what")
    parser.add_argument("--show", action="store_true", help="print the reflections")
    options = parser.parse_args()
    with own_place():
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from benchmarks.planted import DEVELOPMENT, HELD_OUT, MORE, failures_of

        for name in (HELD_OUT, MORE, DEVELOPMENT):
            made = [Made(row, failure) for row, failure in failures_of(name)]
            print(*report(_NAMES.get(name, "development"), made), "", sep="\n", flush=True)
            if options.misses:
                print(*misses(made), sep="\n")
            if options.show:
                print(*map(shown, made), sep="\n\n")


def report(title: str, made: Sequence[Made]) -> Iterator[str]:
    """The figures of one set."""
    yield f"Planted failures, {title}: {len(made)}"
    for language in ("en", "es"):
        ours = [one for one in made if one.row["lang"] == language]
        yield f"  {language}: {_share(ours, 'named')}, {_share(ours, 'accepted')}"
    yield f"  all: {_share(made, 'named')} (the aim is 0.9), {_share(made, 'accepted')} (the aim is 0.95)"
    metrics = defaultdict(list)
    for one in made:
        for name, value in one.validation.metrics.items():
            metrics[name].append(value)
    means = ", ".join(f"{name} {mean(values):.2f}" for name, values in metrics.items())
    yield f"  mean quality {mean(one.validation.quality_score for one in made):.2f}; {means}"
    yield "  " + alike(made)
    timings = [one.ms for one in made]
    yield f"  a reflection takes {mean(timings):.1f} ms, p95 {quantiles(timings, n=20)[-1]:.1f} ms"


def _share(made: Sequence[Made], what: str) -> str:
    right = sum(one.is_named if what == "named" else one.validation.decision.value == "accepted" for one in made)
    return f"{what} {right}/{len(made)} = {right / max(len(made), 1):.2f}"


def alike(made: Sequence[Made]) -> str:
    """How alike two analyses are at most: words that they share, and the cosine of the local embedder."""
    from gateway.services import texts_embed_locally

    words = [(one.row["id"], frozenset(one.reflection.analysis.lower().split())) for one in made]
    shared, first, second = max(
        (len(a & b) / max(len(a | b), 1), one, other) for (one, a), (other, b) in combinations(words, 2)
    )
    vectors = texts_embed_locally([one.reflection.analysis for one in made])
    cosines = [float(vectors[a] @ vectors[b]) for a, b in combinations(range(len(made)), 2)]
    distinct = len({one.reflection.analysis for one in made})
    return (
        f"{distinct} different analyses; most alike {first} and {second} with {shared:.2f} of their words; "
        f"highest cosine {max(cosines):.2f}, mean {mean(cosines):.2f}"
    )


def misses(made: Sequence[Made]) -> Iterator[str]:
    """What was taken for what, and what the gate did not let through."""
    wrong = Counter((one.row["cause"], one.cause.kind.value, one.row["id"]) for one in made if not one.is_named)
    for planted, said, row in sorted(wrong):
        yield f"  {row}: {planted} taken for {said}"
    for one in made:
        if one.validation.violations:
            yield f"  {one.row['id']}: {'; '.join(one.validation.violations)}"


def shown(made: Made) -> str:
    """A reflection as it reads."""
    reflection = made.reflection
    adjustments = "\n".join(f"  - {text}" for text in reflection.strategy_adjustments)
    return f"{made.row['id']} ({made.cause.kind.value})\n{reflection.analysis}\n{adjustments}\n{reflection.learning}"


if __name__ == "__main__":
    main()
