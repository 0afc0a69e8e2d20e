"""HTTP/1.1 over one kept connection, with cookies: as little as measuring needs, so that the client costs little."""

import asyncio
import re
from collections.abc import Iterable

_COOKIE = re.compile(rb"\r\nset-cookie: ([^=]+)=([^;\r]*)", re.IGNORECASE)
_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)", re.IGNORECASE)
_LOCATION = re.compile(rb"\r\nlocation: ([^\r]+)", re.IGNORECASE)


class Browser:
    """One person's connection and cookies."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[str, str] = {}
        self._cookie_line = ""
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def connect(self) -> None:
        """A fresh connection; the server closes those that were idle for some seconds."""
        self.close()
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1_000_000)

    def close(self) -> None:
        """End the connection, if there is one; cookies stay."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    async def send(
        self, path: str, body: str | None = None, headers: Iterable[tuple[str, str]] = ()
    ) -> tuple[int, str, str]:
        """GET, or POST of a form when there is a body; status, location (or "") and page."""
        assert self._reader is not None
        assert self._writer is not None
        self._writer.write(self._request(path, body, headers))
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        page = await self._reader.readexactly(int(length[1])) if length else b""
        if found := _COOKIE.findall(head):
            self._cookies.update((name.decode(), value.decode()) for name, value in found)
            self._cookie_line = (
                "Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()) + "\r\n"
            )
        location = _LOCATION.search(head)
        return int(head[9:12]), location[1].decode() if location else "", page.decode()

    def _request(self, path: str, body: str | None, headers: Iterable[tuple[str, str]]) -> bytes:
        extra = "".join(f"{name}: {value}\r\n" for name, value in headers)
        common = f"Host: 127.0.0.1:{self._port}\r\nAccept-Language: es\r\n{self._cookie_line}{extra}"
        if body is None:
            return f"GET {path} HTTP/1.1\r\n{common}\r\n".encode()
        form = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        return f"POST {path} HTTP/1.1\r\n{common}{form}\r\n{body}".encode()
