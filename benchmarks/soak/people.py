"""Who uses the server during a soak: learners in the browser, integrators, staff. A process of its own.

`python -m benchmarks.soak.people FILE SECONDS`: the file says where and with which tokens. Prints one JSON list in the
end: [kind, seconds since the start, latency, status] of each request; status 0 is a connection that broke.
"""

import asyncio
import json
import sys
import time
import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx

from benchmarks.doubt import Doubtful
from benchmarks.learner import Learner

LEARNERS, ADAPTIVE, INTEGRATORS, PLANNERS = 12, 6, 3, 2
"""Who walks the demo lesson, who answers so that a model is asked, programs that do, and programs that plan."""
_PAUSE = (0.5, 2.5)
_STAFF_PAGES = ("/admin/", "/admin/dashboard/", "/admin/gateway/hold/", "/admin/lesson_engine/session/")
_OWN_WORDS = ("yes", "partly", "no")
_REPLIES: tuple[dict[str, Any], ...] = ({"text": "la luz del sol"}, {"dont_know": True})


class Records(list[tuple[str, float, float, int]]):
    """What was asked, when, how long it took and what came."""

    def __init__(self) -> None:
        super().__init__()
        self.began = time.monotonic()

    async def ask(self, kind: str, client: httpx.AsyncClient, method: str, path: str, **more: Any) -> httpx.Response:
        """One request, written down. Raises what the client raises."""
        at = time.monotonic()
        status = 0
        try:
            response = await client.request(method, path, **more)
            status = response.status_code
        finally:
            self.append((kind, at - self.began, time.monotonic() - at, status))
        return response


async def _learn(records: Records, client: httpx.AsyncClient, learner: Learner, kind: str) -> None:
    """One step; a page that is no way on, as after a crash, is left for the lesson's first."""
    step = learner.next_step()
    headers = {**dict(step.headers), "Content-Type": "application/x-www-form-urlencoded"} if step.body else {}
    name = kind if step.kind == "answer" else step.kind
    method = "GET" if step.body is None else "POST"
    answer = await records.ask(name, client, method, step.path, content=step.body, headers=headers)
    learner.see(answer.status_code, answer.headers.get("location", ""), answer.text)


async def _integrate(records: Records, client: httpx.AsyncClient, random: Random, state: dict[str, Any]) -> None:
    """A program that takes a lesson with its learners; each POST that gets no answer is sent again with its key."""
    session = state.get("session")
    if session is None or session["status"] != "active":
        body = {"lesson": "fotosintesis", "learner": f"pupil-{random.randrange(40)}"}
        state["session"] = await _post(records, client, "sessions/", body)
        return
    path = f"sessions/{session['id']}/"
    if session["phase"] == "asking":
        reply = {"version": session["version"], **random.choice(_REPLIES)}
        state["session"] = await _post(records, client, f"{path}answers/", reply)
    elif session["phase"] == "comparing":
        own_word = {"version": session["version"], "said": random.choice(_OWN_WORDS)}
        state["session"] = await _post(records, client, f"{path}self-assessment/", own_word)
    else:
        state["session"] = await _post(records, client, f"{path}continue/", {"version": session["version"]})


async def _plan(records: Records, client: httpx.AsyncClient, random: Random) -> None:
    """A program that has a task planned, which asks a model, and results evaluated that meet it or do not."""
    task = {"task": f"Book a hotel in town {random.randrange(10**6)}", "criteria": ["price < 200", "stars >= 3"]}
    plan = await _post(records, client, "plans/", task)
    if plan is not None:
        result = {"execution_result": {"price": random.choice((120, 260)), "stars": 4}}
        await _post(records, client, f"plans/{plan['id']}/evaluations/", result)


async def _post(records: Records, client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    for _ in range(5):
        try:
            answer = await records.ask("api", client, "POST", f"/api/v1/{path}", json=body, headers=key)
        except httpx.HTTPError:
            await asyncio.sleep(0.5)
            continue
        if answer.status_code < 300:
            return dict(answer.json())
        if answer.status_code not in (409, 429, 503):
            return None
        await asyncio.sleep(0.5)
    return None


async def _audit(records: Records, client: httpx.AsyncClient, random: Random, password: str) -> None:
    """Look at a page of the administration; who is not signed in (any more) signs in."""
    page = await records.ask("staff", client, "GET", random.choice(_STAFF_PAGES))
    if page.status_code == 302:
        form = await client.get("/account/sign-in/")
        token = form.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
        fields = {"csrfmiddlewaretoken": token, "username": "staff", "password": password}
        await records.ask("sign-in", client, "POST", "/account/sign-in/", data=fields)


async def _keep_on(
    until: float, random: Random, work: Callable[[], Awaitable[None]], again: Callable[[], None]
) -> None:
    """Work with pauses until the time is over; after a fault it begins anew."""
    while time.monotonic() < until:
        try:
            await work()
        except (httpx.HTTPError, RuntimeError):
            again()
        await asyncio.sleep(random.uniform(*_PAUSE))


async def _everybody(place: dict[str, Any], seconds: float) -> Records:
    records, until = Records(), time.monotonic() + seconds

    async def one(number: int, **headers: str) -> None:
        random = Random(number)
        async with httpx.AsyncClient(base_url=place["url"], headers=headers, timeout=60) as client:
            if number < LEARNERS + ADAPTIVE:
                work, again = _learning(records, client, place, number >= LEARNERS, random)
            elif number >= 1000 + INTEGRATORS and "Authorization" in headers:
                work, again = partial(_plan, records, client, random), lambda: None
            elif "Authorization" in headers:
                state: dict[str, Any] = {}
                work, again = partial(_integrate, records, client, random, state), state.clear
            else:
                work, again = partial(_audit, records, client, random, place["password"]), lambda: None
            await _keep_on(until, random, work, again)

    learners = [one(number) for number in range(LEARNERS + ADAPTIVE)]
    programs = [
        one(1000 + number, Authorization=f"Bearer {place['token']}") for number in range(INTEGRATORS + PLANNERS)
    ]
    await asyncio.gather(*learners, *programs, one(2000))
    return records


def _learning(
    records: Records, client: httpx.AsyncClient, place: dict[str, Any], adaptive: bool, random: Random
) -> tuple[Callable[[], Awaitable[None]], Callable[[], None]]:
    learners: list[Learner] = []

    def fresh() -> None:
        learners[:] = [Doubtful(random, place["slug"], "adaptive", place["texts"]) if adaptive else Learner(random)]

    fresh()
    return lambda: _learn(records, client, learners[0], "asking" if adaptive else "answer"), fresh


def main() -> None:
    place = json.loads(Path(sys.argv[1]).read_text())
    with asyncio.Runner() as runner:
        records = runner.run(_everybody(place, float(sys.argv[2])))
    print(json.dumps(records))


if __name__ == "__main__":
    main()
