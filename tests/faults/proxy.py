"""A TCP proxy before PostgreSQL that fails as a network does, at a statement that the test names.

It reads PostgreSQL's protocol only so far as to know where a statement ends. All methods may be called from any thread.
"""

import asyncio
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, Literal

HOST = "127.0.0.1"
_CANCEL = 80877102
_STATEMENT_ENDS = b"QS"
"""Messages after which a client waits for an answer: a simple query, or Sync behind the parts of another one."""
Fault = Literal["freeze", "cut before", "cut after"]


class _Connection:
    """A client's connection. `broker`: it is Celery's."""

    def __init__(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.client, self.server = client, server
        self.name, self.broker = "", False
        self.swallow = False

    def abort(self) -> None:
        """Reset both ends."""
        for writer in (self.client, self.server):
            with suppress(Exception):
                taken = writer.get_extra_info("socket")
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()


class Proxy:
    """`with Proxy(port) as proxy:` listens at `proxy.port` and passes everything on to `port`."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.seconds = 0.0
        """How long each statement is on its way."""
        self.statements: list[str] = []
        """What was counted since `arm`."""
        self.reached = threading.Event()
        """The statement that `arm` named has come, and its fault is in force."""
        self._at: int | None = None
        self._fault: Fault = "freeze"
        self._who, self._begins, self._broker = "", "", False
        self._connections: set[_Connection] = set()
        self._loop = asyncio.new_event_loop()
        self._open, self._thaw = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._server = self._run_now(asyncio.start_server(self._serve, HOST, 0))
        self.port = int(self._server.sockets[0].getsockname()[1])
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)

    def __enter__(self) -> "Proxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._call(self._end)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    # What a test says.

    def arm(
        self, at: int, fault: Fault = "freeze", *, who: str = "web", begins: str = "", broker: bool = False
    ) -> None:
        """Count the statements of `who` from now on, those to its `broker` or all others, and let the `at`th fail.

        With `begins` the count begins at a statement with this text.
        """

        def arm() -> None:
            self._at, self._fault, self._who, self._begins, self._broker = at, fault, who, begins, broker
            self.statements = []
            self.reached.clear()

        self._call(arm)

    def disarm(self) -> None:
        """Nothing is counted, and what was frozen goes on."""

        def disarm() -> None:
            self._at, self._who = None, ""
            thawed, self._thaw = self._thaw, asyncio.Event()
            thawed.set()

        self._call(disarm)

    def reset(self) -> None:
        """Reset all connections there are."""

        def reset() -> None:
            for connection in list(self._connections):
                connection.abort()

        self._call(reset)

    def black_hole(self, on: bool) -> None:
        """Nothing arrives any more, in neither direction, and nobody is told."""
        self._call(self._open.clear if on else self._open.set)

    def connections(self) -> int:
        return len(self._connections)

    # On the loop.

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._open.wait()
        try:
            from_server, server = await asyncio.open_connection(HOST, self.target)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(writer, server)
        self._connections.add(connection)
        pumps = [
            asyncio.ensure_future(self._requests(reader, connection)),
            asyncio.ensure_future(self._replies(from_server, connection)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            self._connections.discard(connection)
            for end in (writer, server):
                end.close()

    async def _requests(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        """Until the client has gone, also while a statement of it is frozen."""
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        passing = asyncio.ensure_future(self._pass_on(queue, connection))
        try:
            with suppress(asyncio.IncompleteReadError, ConnectionError):
                head = await reader.readexactly(8)
                size, code = struct.unpack("!II", head)
                rest = await reader.readexactly(size - 8)
                connection.name = _name_of(rest) if code != _CANCEL else ""
                queue.put_nowait(head + rest)
                while True:
                    queue.put_nowait(await _statement(reader))
        finally:
            passing.cancel()
            with suppress(asyncio.CancelledError, ConnectionError):
                await passing

    async def _pass_on(self, queue: "asyncio.Queue[bytes]", connection: _Connection) -> None:
        is_first = True
        while True:
            data = await queue.get()
            await self._open.wait()
            if self.seconds:
                await asyncio.sleep(self.seconds)
            if not is_first:
                await self._fail(connection, data)
            is_first = False
            connection.server.write(data)
            await connection.server.drain()

    async def _fail(self, connection: _Connection, data: bytes) -> None:
        connection.broker |= b"kombu" in data or b"pg_catalog.version" in data
        if not self._counts(connection, data):
            return
        self.statements.append(_text_of(data))
        if len(self.statements) != self._at:
            return
        if self._fault == "cut before":
            connection.abort()
        elif self._fault == "cut after":
            connection.swallow = True
            return
        self.reached.set()
        await self._thaw.wait()

    def _counts(self, connection: _Connection, data: bytes) -> bool:
        if not self._who or connection.name != self._who or connection.broker != self._broker:
            return False
        if self._begins.encode() in data:
            self._begins = ""
        return not self._begins

    async def _replies(self, reader: asyncio.StreamReader, connection: _Connection) -> None:
        while data := await reader.read(65536):
            await self._open.wait()
            if connection.swallow:  # PostgreSQL has done it, and its client is never told
                connection.abort()
                self.reached.set()
                return
            connection.client.write(data)
            with suppress(ConnectionError):
                await connection.client.drain()

    def _end(self) -> None:
        self._server.close()
        for connection in list(self._connections):
            connection.abort()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    def _call(self, work: Callable[[], Any]) -> None:
        async def call() -> None:
            work()

        asyncio.run_coroutine_threadsafe(call(), self._loop).result(10)

    def _run_now(self, work: Coroutine[Any, Any, asyncio.Server]) -> asyncio.Server:
        return self._loop.run_until_complete(work)


async def _statement(reader: asyncio.StreamReader) -> bytes:
    """The next messages of a client, up to one that awaits an answer."""
    parts = []
    while True:
        head = await reader.readexactly(5)
        parts.append(head + await reader.readexactly(struct.unpack("!I", head[1:])[0] - 4))
        if head[:1] in _STATEMENT_ENDS or head[:1] in b"XfcdpH":
            return b"".join(parts)


def _name_of(startup: bytes) -> str:
    """The `application_name` of a startup message."""
    words = startup.split(b"\0")
    return words[words.index(b"application_name") + 1].decode() if b"application_name" in words else ""


def _text_of(data: bytes) -> str:
    """Enough of a statement to know it by."""
    return " ".join(data[5:305].replace(b"\0", b" ").decode(errors="replace").split())
