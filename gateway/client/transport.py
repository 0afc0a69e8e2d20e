"""Requests to providers. The only module that may import a client of models, and each request needs a dispatched hold.

Every error becomes a `Failure`, which says how the call ended as far as money is concerned.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

from gateway.client.values import Message
from gateway.contracts import Outcome, Usage
from gateway.ledger import Dispatched

# Imported where they are used: they take half a second, and most processes never ask a model.
if TYPE_CHECKING:
    import httpx2
    import openai

_CONNECT_SECONDS = 5.0
_CONNECTIONS = 256
_BUSY = (429, 503)
_AGAIN = frozenset((408, 409, 429, 500, 502, 503, 504))
_OURS = (400, 413, 422)
_HEADERS_GO = "send_request_headers.started"
_REASON_LENGTH = 180
_BYTES_A_TOKEN = 12
"""More than texts have, so that a stream with more than so many bytes for each token allowed is no answer to us."""


class Failure(Exception):
    """A request that brought nothing to use. `usage` is what the provider counted all the same.

    `again`: another try may do better. `ours`: the request was at fault, or we were too slow, not the model. `reason`
    is ours, never the provider's words: they may quote what they were sent.
    """

    def __init__(
        self,
        outcome: Outcome,
        reason: str,
        *,
        again: bool = True,
        ours: bool = False,
        retry_after: float | None = None,
        usage: Usage | None = None,
        text: str = "",
    ) -> None:
        super().__init__(reason)
        self.outcome, self.reason = outcome, reason[:_REASON_LENGTH]
        self.again, self.ours = again, ours
        self.retry_after, self.usage, self.text = retry_after, usage, text


@dataclass(frozen=True)
class ChatRequest:
    """What a model is asked. `schema` is a JSON Schema that the answer must fit, with a name."""

    messages: Sequence[Message]
    max_tokens: int
    schema: tuple[str, dict[str, Any]] | None = None


class Answer(NamedTuple):
    """What came back, in text or in vectors. `usage` is None where the provider did not say, or made no sense."""

    text: str
    usage: Usage | None
    vectors: Sequence[Sequence[float]] = ()


@dataclass
class Sending:
    """Whether a request has left: until its first byte goes, the provider knows nothing of it."""

    sent: bool = False


_sending: ContextVar[Sending | None] = ContextVar("_sending", default=None)
_clients: dict[tuple[int, str, str], "openai.AsyncOpenAI"] = {}
_one_name: set[str] = set()
"""Addresses of servers that refuse the older name of `max_completion_tokens`."""


async def chat(leave: Dispatched, request: ChatRequest, seconds: float, sending: Sending) -> Answer:
    """One answer, within `seconds` all in all. Raises `Failure`."""
    async with _requesting(seconds, sending):
        completion: Any = await _client().chat.completions.create(**_named(leave), **_body(request))
    return _answer_of(completion)


async def embeddings(leave: Dispatched, texts: Sequence[str], seconds: float, sending: Sending) -> Answer:
    """A vector of each text. Raises `Failure`."""
    async with _requesting(seconds, sending):
        made: Any = await _client().embeddings.create(**_named(leave), input=list(texts), encoding_format="float")
    usage = _usage_of(getattr(made, "usage", None))
    try:
        rows = sorted(made.data, key=lambda row: row.index)
        vectors = [[float(value) for value in row.embedding] for row in rows]
    except (AttributeError, TypeError, ValueError) as error:
        raise Failure(Outcome.FAILED, "the answer holds no vectors", usage=usage) from error
    if len(vectors) != len(texts) or len({len(vector) for vector in vectors}) != 1 or not vectors[0]:
        raise Failure(Outcome.FAILED, f"{len(vectors)} vectors came for {len(texts)} texts", usage=usage)
    return Answer("", usage, vectors)


@dataclass
class ChatStream:
    """An answer that comes in chunks. Made and used on the loop of models; `next_text` gives None at the end."""

    leave: Dispatched
    request: ChatRequest
    seconds: float
    text: str = ""
    usage: Usage | None = None
    ended: bool = False
    sending: Sending = field(default_factory=Sending)
    _until: float = field(init=False)
    _chunks: AsyncIterator[Any] | None = None
    _stream: Any = None

    def __post_init__(self) -> None:
        self._until = time.monotonic() + self.seconds

    async def next_text(self) -> str | None:
        """The text of the next chunk that has any, or None when the answer is whole. Raises `Failure`."""
        async with _requesting(self._until - time.monotonic(), self.sending):
            if self._chunks is None:
                options = {"stream": True, "stream_options": {"include_usage": True}}
                created: Any = _client().chat.completions.create
                self._stream = await created(**_named(self.leave), **_body(self.request), **options)
                self._chunks = aiter(self._stream)
            async for chunk in self._chunks:
                if text := self._read(chunk):
                    return text
        if not self.ended:
            raise Failure(Outcome.CUT, "the stream ended early", text=self.text)
        return None

    def _read(self, chunk: Any) -> str:
        if getattr(chunk, "usage", None) is not None:  # in the last chunk, or in each up to it
            self.usage = _usage_of(chunk.usage, answered=bool(self.text))
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list) or not choices:
            return ""
        self.ended = self.ended or bool(getattr(choices[0], "finish_reason", None))
        text = getattr(getattr(choices[0], "delta", None), "content", None)
        if not isinstance(text, str):
            return ""
        self.text += text
        if len(self.text.encode(errors="replace")) > _BYTES_A_TOKEN * self.request.max_tokens:
            raise Failure(Outcome.CANCELLED, "the stream was far longer than asked for", text=self.text)
        return text

    async def close(self) -> None:
        """Close the connection, so that the provider stops answering."""
        if self._stream is not None:
            await self._stream.close()


def _client() -> "openai.AsyncOpenAI":
    """The client for the present settings: one for each, as its connections are kept open."""
    import httpx2
    import openai

    where = (os.getpid(), settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY)
    if where not in _clients:
        limits = httpx2.Limits(max_connections=_CONNECTIONS, max_keepalive_connections=_CONNECTIONS // 4)
        # Deadlines are over the whole request and set for each; what is here only bounds the connecting.
        timeout = httpx2.Timeout(None, connect=_CONNECT_SECONDS)
        _clients[where] = openai.AsyncOpenAI(
            base_url=where[1] or None,
            api_key=where[2] or "none",
            max_retries=0,  # each try is a hold of its own
            http_client=openai.DefaultAsyncHttpxClient(
                limits=limits, timeout=timeout, follow_redirects=False, event_hooks={"request": [_watch]}
            ),
            timeout=timeout,
        )
    return _clients[where]


async def _watch(request: "httpx2.Request") -> None:
    """Note when the request begins to leave."""
    sending = _sending.get()

    async def trace(event: str, _info: dict[str, Any]) -> None:
        if sending is not None and event.endswith(_HEADERS_GO):
            sending.sent = True

    request.extensions["trace"] = trace


def _named(leave: Dispatched) -> dict[str, Any]:
    """The model, and the call's name of ours: with it the provider can say what became of a call without an answer."""
    return {"model": leave.model, "extra_headers": {"X-Client-Request-Id": str(leave.id)}}


def _body(request: ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": [message.model_dump() for message in request.messages]}
    body["max_completion_tokens"] = request.max_tokens
    if not _is_openai() and settings.OPENAI_BASE_URL not in _one_name:
        body["max_tokens"] = request.max_tokens  # its older name; OpenAI's newer models refuse it
    if request.schema is not None:
        name, schema = request.schema
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": name, "schema": schema, "strict": True},
        }
    return body


def _is_openai() -> bool:
    host = urlsplit(settings.OPENAI_BASE_URL).hostname or ""
    return not host or host.endswith((".openai.com", ".openai.azure.com"))


@asynccontextmanager
async def _requesting(seconds: float, sending: Sending) -> AsyncIterator[None]:
    """Around a request: what the client raises becomes a `Failure`, and `seconds` bound all of it."""
    if seconds <= 0 and not sending.sent:
        raise Failure(Outcome.NOT_SENT, "no time left", ours=True)
    _sending.set(sending)
    clock = asyncio.timeout(max(0.0, seconds))
    try:
        async with clock:
            yield
    except Exception as error:
        if isinstance(error, TimeoutError) and clock.expired():
            if not sending.sent:
                raise Failure(Outcome.NOT_SENT, "no connection in time") from error
            raise Failure(Outcome.TIMED_OUT, "no answer in time") from error
        if (failure := _failure_of(error)) is not None:
            raise failure from error
        raise


def _failure_of(error: Exception) -> Failure | None:
    """What an error of the client means; None for any other, which is a fault of ours."""
    import httpx2
    import openai

    never_sent = httpx2.ConnectError | httpx2.ConnectTimeout | httpx2.PoolTimeout
    match error:
        case openai.APIStatusError():
            return _refusal_of(error)
        case openai.APIConnectionError() if isinstance(error.__cause__, never_sent):
            return Failure(Outcome.NOT_SENT, f"no connection: {error.__cause__}")
        case openai.APITimeoutError():
            return Failure(Outcome.TIMED_OUT, "no answer in time")
        case openai.APIConnectionError() | httpx2.HTTPError():
            return Failure(Outcome.CUT, f"the connection went: {error.__cause__ or error}")
        case openai.OpenAIError() | ValueError() | TypeError():
            return Failure(Outcome.FAILED, f"no readable answer: {type(error).__name__}")
        case _:
            return None


def _refusal_of(error: "openai.APIStatusError") -> Failure:
    """4xx and "come again later" did nothing; after any other failure the provider may have worked, and charge."""
    status = error.status_code
    did_nothing = status in _BUSY or (400 <= status < 500 and status not in (408, 499))
    outcome = Outcome.REFUSED if did_nothing else Outcome.FAILED
    one_name = error.param == "max_tokens" and settings.OPENAI_BASE_URL not in _one_name
    if one_name:
        _one_name.add(settings.OPENAI_BASE_URL)
    return Failure(
        outcome,
        f"HTTP {status}",
        again=status in _AGAIN or one_name,
        ours=status in _OURS,
        retry_after=_retry_after(error.response),
    )


def _retry_after(response: Any) -> float | None:
    """Seconds; a date or nonsense is none."""
    try:
        return max(0.0, float(response.headers.get("retry-after", "")))
    except ValueError:
        return None


def _answer_of(completion: Any) -> Answer:
    usage = _usage_of(getattr(completion, "usage", None), answered=True)
    try:
        text = completion.choices[0].message.content
    except (AttributeError, IndexError, TypeError) as error:
        raise Failure(Outcome.FAILED, "the answer is none of a chat", usage=usage) from error
    if not isinstance(text, str) or not text:
        raise Failure(Outcome.FAILED, "the answer holds no text", usage=usage)
    return Answer(text, usage)


def _usage_of(counts: Any, *, answered: bool = False) -> Usage | None:
    """What the provider counted; None where it did not, or where it cannot be so: an answer of no tokens is none."""
    try:
        usage = Usage(
            input=counts.prompt_tokens,
            output=getattr(counts, "completion_tokens", None) or 0,
            cached=getattr(getattr(counts, "prompt_tokens_details", None), "cached_tokens", None) or 0,
            reasoning=getattr(getattr(counts, "completion_tokens_details", None), "reasoning_tokens", None) or 0,
        )
    except (AttributeError, ValueError):
        return None
    return usage if usage.input > 0 and (usage.output > 0 or not answered) else None
