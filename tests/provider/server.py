"""The provider: a thread with an event loop, a script of what comes next, and a record of what came."""

import asyncio
import json
import random
import threading
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.provider import protocol
from tests.provider.behaviour import Behaviour, Used
from tests.provider.connection import Connection, Request

HOST = "127.0.0.1"
_PATIENCE = 30.0
_EVENTS = {"Content-Type": "text/event-stream"}
_JSON = {"Content-Type": "application/json"}


@dataclass
class Call:
    """One call. `used` is what the client was told, or None; `billed` what it is charged for, told or not.

    `state` is "in flight", "answered", "refused" (any HTTP error), "cut", or "gone" when the client went first.
    """

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    used: Used | None = None
    billed: Used | None = None
    state: str = "in flight"


@dataclass
class _Script:
    always: Behaviour | None = None
    queue: deque[Behaviour] = field(default_factory=deque)


class Provider:
    """`with Provider() as provider:` serves at `provider.url`. All methods may be called from any thread."""

    def __init__(self, port: int = 0) -> None:
        self._loop = asyncio.new_event_loop()
        self._changed = threading.Condition()
        self._calls: list[Call] = []
        self._scripts: dict[str | None, _Script] = defaultdict(_Script)
        self._scripts[None].always = Behaviour()
        self._faults: tuple[float, tuple[Behaviour, ...]] = 0.0, ()
        self._released = asyncio.Event()
        self._connections: set[Connection] = set()
        self._server = self._loop.run_until_complete(
            self._loop.create_server(lambda: Connection(self._answer, self._connections), HOST, port, backlog=1024)
        )
        self.port = int(self._server.sockets[0].getsockname()[1])
        self.url = f"http://{HOST}:{self.port}/v1"
        self._thread = threading.Thread(target=self._loop.run_forever, name="provider", daemon=True)

    def __enter__(self) -> "Provider":
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(_PATIENCE)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_PATIENCE)
        self._loop.close()

    # What a test says.

    def next(self, *behaviours: Behaviour, model: str | None = None) -> None:
        """The next calls are answered so, one each; a model's own script comes before what holds for all."""
        with self._changed:
            self._scripts[model].queue.extend(behaviours)

    def always(self, behaviour: Behaviour, model: str | None = None) -> None:
        """All calls for which nothing else is scripted are answered so."""
        with self._changed:
            self._scripts[model].always = behaviour

    def sometimes(self, share: float, *faults: Behaviour) -> None:
        """Of the calls for which nothing is scripted this share is answered by one of these, as chance will have it."""
        with self._changed:
            self._faults = share, faults

    def release(self) -> None:
        """Everything that hangs or trickles now goes on."""
        self._loop.call_soon_threadsafe(self._release)

    # What a test asks.

    @property
    def calls(self) -> list[Call]:
        """All calls so far in the order of their arrival."""
        with self._changed:
            return list(self._calls)

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies of all calls so far."""
        return [call.body for call in self.calls]

    @property
    def in_flight(self) -> int:
        """How many calls wait for their answer, or for the rest of it."""
        return len(self._in("in flight"))

    @property
    def gone(self) -> int:
        """How many clients went before their answer was whole."""
        return len(self._in("gone"))

    @property
    def used(self) -> Used:
        """The sum of what the answers said was used."""
        told = [call.used for call in self.calls if call.used is not None]
        names = ("prompt", "completion", "cached", "reasoning")
        return Used(**{name: sum(getattr(one, name) for one in told) for name in names})

    def wait_calls(self, count: int, seconds: float = _PATIENCE) -> None:
        """Until so many calls have arrived in all."""
        self._wait(lambda: len(self._calls) >= count, f"{count} calls to arrive", seconds)

    def wait_gone(self, count: int = 1, seconds: float = _PATIENCE) -> None:
        """Until so many clients have gone before their answer was whole."""
        self._wait(lambda: self.gone >= count, f"{count} clients to go", seconds)

    def wait_idle(self, seconds: float = _PATIENCE) -> None:
        """Until no call is in flight."""
        self._wait(lambda: self.in_flight == 0, "all calls to end", seconds)

    def _in(self, state: str) -> list[Call]:
        return [call for call in self.calls if call.state == state]

    def _wait(self, met: Callable[[], bool], what: str, seconds: float) -> None:
        with self._changed:
            if not self._changed.wait_for(met, seconds):
                states = [call.state for call in self._calls]
                raise AssertionError(f"waited {seconds:g} s for {what}; there are {states}")

    # On the loop.

    async def _answer(self, request: Request, connection: Connection) -> None:
        if not request.path.startswith("/v1/"):
            told = self._bill() if request.path == "/bill" else self._summary()
            _send(connection, 200, json.dumps(told).encode())
            return
        call = Call(request.path, request.body, request.headers)
        behaviour = self._arrived(call)
        try:
            self._set(call, await self._behave(call, behaviour, connection))
        except asyncio.CancelledError:
            self._set(call, "gone")
            raise

    async def _behave(self, call: Call, behaviour: Behaviour, connection: Connection) -> str:
        await asyncio.sleep(behaviour.delay)
        if behaviour.hang:
            await self._released.wait()
        if (refused := _refusal(call, behaviour)) is not None:
            status, message = refused
            wait = {} if behaviour.retry_after is None else {"Retry-After": f"{behaviour.retry_after:g}"}
            _send(connection, status, protocol.error(status, message), wait)
            return "refused"
        if behaviour.body is not None:
            _send(connection, 200, behaviour.body)
            return "answered"
        call.billed = protocol.used_by(behaviour, call.path, call.body)
        used = call.billed if behaviour.tell_usage else None
        chunks = _answer_to(call, behaviour, used)
        if call.body.get("stream"):
            await self._stream(connection, behaviour, chunks)
        else:
            await self._whole(connection, behaviour, chunks[0])
        if behaviour.cut_after is not None:
            return "cut"
        call.used = used
        return "answered"

    async def _whole(self, connection: Connection, behaviour: Behaviour, body: bytes) -> None:
        connection.headers(200, {**_JSON, "Content-Length": str(len(body))})
        if behaviour.cut_after is not None:
            connection.close()
        else:
            await self._write(connection, behaviour, body)

    async def _stream(self, connection: Connection, behaviour: Behaviour, chunks: list[bytes]) -> None:
        connection.headers(200, _EVENTS)
        for number, chunk in enumerate(chunks):
            if number == behaviour.cut_after:
                connection.close()
                return
            if number == behaviour.hang_after:
                await self._released.wait()
            await self._write(connection, behaviour, connection.chunk(chunk))
            await asyncio.sleep(behaviour.pace)
        connection.write(connection.chunk(b""))

    async def _write(self, connection: Connection, behaviour: Behaviour, data: bytes) -> None:
        if behaviour.trickle is None:
            connection.write(data)
            return
        released = self._released
        for byte in data:
            connection.write(bytes([byte]))
            if not released.is_set():
                await asyncio.sleep(behaviour.trickle)

    def _arrived(self, call: Call) -> Behaviour:
        """Record the call and take what is scripted for it."""
        model = str(call.body.get("model"))
        with self._changed:
            self._calls.append(call)
            self._changed.notify_all()
            scripts = [self._scripts[key] for key in (model, None) if key in self._scripts]
            queue = next((script.queue for script in scripts if script.queue), None)
            if queue:
                return queue.popleft()
            share, faults = self._faults
            if random.random() < share:
                return random.choice(faults)
            return next(script.always for script in scripts if script.always is not None)

    def _set(self, call: Call, state: str) -> None:
        with self._changed:
            call.state = state
            self._changed.notify_all()

    def _summary(self) -> dict[str, Any]:
        """What `GET /` of a provider in a process of its own tells."""
        return {"calls": len(self.calls), "in_flight": self.in_flight, "used": vars(self.used)}

    def _bill(self) -> dict[str, tuple[int, int]]:
        """What `GET /bill` tells: by the client's name of each call, the tokens that it is charged for, in and out."""
        billed = {call.headers.get("x-client-request-id", ""): call.billed for call in self.calls}
        return {name: (used.prompt, used.completion) for name, used in billed.items() if used is not None}

    def _release(self) -> None:
        released, self._released = self._released, asyncio.Event()
        released.set()

    async def _end(self) -> None:
        self._server.close()
        for connection in list(self._connections):  # who still waits learns at once that nothing comes
            connection.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


def _refusal(call: Call, behaviour: Behaviour) -> tuple[int, str] | None:
    if behaviour.status != 200:
        return behaviour.status, f"scripted {behaviour.status}"
    if call.path not in ("/v1/chat/completions", protocol.EMBEDDINGS):
        return 404, f"unknown address {call.path}"
    if not call.headers.get("authorization", "").startswith("Bearer "):
        return 401, "you did not provide an API key"
    message = protocol.refusal(call.path, call.body)
    return None if message is None else (400, message)


def _answer_to(call: Call, behaviour: Behaviour, used: Used | None) -> list[bytes]:
    """The answer: its chunks if it wants a stream, or one whole."""
    if call.path == protocol.EMBEDDINGS:
        return [protocol.embeddings(call.body, used)]
    text = protocol.text_of(behaviour, call.body)
    if call.body.get("stream"):
        return list(protocol.chat_chunks(call.body, text, used))
    return [protocol.chat(call.body, text, used)]


def _send(connection: Connection, status: int, body: bytes, fields: dict[str, str] | None = None) -> None:
    connection.headers(status, {**_JSON, **(fields or {}), "Content-Length": str(len(body))})
    connection.write(body)
