"""A web server in a thread of this process, with the options of the product but where a test says otherwise."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from config.web.options import raise_descriptors, web_options


class Running(uvicorn.Server):
    """The server and where it listens."""

    def __init__(self, config: uvicorn.Config, port: int) -> None:
        super().__init__(config)
        self.port = port
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@contextmanager
def serving(application: Any, **options: Any) -> Iterator[Running]:
    raise_descriptors()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(application, **{**web_options(), "timeout_graceful_shutdown": 1, **options})
        server = Running(config, listening.getsockname()[1])
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
        thread.start()
        try:
            assert server.ready.wait(30)
            yield server
        finally:
            server.should_exit = True
            thread.join()
