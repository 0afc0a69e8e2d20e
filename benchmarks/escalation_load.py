"""The load of `benchmarks.escalation`, in a process of its own: `python -m benchmarks.escalation_load FILE`.

The file names crowds, {name: {"port": n, "slug": s, "mode": m, "learners": n, "texts": [...]}}. Reads one order a line
on standard input, {"crowd": name, "learners": n, "seconds": s, "spread": s}, and writes one line with what it measured.
An order may have another `beside` it, which begins `after` some seconds and has its own line within the first's; a
line before it says that all have come.
Latencies are in seconds, from the first byte sent to the last byte read.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.browser import Browser
from benchmarks.doubt import Doubtful
from benchmarks.load import step_taken

_STANDS = 3  # learners who come to their first question at a time


class Crowd:
    """Learners of one mode with their sessions, kept from round to round."""

    def __init__(self, port: int, slug: str, mode: str, learners: int, texts: list[str]) -> None:
        self._learners = [(Browser(port), Doubtful(Random(number), slug, mode, texts)) for number in range(learners)]

    async def round(self, learners: int, seconds: float, spread: float) -> dict[str, Any]:
        """Each answers until the time is over, once at least, beginning within `spread` seconds of the first."""
        await self.arrive(learners)
        chosen = self._learners[:learners]
        for browser, _ in chosen:  # the server closes connections that were idle for some seconds
            await browser.connect()
        cpu, began = time.process_time(), time.monotonic()
        until = began + seconds
        found = await asyncio.gather(
            *(_answers(*one, began + spread * at / learners, until) for at, one in enumerate(chosen))
        )
        took, used = time.monotonic() - began, time.process_time() - cpu
        for browser, _ in chosen:
            browser.close()
        counts = Counter(kind for one in found for kind, _ in one)
        latencies = [latency for one in found for kind, latency in one if kind == "answer"]
        return {"counts": counts, "answer_latencies": latencies, "seconds": took, "client_cpu": used / took}

    async def arrive(self, learners: int) -> None:
        """So many have a question to answer."""
        gate = asyncio.Semaphore(_STANDS)

        async def one(browser: Browser, learner: Doubtful) -> None:
            async with gate:
                await browser.connect()
                while not learner.ready:
                    await step_taken(browser, learner)

        await asyncio.gather(*(one(*both) for both in self._learners[:learners]))


async def _answers(browser: Browser, learner: Doubtful, first: float, until: float) -> list[tuple[str, float]]:
    await asyncio.sleep(max(0.0, first - time.monotonic()))
    found = [await step_taken(browser, learner)]
    while time.monotonic() < until:
        found.append(await step_taken(browser, learner))
    return found


def main() -> None:
    crowds = {name: Crowd(**crowd) for name, crowd in json.loads(Path(sys.argv[1]).read_text()).items()}
    with asyncio.Runner() as runner:
        print(json.dumps("ready"), flush=True)
        for line in sys.stdin:
            order = json.loads(line)
            print(json.dumps(runner.run(_carried_out(crowds, **order))), flush=True)


async def _carried_out(
    crowds: dict[str, Crowd], *, crowd: str, after: float = 0.0, beside: dict[str, Any] | None = None, **order: Any
) -> dict[str, Any]:
    await asyncio.sleep(after)
    if beside is None:
        return await crowds[crowd].round(**order)
    await crowds[crowd].arrive(order["learners"])
    await crowds[beside["crowd"]].arrive(beside["learners"])
    print(json.dumps("all have come"), flush=True)
    first, other = await asyncio.gather(crowds[crowd].round(**order), _carried_out(crowds, **beside))
    return {**first, "beside": other}


if __name__ == "__main__":
    main()
