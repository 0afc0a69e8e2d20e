"""Static files, served without a thread: WhiteNoise knows what to answer, the event loop sends it."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, cast

from django.core.handlers.asgi import get_script_prefix
from django.http import HttpRequest, HttpResponseBase
from django.middleware.security import SecurityMiddleware
from whitenoise.middleware import WhiteNoiseFileResponse, WhiteNoiseMiddleware

BLOCK_BYTES = 64 * 1024


class StaticFiles:
    """What `collectstatic` left when the process began, with the headers that every answer has."""

    def __init__(self) -> None:
        self._files = WhiteNoiseMiddleware()
        self._answer = SecurityMiddleware(self._files)

    def has(self, scope: Mapping[str, Any]) -> bool:
        return scope["path"].removeprefix(get_script_prefix(scope)) in self._files.files

    def response(self, request: HttpRequest) -> HttpResponseBase:
        response = cast(HttpResponseBase, self._answer(request))
        if isinstance(response, WhiteNoiseFileResponse):
            response.block_size = BLOCK_BYTES
            response.streaming_content = _blocks(response.streaming_content)
        return response


async def _blocks(content: Iterable[bytes]) -> AsyncIterator[bytes]:
    """Read as it is sent. Here, on the event loop: a block of a file that is in use comes from memory."""
    for block in content:
        yield block
        await asyncio.sleep(0)  # others come between two blocks
