"""`python -m benchmarks.escalation`: turns that ask the thinker, beside turns that do not; part of `make bench`."""

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from statistics import median, quantiles

from benchmarks.doubt import OPINION, QUESTIONS, Question
from benchmarks.own_place import own_place
from benchmarks.servers import Ordered, Provider, Site, postgres_cpu_seconds, stop
from config.launcher import places, prepare

_ABOUT = """
Turns that ask the thinker. Learners, each a guest of their own, answer one question again and again; of each answer
the grader is in doubt, so in adaptive mode it is one call to the provider: a server of its own process on this machine.
Everything is as in a lesson: {n} web processes, one database, holds and settlements in the accounts of the session and
of all guests' day and of the tutor's month. A round takes {seconds:g} s and there are {rounds} of each kind, after one
to warm up.
"""
_IN_FLIGHT = 100
_DELAYS = {"slow": 1.0, "thinking": 5.0, "long": 8.0, "instant": 0.0}
"""Seconds that each provider takes. With the first, learners without a pause ask for more than two cores can bear."""
_AT_ONCE = 16
"""Learners where the provider is instant."""
_OTHERS, _OTHERS_MOST = 4, 1.1
"""Learners who ask no model while `_IN_FLIGHT` wait for one, and how much longer their turns may take than alone."""
_SENT_WITHIN, _ALL_WAIT, _OTHERS_SECONDS = 2.0, 3.5, 4.0
"""Seconds of a "long" round: all are sent, all surely wait, and how long the others' turns are measured then."""
_TEXTS = 400
_UNLIMITED = "100000000"
_ACCOUNTS = ("GUESTS_DAY_BUDGET_CENTS", "USER_DAY_BUDGET_CENTS", "AGENT_MONTH_BUDGET_CENTS")
_AIM_MS, _AIM_SHARE = 500, 0.2
_LEAST_ASKED = 0.98
_HEADER = (
    f"{'':<44} {'answers/s':>9} {'p50 ms':>8} {'p95 ms':>8} {'CPU ms/answer':>14}"
    "   cores used: web, database, provider, client"
)


@dataclass(frozen=True)
class _Kind:
    """One line of the table: who answers, how many at once, and what of each answer's time is the provider's."""

    name: str
    crowd: str
    learners: int
    spread: float
    seconds: float
    provider_seconds: float = 0.0
    asks: bool = True

    @property
    def site(self) -> str:
        """Whose provider they ask; those who ask none are served beside the instant one."""
        name = self.crowd.partition("-")[0]
        return name if name in _DELAYS else "instant"


@dataclass(frozen=True)
class _Round:
    """Answers a second, seconds of each answer without the provider's, and cores used."""

    answers: float
    own: list[float]
    cores: tuple[float, ...]

    @property
    def cost(self) -> float:
        """CPU of web and database for each answer, in milliseconds: worth comparing also on a machine in use."""
        return 1000 * (self.cores[0] + self.cores[1]) / self.answers


class _Bench:
    """Everything that runs: two providers, the web processes that ask each, and the load."""

    def __init__(self, running: ExitStack, options: argparse.Namespace) -> None:
        lifeline, self._writing_end = os.pipe()  # its writing end closes with this process, and the web processes end
        running.callback(os.close, self._writing_end)
        self.providers = {
            name: running.enter_context(closing(Provider(delay=delay, reply=OPINION)))
            for name, delay in _DELAYS.items()
        }
        self.sites = {name: Site(name, options.web, lifeline, _settings(self.providers[name])) for name in _DELAYS}
        running.callback(stop, list(self.sites.values()))
        for site in self.sites.values():
            site.wait()
        file = places.var() / "escalation.json"
        file.write_text(json.dumps({crowd: of for question in QUESTIONS for crowd, of in self._crowds(question)}))
        self._load = running.enter_context(closing(Ordered("benchmarks.escalation_load", str(file))))

    def _crowds(self, question: Question) -> Iterator[tuple[str, dict[str, object]]]:
        texts = question.doubtful_texts(_TEXTS)
        for name, site, mode, learners in (
            ("slow", "slow", "adaptive", _IN_FLIGHT),
            ("thinking", "thinking", "adaptive", _IN_FLIGHT),
            ("instant", "instant", "adaptive", _AT_ONCE),
            ("rules", "instant", "deterministic", _AT_ONCE),
            ("long", "long", "adaptive", _IN_FLIGHT),
            ("others", "long", "deterministic", _OTHERS),
        ):
            crowd = {"port": self.sites[site].port, "slug": question.slug, "mode": mode, "learners": learners}
            yield f"{name}-{question.name}", {**crowd, "texts": texts}

    def round(self, kind: _Kind) -> _Round:
        """One round; raises `RuntimeError` when the provider was not asked as often as it should."""
        name = kind.site
        calls, before = self.providers[name].calls(), self._cpu_seconds(name)
        found = self._load.order(crowd=kind.crowd, learners=kind.learners, seconds=kind.seconds, spread=kind.spread)
        answers, seconds = found["counts"]["answer"], found["seconds"]
        used = [(after - one) / seconds for after, one in zip(self._cpu_seconds(name), before, strict=True)]
        _check(kind, self.providers[name].calls() - calls, answers)
        own = [latency - kind.provider_seconds for latency in found["answer_latencies"]]
        return _Round(answers / seconds, own, (*used, found["client_cpu"]))

    def others(self, question: Question) -> tuple[list[float], list[float]]:
        """Seconds of turns that ask no model: while many wait for one, and after."""
        turns = {"crowd": f"others-{question.name}", "learners": _OTHERS, "seconds": _OTHERS_SECONDS, "spread": 0.0}
        waiting = {"crowd": f"long-{question.name}", "learners": _IN_FLIGHT, "seconds": 0.0, "spread": _SENT_WITHIN}
        if not self.providers["long"].calls():
            self._load.order(**waiting)  # these web processes have done nothing yet
        calls = self.providers["long"].calls()
        self._load.send(**waiting, beside={**turns, "after": _ALL_WAIT})
        self._load.read()  # all have come
        time.sleep(_ALL_WAIT)
        asked = self.providers["long"].calls() - calls
        found = self._load.read()
        if asked < _LEAST_ASKED * _IN_FLIGHT:
            raise RuntimeError(f"{asked} of {_IN_FLIGHT} waited while the others' turns were measured")
        alone = self._load.order(**turns)
        return found["beside"]["answer_latencies"], alone["answer_latencies"]

    def _cpu_seconds(self, name: str) -> list[float]:
        web = sum(self.sites[name].cpu_seconds())
        return [web, postgres_cpu_seconds(), self.providers[name].cpu_seconds()]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.escalation", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each kind")
    parser.add_argument("--seconds", type=float, default=4.0, help="the length of a round")
    parser.add_argument(
        "--web", type=int, default=min(2, os.cpu_count() or 1), help="web processes, as WEB_CONCURRENCY"
    )
    options = parser.parse_args()
    with own_place():
        prepare.prepare()
        measure(options)


def measure(options: argparse.Namespace) -> None:
    """Print the figures of turns that ask the thinker. Needs a prepared place."""
    from lesson_engine.services.lessons import lesson_import

    for question in QUESTIONS:
        lesson_import(source=question.lesson_json())
    print(_ABOUT.format(n=options.web, rounds=options.rounds, seconds=options.seconds))
    print(f"Load of the machine before: {os.getloadavg()[0]:.1f}", _HEADER, sep="\n")
    with ExitStack() as running:
        bench = _Bench(running, options)
        for question in QUESTIONS:
            print(question.about)
            _in_flight(bench, question, options)
            _beside_deterministic(bench, question, options)
        _others(bench, QUESTIONS[0], options)


def _in_flight(bench: _Bench, question: Question, options: argparse.Namespace) -> None:
    slow, thinking = (_in_flight_kind(name, question, options.seconds) for name in ("slow", "thinking"))
    for kind in (slow, thinking):
        p95 = _line(kind, [bench.round(kind) for _ in range(options.rounds + 1)][1:])
        met = "met" if p95 < _AIM_MS else "NOT MET"
        print(f"    own time p95 {p95:.0f} ms; the aim is under {_AIM_MS}: {met}")
    burst = replace(slow, name="  of 1 s, all sent at the same moment", spread=0.0, seconds=0.0)
    _line(burst, [bench.round(burst) for _ in range(options.rounds)])


def _in_flight_kind(name: str, question: Question, seconds: float) -> _Kind:
    delay = _DELAYS[name]
    of = f"{_IN_FLIGHT} in flight, provider of {delay:g} s: own time"
    return _Kind(of, f"{name}-{question.name}", _IN_FLIGHT, delay, max(seconds, 2 * delay), delay)


def _beside_deterministic(bench: _Bench, question: Question, options: argparse.Namespace) -> None:
    of = f"{_AT_ONCE} at once, instant provider"
    asking = _Kind(of, f"instant-{question.name}", _AT_ONCE, 0.0, options.seconds)
    rules = replace(asking, name="  the same answers, deterministic mode", crowd=f"rules-{question.name}", asks=False)
    pairs = [(bench.round(asking), bench.round(rules)) for _ in range(options.rounds + 1)][1:]
    for kind, rounds in zip((asking, rules), zip(*pairs, strict=True), strict=True):
        _line(kind, list(rounds))
    share = median(one.answers / other.answers for one, other in pairs)
    met = "met" if share >= _AIM_SHARE else "NOT MET"
    print(f"    escalating/deterministic answers a second: {share:.2f}; the aim is at least {_AIM_SHARE:g}: {met}")


def _others(bench: _Bench, question: Question, options: argparse.Namespace) -> None:
    pairs = [bench.others(question) for _ in range(options.rounds)]
    beside, alone = (median(median(times) for times in side) for side in zip(*pairs, strict=True))
    share = median(median(waiting) / median(after) for waiting, after in pairs)
    met = "met" if share <= _OTHERS_MOST else "NOT MET"
    print(f"{_OTHERS} learners in deterministic mode while {_IN_FLIGHT} wait: p50 {1000 * beside:.1f} ms, ", end="")
    print(f"alone {1000 * alone:.1f} ms: {share:.2f} times; the aim is at most {_OTHERS_MOST:g}: {met}", flush=True)


def _settings(provider: Provider) -> dict[str, str]:
    """Of web processes that ask this provider, with accounts that do not run out."""
    return {"OPENAI_BASE_URL": provider.url, "OPENAI_API_KEY": "bench", **dict.fromkeys(_ACCOUNTS, _UNLIMITED)}


def _check(kind: _Kind, calls: int, answers: int) -> None:
    """Each answer asked the provider once, or none did."""
    right = _LEAST_ASKED * answers <= calls <= answers if kind.asks else calls == 0
    if not right:
        raise RuntimeError(f"{kind.name}: {answers} answers made {calls} calls to the provider")


def _line(kind: _Kind, rounds: Sequence[_Round]) -> float:
    """Print medians over the rounds; the p95 in milliseconds."""
    cuts = [quantiles(one.own, n=20) for one in rounds]
    p50, p95 = (1000 * median(cut[at] for cut in cuts) for at in (9, 18))
    cores = ", ".join(f"{median(used):.2f}" for used in zip(*(one.cores for one in rounds), strict=True))
    answers, cost = median(one.answers for one in rounds), median(one.cost for one in rounds)
    print(f"{kind.name:<44} {answers:>9.0f} {p50:>8.1f} {p95:>8.1f} {cost:>14.1f}   {cores}", flush=True)
    return p95


if __name__ == "__main__":
    main()
