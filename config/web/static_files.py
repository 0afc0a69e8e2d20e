"""Static files, served without a thread: WhiteNoise knows what to answer, the event loop sends it."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import cast

from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseFileResponse, WhiteNoiseMiddleware

BLOCK_BYTES = 64 * 1024


class StaticFiles:
    """What `collectstatic` left when the process began."""

    def __init__(self) -> None:
        self._files = WhiteNoiseMiddleware()

    def has(self, path: str) -> bool:
        return path in self._files.files

    def response(self, request: HttpRequest) -> HttpResponseBase:
        response = cast(HttpResponseBase, self._files(request))
        if isinstance(response, WhiteNoiseFileResponse):
            response.block_size = BLOCK_BYTES
            response.streaming_content = _blocks(response.streaming_content)
        return response


async def _blocks(content: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Read as it is sent. Here, on the event loop: a block of a file that is in use comes from memory."""
    for block in content:
        yield block
        await asyncio.sleep(0)  # others come between two blocks
