"""Anchors as files: a line about the anchor, a line for each end, and a line with digest and signature; gzipped JSON.

`{"format": ..., "number": 7, "at": ..., "previous": ...}`, `["event", KEY, LENGTH, HASH]`, ..., `{"digest": ..., "key":
..., "signature": ...}`. The digest is the SHA-256 of all lines before it, the signature its HMAC. Ends are in the order
of table and key, by code points.
"""

import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from core.operations.locks import file_locked
from telemetry.chains.keys import ring

FORMAT = "andamio.anchor/1"
_NAME = re.compile(r"anchor-(\d{8,})-(\d{8}T\d{6})Z\.jsonl\.gz")
_Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]  # what the database can be asked about
End = tuple[_Text, _Text, Annotated[int, Field(ge=0, lt=2**63)], _Text]
"""Source, key, number, text."""
_END = TypeAdapter[End](End, config=ConfigDict(strict=True))


class _Head(BaseModel, strict=True):
    """The first line."""

    format: Literal["andamio.anchor/1"]
    number: int
    previous: str | None


class _Seal(BaseModel, strict=True):
    """The last line."""

    digest: str
    key: str
    signature: str


class AnchorFault(Exception):
    """A file that is no anchor of ours, and why."""


@dataclass(frozen=True)
class AnchorFile:
    """A file whose name is that of an anchor."""

    path: Path
    number: int
    at: datetime

    def __str__(self) -> str:
        return f"anchor {self.number} of {self.at:%Y-%m-%dT%H:%M:%SZ}"


def anchor_files(folder: Path) -> list[AnchorFile]:
    """By number; none where there is no such folder."""
    names = folder.iterdir() if folder.is_dir() else ()
    files = (
        AnchorFile(path, int(name[1]), datetime.strptime(name[2], "%Y%m%dT%H%M%S").replace(tzinfo=UTC))
        for path in names
        if (name := _NAME.fullmatch(path.name))
    )
    return sorted(files, key=lambda file: (file.number, file.path.name))


def folder_locked(folder: Path) -> AbstractContextManager[None]:
    """For who writes anchors or sends them: one at a time."""
    return file_locked(folder / ".lock")


def anchor_write(folder: Path, *, number: int, at: datetime, previous: str | None, ends: Iterable[End]) -> Path:
    """Write an anchor, whole or not at all, and return its file; `previous` is the digest of the one before."""
    path = folder / f"anchor-{number:08}-{at.astimezone(UTC):%Y%m%dT%H%M%S}Z.jsonl.gz"
    part, digest = path.with_suffix(".part"), hashlib.sha256()
    head = {"format": FORMAT, "number": number, "at": at.astimezone(UTC).isoformat(), "previous": previous}
    with part.open("wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, compresslevel=6) as file:
            for value in chain([head], ends):
                line = _line(value)
                digest.update(line)
                file.write(line)
            signing, hexdigest = ring().signing, digest.hexdigest()
            file.write(_line({"digest": hexdigest, "key": signing.id, "signature": signing.sign(hexdigest)}))
        raw.flush()
        os.fsync(raw.fileno())
    part.replace(path)
    _folder_sync(folder)
    return path


@dataclass
class AnchorReading:
    """The lines of an anchor while they are read: `ends` first, then what they come to.

    `digest` is that of what is there, `previous` what it says of the anchor before.
    """

    file: AnchorFile
    digest: str = ""
    previous: str | None = None
    count: int = 0

    def verify(self) -> None:
        """Read to the end. Raises `AnchorFault`."""
        for _end in self.ends():
            pass

    def ends(self) -> Iterator[End]:
        """The ends; raises `AnchorFault` at a line that is none, or after all where they are not what we signed."""
        digest, before = hashlib.sha256(), b""
        try:
            with gzip.open(self.file.path) as lines:
                self._head(before := next(lines, b""))
                for line in lines:
                    digest.update(before)
                    if line.startswith(b"["):
                        self.count += 1
                        yield _END.validate_json(line)
                    before = line
        except ValidationError as error:
            raise AnchorFault(f"it cannot be read: behind {self.count} ends a line is none") from error
        except (OSError, EOFError, zlib.error) as error:
            raise AnchorFault(f"it cannot be read: {error}") from error
        self.digest = digest.hexdigest()
        _require_signed(before, self.digest)

    def _head(self, line: bytes) -> None:
        try:
            head = _Head.model_validate_json(line)
        except ValidationError as error:
            raise AnchorFault("its first line is not that of an anchor") from error
        if head.number != self.file.number:
            raise AnchorFault(f"its first line is that of anchor {head.number}")
        self.previous = head.previous


def _require_signed(line: bytes, digest: str) -> None:
    try:
        seal = _Seal.model_validate_json(line)
    except ValidationError as error:
        raise AnchorFault("its end is missing: it has no signature") from error
    key = ring().keys.get(seal.key)
    if key is None:
        raise AnchorFault(f"it is signed with the key {seal.key}, which is not in the ring")
    if seal.digest != digest or not key.signed(digest, seal.signature):
        raise AnchorFault(f"forged: its signature is not one of the key {seal.key}, which it names")


def _line(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def _folder_sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
