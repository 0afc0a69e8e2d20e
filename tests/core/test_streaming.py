"""A long answer that is read slowly holds neither its thread nor a connection."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import pytest
from django.db import connection, connections
from django.http import HttpRequest, HttpResponse
from django.urls import path

from config.web.application import Application
from core.pages.streaming import BlockStream

BLOCKS = 3


def blocks() -> Iterator[bytes]:
    for number in range(BLOCKS):
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s::int", [number])
            yield b"%d\n" % cursor.fetchone()[0]


def stream(request: HttpRequest) -> BlockStream:
    return BlockStream(blocks())


def quick(request: HttpRequest) -> HttpResponse:
    return HttpResponse("quick")


urlpatterns = [path("stream", stream), path("quick", quick)]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def ask(application: Application, address: str, send: Send) -> None:
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": f"/{address}",
        "raw_path": f"/{address}".encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost")],
        "server": ("localhost", 80),
        "client": ("127.0.0.1", 1),
    }
    asked, ended = False, asyncio.Event()

    async def receive() -> dict[str, Any]:
        nonlocal asked
        if asked:
            await ended.wait()
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    await application(scope, receive, send)


@pytest.mark.django_db(transaction=True)
@pytest.mark.urls("tests.core.test_streaming")
def test_others_are_served_by_the_one_thread_while_somebody_reads_slowly() -> None:
    async def scene() -> tuple[bytes, bytes]:
        application = Application(threads=1)
        began, go_on = asyncio.Event(), asyncio.Event()
        slow, fast = bytearray(), bytearray()

        async def read_slowly(message: Mapping[str, Any]) -> None:
            slow.extend(message.get("body", b""))
            if message["type"] == "http.response.body":
                began.set()
                await go_on.wait()

        async def read(message: Mapping[str, Any]) -> None:
            fast.extend(message.get("body", b""))

        reading = asyncio.create_task(ask(application, "stream", read_slowly))
        await asyncio.wait_for(began.wait(), 30)
        await asyncio.wait_for(ask(application, "quick", read), 30)
        go_on.set()
        await asyncio.wait_for(reading, 30)
        return bytes(slow), bytes(fast)

    assert asyncio.run(scene()) == (b"0\n1\n2\n", b"quick")


def test_without_an_event_loop_the_blocks_are_the_same(db: None) -> None:
    assert b"".join(stream(HttpRequest())) == b"0\n1\n2\n"
    assert connections["default"].connection is not None
