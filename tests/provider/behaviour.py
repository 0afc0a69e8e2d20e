"""How the provider answers a call: one value for each misbehaviour there is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Text = str | Callable[[Mapping[str, Any]], str]


@dataclass(frozen=True)
class Used:
    """What a provider says a call used, in tokens. `cached` is part of `prompt`, `reasoning` part of `completion`."""

    prompt: int
    completion: int = 0
    cached: int = 0
    reasoning: int = 0


@dataclass(frozen=True)
class Behaviour:
    """One way to answer. Left as it is, it answers at once, as asked.

    `text` may be made of the body of the request; None is a greeting, or the smallest value of the schema asked for.
    `used` None counts; `tell_usage` False says nothing of usage. Times are in seconds, `pace` between the chunks of a
    stream. `hang` waits before the answer, `hang_after` after so many chunks, until the call is released or its client
    goes; `cut_after` closes the connection after so many chunks, 0 after the headers. `body` is sent in place of an
    answer. `trickle` is the pause after each byte of the answer. `longer` times as many tokens come as were allowed.
    """

    text: Text | None = None
    used: Used | None = None
    tell_usage: bool = True
    delay: float = 0.0
    pace: float = 0.0
    status: int = 200
    retry_after: float | None = None
    hang: bool = False
    hang_after: int | None = None
    cut_after: int | None = None
    body: bytes | None = None
    trickle: float | None = None
    longer: int = 0


def says(text: Text, *, delay: float = 0.0, pace: float = 0.0, used: Used | None = None) -> Behaviour:
    """A good answer."""
    return Behaviour(text=text, delay=delay, pace=pace, used=used)


def fails(status: int, *, retry_after: float | None = None, delay: float = 0.0) -> Behaviour:
    """An HTTP error: 429 or 503 with a time to wait, 500, 400."""
    return Behaviour(status=status, retry_after=retry_after, delay=delay)


def hangs(*, after: int | None = None, text: Text | None = None) -> Behaviour:
    """No answer until released; `after` so many chunks of a stream, if given."""
    return Behaviour(text=text, hang=after is None, hang_after=after)


def cuts(*, after: int = 0, text: Text | None = None) -> Behaviour:
    """The connection closes after the headers, or after so many chunks of a stream."""
    return Behaviour(text=text, cut_after=after)


def garbage() -> Behaviour:
    """An answer that is no JSON, under status 200."""
    return Behaviour(body=b"<html>Bad gateway \xff\xfe</html>")


def wrong_shape() -> Behaviour:
    """JSON that is none of an answer, under status 200."""
    return Behaviour(body=b'{"object": "surprise", "choices": "none", "data": 7}')


def wrong_schema() -> Behaviour:
    """A good answer whose content is JSON that fits no schema with a required property."""
    return Behaviour(text='{"unexpected": [true]}')


def no_usage(text: Text | None = None) -> Behaviour:
    """A good answer that does not say what it used."""
    return Behaviour(text=text, tell_usage=False)


def overlong(times: int = 4) -> Behaviour:
    """An answer with so many times the tokens that were allowed, and usage that says so."""
    return Behaviour(longer=times)


def trickles(seconds: float = 0.05, text: Text | None = None) -> Behaviour:
    """An answer byte by byte: each read is in time, only a deadline over all of it is not."""
    return Behaviour(text=text, trickle=seconds)
