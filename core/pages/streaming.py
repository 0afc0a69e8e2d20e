"""Answers too long to be held in memory."""

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.db import connections
from django.http import StreamingHttpResponse
from rest_framework.renderers import BaseRenderer


class JsonLinesRenderer(BaseRenderer):
    """Names the form; the lines are made as they are sent."""

    media_type = "application/x-ndjson"
    format = "jsonl"


class BlockStream(StreamingHttpResponse):
    """Sends blocks of text as they are made, however slowly they are read.

    Each block is made in some thread, with a connection that is handed back after it: in between a stream holds
    nothing. So blocks must not share a transaction. The request's own thread goes to others before the stream begins.
    """

    async def __aiter__(self) -> AsyncIterator[bytes]:
        blocks = iter(self.streaming_content)  # type: ignore[arg-type]  # ours come from plain iterators
        while (block := await sync_to_async(_make, thread_sensitive=False)(blocks)) is not None:
            yield block


def _make(blocks: Iterator[bytes]) -> bytes | None:
    try:
        return next(blocks, None)
    finally:
        connections.close_all()
