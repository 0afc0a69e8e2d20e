"""Clients that take their time: connections that are open for long and say or take hardly anything."""

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator

DRIP_SECONDS = 0.25
_HEAD = "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
_FORM = (
    "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    "Content-Length: 900\r\n\r\na="
)
_CHUNKED = "POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
_GET = "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Slow:
    """Slow connections to one server, for as long as the block lasts; a thread goes on sending byte by byte."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.dripping: dict[socket.socket, Iterator[bytes]] = {}
        self._reading: list[socket.socket] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._drip, daemon=True)

    def __enter__(self) -> "Slow":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()
        for each in (*self.dripping, *self._reading):
            each.close()

    def heads(self, count: int) -> None:
        """The head of a request, a letter at a time."""
        self._drip_at(count, _HEAD, itertools.repeat(b"a"))

    def line_ends(self, count: int, begin: bytes) -> None:
        """A whole request, and then line ends, which belong to none."""
        self._drip_at(count, begin.decode(), itertools.repeat(b"\r\n"))

    def forms(self, count: int, path: str = "/account/sign-in/") -> None:
        """A form of 900 bytes, a letter at a time."""
        self._drip_at(count, _FORM.format(path=path), itertools.repeat(b"a"))

    def chunks(self, count: int, path: str = "/account/sign-in/") -> None:
        """A body without end, a chunk of one letter at a time."""
        self._drip_at(count, _CHUNKED.format(path=path), itertools.repeat(b"1\r\na\r\n"))

    def readers(self, count: int, path: str) -> None:
        """Ask for what is at the path, and take nothing of it."""
        for _ in range(count):
            self._reading.append(self._connect(_GET.format(path=path)))

    def mixed(self, count: int, path: str) -> None:
        """So many, a quarter of each kind; readers of the path."""
        for kind in (self.heads, self.forms, self.chunks):
            kind(count // 4)
        self.readers(count // 4, path)

    def _drip_at(self, count: int, begin: str, drops: Iterator[bytes]) -> None:
        for _ in range(count):
            self.dripping[self._connect(begin)] = drops

    def _connect(self, begin: str) -> socket.socket:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(30)
        connection.connect(("127.0.0.1", self._port))
        connection.sendall(begin.encode())
        connection.setblocking(False)
        return connection

    def _drip(self) -> None:
        while not self._ended.wait(DRIP_SECONDS):
            for connection, drops in list(self.dripping.items()):
                with contextlib.suppress(OSError):  # the server ended it, which is its right
                    connection.send(next(drops))
