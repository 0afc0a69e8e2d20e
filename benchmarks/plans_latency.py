"""`python -m benchmarks.plans_latency`: how long planning and evaluating take without a model, beside the targets."""

import argparse
import os
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from itertools import count, product
from statistics import quantiles
from typing import Any, Final, NamedTuple

from benchmarks.own_place import own_place
from config.launcher import prepare

_ABOUT = """
Planning and evaluating without a model, {rounds} times each, one after another, by a user with {episodes} memories.
Fresh plans are for tasks that no earlier plan fits, and no text was embedded before; plans from the cache are for a
task that adds something to an earlier one. The plan that is evaluated has {steps} steps and {criteria} criteria, a
result has five fields; all is stored. The floor is measured in the same turns: inserting the same rows by the same
models in one transaction without anything else, and embedding one new sentence. Targets are RT-009's; the aim is a
tenth of the target.
"""
_HEADER = f"{'':<40} {'p50 ms':>8} {'p95 ms':>8} {'p99 ms':>8} {'target':>7} {'aim':>6}"
_ROUNDS: Final = 100
_EPISODES: Final = 200
_TASKS = (
    "Book hotel in {}", "Find romantic restaurant in {}", "Book flight to {} on Dec 15", "Plan a trip to {}",
    "Rent a car in {}", "Find a flat in {} under 900 euros", "Reservar mesa en {}", "Comprar billete de tren a {}",
)  # fmt: skip
_PLACES = (
    "Paris", "London", "Rome", "Madrid", "Lisbon", "Berlin", "Vienna", "Prague", "Athens", "Dublin", "Oslo", "Lima",
    "Quito", "Bogotá", "Havana", "Tokyo", "Kyoto", "Seoul", "Hanoi", "Sydney", "Cairo", "Toronto", "Boston", "Chicago",
)  # fmt: skip
_CRITERIA = ("Hotel quality >= 7", "Price within budget ($200)", "Hotel has pool", "User confirms")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plans_latency", description=__doc__)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    options = parser.parse_args()
    with own_place():
        prepare.prepare()
        measure(options.rounds)


def measure(rounds: int = _ROUNDS) -> None:
    """Print the figures. Needs a prepared place."""
    bench = _Bench()
    plan = bench.sample
    print(f"\nLoad of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
    steps, criteria = len(plan.steps), len(plan.success_criteria)
    print(_ABOUT.format(rounds=rounds, episodes=_EPISODES, steps=steps, criteria=criteria), _HEADER, sep="\n")
    times: dict[str, list[float]] = {work.name: [] for work in bench.works}
    for number in range(rounds + 1):
        for work in bench.works:
            began = time.perf_counter()
            work.run()
            if number:  # the first of each only warms up
                times[work.name].append(1000 * (time.perf_counter() - began))
    for work in bench.works:
        print(_line(work, times[work.name]), flush=True)


class _Work(NamedTuple):
    """What is measured; `operation` is the one whose target it has, empty for a floor."""

    name: str
    operation: str
    run: Callable[[], Any]


def _line(work: _Work, times: Sequence[float]) -> str:
    from gateway.operations.registry import operation_named

    cuts = quantiles(times, n=100)
    figures = " ".join(f"{cuts[at]:>8.1f}" for at in (49, 94, 98))
    if not work.operation:
        return f"{work.name:<40} {figures}"
    target = operation_named(work.operation).target_ms
    met = "met" if cuts[94] <= target / 10 else "NOT MET"
    return f"{work.name:<40} {figures} {target:>7} {target / 10:>6.0f} {met}"


class _Bench:
    def __init__(self) -> None:
        from accounts.models import User
        from evaluation.layer import EvaluationLayer
        from memory.services import episode_store
        from planning.layer import PlanningLayer

        self._user = User.objects.create(username=f"bench-{uuid.uuid4().hex[:8]}", password="!")
        for number in range(_EPISODES):
            content = f"Hotel booking {number} - quality > price, near the station"
            episode_store(self._user, content, "hotel_booking", "success", source=f"bench:{number}")
        self._planning, self._evaluation = PlanningLayer(), EvaluationLayer()
        self._tasks, self._numbers = _tasks(), count()
        self.sample = self._planning.create_plan("Book hotel in Granada", self._user.pk, criteria=_CRITERIA)
        self._planning.create_plan("Book hotel in Seville", self._user.pk)
        self.works = (
            _Work("create_plan, fresh", "create_plan", self._fresh),
            _Work("create_plan, from the cache", "create_plan", self._cached),
            _Work("  floor: a plan's rows", "", self._plan_rows),
            _Work("decompose_task", "decompose_task", self._decomposed),
            _Work("retrieve_experience", "retrieve_experience", self._experience),
            _Work("  floor: an embedding", "", self._embedded),
            _Work("evaluate_result", "evaluate_result", self._evaluated),
            _Work("  floor: an evaluation's rows", "", self._evaluation_rows),
            _Work("check_criterion", "check_criteria", self._checked),
            _Work("assess_relevance", "assess_relevance", self._relevance),
        )

    def _fresh(self) -> None:
        self._planning.create_plan(next(self._tasks), self._user.pk)

    def _cached(self) -> None:
        plan = self._planning.create_plan(f"Book hotel in Seville for {next(self._numbers) + 2} nights", self._user.pk)
        if plan.metadata.source != "cache":
            raise RuntimeError(f"{plan.task} was not served from the cache")

    def _plan_rows(self) -> None:
        from planning.models import Criterion, Plan, Step

        _copied(Plan.objects.filter(task=self.sample.task).earliest("created_at"), (Step, Criterion), "plan")

    def _decomposed(self) -> None:
        self._planning.decompose_task(next(self._tasks))

    def _experience(self) -> None:
        task = f"Book hotel number {next(self._numbers)} in London"
        self._planning.retrieve_experience(task, self._user.pk, "hotel_booking")

    def _embedded(self) -> None:
        from gateway.services import texts_embed_locally

        texts_embed_locally([f"Book hotel number {next(self._numbers)} in London"])

    def _evaluated(self) -> None:
        self._evaluation.evaluate_result(self.sample, self._result())

    def _evaluation_rows(self) -> None:
        from evaluation.models import CriterionCheck, Evaluation

        _copied(Evaluation.objects.latest("created_at"), (CriterionCheck,), "evaluation")

    def _checked(self) -> None:
        self._evaluation.check_criterion("Hotel quality >= 7", self._result())

    def _relevance(self) -> None:
        self._evaluation.assess_relevance(next(self._tasks), self._result())

    def _result(self) -> dict[str, Any]:
        number = next(self._numbers)
        hotel = {"name": f"Hotel Lutetia {number}", "city": "Granada", "quality": 8, "price": 150 + number % 40}
        return {"hotel_selected": hotel, "user_feedback": "confirmed"}


def _tasks() -> Iterator[str]:
    """Tasks that no plan of another serves: another place, or another thing; then with a number that none has had."""
    yield from (task.format(place) for place, task in product(_PLACES, _TASKS))
    for number, (place, task) in enumerate(product(_PLACES * 100, _TASKS), 3):
        yield f"{task.format(place)} for {number} people"


def _copied(row: Any, parts: Sequence[Any], name: str) -> None:
    """Insert the rows of a plan or an evaluation again, under a new key."""
    from django.db import transaction

    rows = [[*part.objects.filter(**{name: row.pk})] for part in parts]
    row.pk = uuid.uuid4()
    row._state.adding = True
    with transaction.atomic():
        row.save(force_insert=True)
        for part, copies in zip(parts, rows, strict=True):
            for copy in copies:
                copy.pk = None
                setattr(copy, name, row)
            part.objects.bulk_create(copies)


if __name__ == "__main__":
    main()
