"""The load, in a process of its own: `python -m benchmarks.load TURNS_PORT FLOOR_PORT LEARNERS`.

Reads one order a line on standard input, `{"target": "turns"|"orm"|"sql", "learners": n, "seconds": s}`, and writes one
line with what it measured. Latencies are in seconds, from the first byte sent to the last byte read.
"""

import asyncio
import json
import sys
import time
from collections import Counter, defaultdict
from functools import partial
from random import Random
from typing import Any

from benchmarks.browser import Browser
from benchmarks.learner import Learner

TURNS = ("answer", "continue")


class Crowd:
    """Learners with their sessions, kept from round to round; in the floor's rounds they send what they did last."""

    def __init__(self, turns_port: int, floor_port: int, size: int) -> None:
        self._learners = [(Browser(turns_port), Learner(Random(number))) for number in range(size)]
        self._floor = [Browser(floor_port) for _ in range(size)]
        self._walked: list[list[str]] = [["answer"] for _ in range(size)]

    async def enter(self) -> None:
        """Everybody opens the lesson as a guest of their own and stands before its first step."""
        for browser, learner in self._learners:
            await browser.connect()
            while not learner.ready:
                await step_taken(browser, learner)
            browser.close()

    async def round(self, target: str, learners: int, seconds: float) -> dict[str, Any]:
        """Everybody does turn after turn until the time is over. What was begun in time counts."""
        browsers = [browser for browser, _ in self._learners] if target == "turns" else self._floor
        for browser in browsers[:learners]:
            await browser.connect()
        act = self._take_turns if target == "turns" else partial(self._ask_floor, target)
        cpu, began = time.process_time(), time.monotonic()
        found = await asyncio.gather(*(act(number, began + seconds) for number in range(learners)))
        took, used = time.monotonic() - began, time.process_time() - cpu
        for browser in browsers[:learners]:
            browser.close()
        latencies: dict[str, list[float]] = defaultdict(list)
        for one in found:
            for kind, latency in one:
                latencies[kind].append(latency)
        counts = Counter({kind: len(values) for kind, values in latencies.items()})
        return {"counts": counts, "answer_latencies": latencies["answer"], "seconds": took, "client_cpu": used / took}

    async def _take_turns(self, number: int, until: float) -> list[tuple[str, float]]:
        browser, learner = self._learners[number]
        found = []
        while time.monotonic() < until:
            found.append(await step_taken(browser, learner))
        self._walked[number] = [kind for kind, _ in found if kind in TURNS]
        return found

    async def _ask_floor(self, way: str, number: int, until: float) -> list[tuple[str, float]]:
        browser, kinds = self._floor[number], self._walked[number]
        found: list[tuple[str, float]] = []
        while (began := time.monotonic()) < until:
            kind = kinds[len(found) % len(kinds)]
            status, _, page = await browser.send(f"/{way}/{kind}/{number}", "answer=x")
            if status != 200:
                raise RuntimeError(f"the floor answered {status}: {page[:200]}")
            found.append((kind, time.monotonic() - began))
        return found


async def step_taken(browser: Browser, learner: Learner) -> tuple[str, float]:
    """Do what comes next; its kind and its latency in seconds."""
    step = learner.next_step()
    began = time.monotonic()
    answer = await browser.send(step.path, step.body, step.headers)
    latency = time.monotonic() - began
    learner.see(*answer)
    return step.kind, latency


def main() -> None:
    turns_port, floor_port, size = (int(argument) for argument in sys.argv[1:])
    crowd = Crowd(turns_port, floor_port, size)
    with asyncio.Runner() as runner:
        runner.run(crowd.enter())
        print(json.dumps("ready"), flush=True)
        for line in sys.stdin:
            print(json.dumps(runner.run(crowd.round(**json.loads(line)))), flush=True)


if __name__ == "__main__":
    main()
