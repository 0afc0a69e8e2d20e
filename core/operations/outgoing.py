"""The one way by which something else than a question to a model leaves by HTTP: what an operator has sent to them."""

import asyncio
from collections.abc import Mapping

_TRIES = 3
_PAUSE_SECONDS = 1.0


class SendingFailed(Exception):
    """It did not arrive, and why; the reason never quotes the address, which may hold a password."""


def http_post(url: str, body: bytes, headers: Mapping[str, str], *, seconds: float) -> None:
    """Send a body, within `seconds` all in all; raises `SendingFailed`.

    Tries again where nobody answered or the server failed. A redirect is a failure: what was meant for one address goes
    to no other. Not for a thread with an event loop.
    """
    try:
        asyncio.run(asyncio.wait_for(_post(url, body, headers), seconds))
    except TimeoutError as error:
        raise SendingFailed(f"no answer in {seconds:g} seconds") from error


async def _post(url: str, body: bytes, headers: Mapping[str, str]) -> None:
    import httpx2  # it takes a while, and few processes send anything

    async with httpx2.AsyncClient(follow_redirects=False, timeout=None) as client:
        for attempt in range(1, _TRIES + 1):
            try:
                # The answer's body is not read: it says nothing that is wanted, and has no end that is known.
                async with client.stream("POST", url, content=body, headers=dict(headers)) as answer:
                    status = answer.status_code
            except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
                reason, again = f"no connection: {type(error).__name__}", True
            else:
                if 200 <= status < 300:
                    return
                reason, again = f"HTTP {status}", status >= 500 or status == 429
            if not again or attempt == _TRIES:
                raise SendingFailed(reason)
            await asyncio.sleep(_PAUSE_SECONDS * attempt)
