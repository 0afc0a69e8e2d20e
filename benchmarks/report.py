"""What was measured, as figures: medians over the rounds of each level."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import Any


@dataclass(frozen=True)
class Round:
    """One round. Rates are per second, latencies in milliseconds; CPU in cores, one number for each web process."""

    answers: float
    turns: float
    p50: float
    p95: float
    client_cpu: float
    web_cpu: tuple[float, ...]
    postgres_cpu: float

    @property
    def cost(self) -> float:
        """CPU of web and database per turn, in milliseconds: worth comparing also when others use the machine."""
        return 1000 * (sum(self.web_cpu) + self.postgres_cpu) / self.turns


def round_of(found: dict[str, Any], web_cpu: Sequence[float], postgres_cpu: float) -> Round:
    """The figures of what `benchmarks.load` returned and of the CPU seconds used meanwhile."""
    counts, seconds = found["counts"], found["seconds"]
    answers = counts.get("answer", 0)
    cuts = quantiles(found["answer_latencies"], n=100) if answers > 1 else [0.0] * 99
    return Round(
        answers=answers / seconds,
        turns=(answers + counts.get("continue", 0)) / seconds,
        p50=1000 * cuts[49],
        p95=1000 * cuts[94],
        client_cpu=found["client_cpu"],
        web_cpu=tuple(cpu / seconds for cpu in web_cpu),
        postgres_cpu=postgres_cpu / seconds,
    )


def middle(rounds: Sequence[Round], name: str) -> float:
    """The median over the rounds of one figure."""
    return float(median(getattr(one, name) for one in rounds))


HEADER = (
    f"{'learners':>8}  {'':<5} {'answers/s':>9} {'turns/s':>8} {'p50 ms':>8} {'p95 ms':>8} {'CPU ms/turn':>12}"
    f"   cores used: {'web':<11} {'database':>8} {'client':>6}"
)


def lines(learners: int, turns: Sequence[Round], orm: Sequence[Round], sql: Sequence[Round]) -> list[str]:
    """The block of one level."""
    shares = (
        f"turn/{name}: {ratio(turns, floor):.2f} by turns per second,"
        f" {middle(floor, 'cost') / middle(turns, 'cost'):.2f} by CPU"
        for name, floor in (("orm", orm), ("sql", sql))
    )
    return [
        _line(str(learners), "turn", turns),
        _line("", "orm", orm),
        _line("", "sql", sql),
        f"{'':>10}{';  '.join(shares)}",
    ]


def ratio(turns: Sequence[Round], floor: Sequence[Round]) -> float:
    """Turns per second as a share of the floor's: each round against the floor's round next to it, then the median."""
    return float(median(one.turns / other.turns for one, other in zip(turns, floor, strict=True)))


def _line(learners: str, name: str, rounds: Sequence[Round]) -> str:
    figures = ("answers", "turns", "p50", "p95", "cost", "postgres_cpu", "client_cpu")
    value = {name: middle(rounds, name) for name in figures}
    web = " + ".join(f"{median(cpus):.2f}" for cpus in zip(*(sorted(one.web_cpu) for one in rounds), strict=True))
    return (
        f"{learners:>8}  {name:<5} {value['answers']:>9.0f} {value['turns']:>8.0f} {value['p50']:>8.1f}"
        f" {value['p95']:>8.1f} {value['cost']:>12.2f}               {web:<11} {value['postgres_cpu']:>8.2f}"
        f" {value['client_cpu']:>6.2f}"
    )
