"""A private copy of a file: what is checked is what is read, whatever happens to the original meanwhile."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal

from analysis.errors import FileRefused
from analysis.files.encodings import text_write
from analysis.files.kinds import binary_kind, check_text
from analysis.files.limits import FILE_BYTES
from language.fold import visible

Kind = Literal["csv", "jsonl", "parquet"]
EXPECTED: Final = "a table as CSV, Parquet or JSON lines"
_HEAD: Final = 4_096
_CHUNK: Final = 1 << 20
_NAME_SHOWN: Final = 100
_JSON_SUFFIXES: Final = frozenset({".jsonl", ".ndjson", ".json"})
_TEXT_SUFFIXES: Final = frozenset({".csv", ".tsv", ".tab", ".txt"})


@dataclass(frozen=True)
class FileCopy:
    """`name` is how sentences call the file. `encoding` is None for a binary file; a text is UTF-8 in the copy."""

    name: str
    stem: str
    path: Path
    kind: Kind
    size: int
    encoding: str | None = None


def file_copy(path: Path, target: Path) -> FileCopy:
    """Copy a file that may be a table to `target`; raises `FileRefused`."""
    name = visible(path.name)[:_NAME_SHOWN] or "file"
    original = target.with_suffix(".original")
    with _regular_file(path, name) as source:
        size = _bytes_copy(source, original, name)
    with original.open("rb") as source:
        head = source.read(_HEAD)
        source.seek(0)
        if not head.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
            raise FileRefused(f"“{name}” is empty; expected {EXPECTED}.")
        if binary_kind(head, name) == "parquet":
            return FileCopy(name, path.stem, original, "parquet", size)
        encoding = text_write(source, target, name)
    return FileCopy(name, path.stem, target, _text_kind(path, target, name), size, encoding)


@contextmanager
def _regular_file(path: Path, name: str) -> Iterator[IO[bytes]]:
    """The file opened for reading. Links are not followed, and opening a pipe or a device does not wait for it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        reason = "is a link" if path.is_symlink() else "cannot be opened"
        raise FileRefused(f"“{name}” {reason}; expected a regular file.") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):  # a folder cannot even be made a file object
        os.close(descriptor)
        raise FileRefused(f"“{name}” is a folder, a pipe or a device; expected a regular file.")
    with os.fdopen(descriptor, "rb") as source:
        yield source


def _bytes_copy(source: IO[bytes], target: Path, name: str) -> int:
    copied = 0
    with target.open("wb") as out:
        while chunk := source.read(_CHUNK):
            copied += len(chunk)
            if copied > FILE_BYTES:
                raise FileRefused(f"“{name}” has more than {FILE_BYTES:,} bytes; expected at most that many.")
            out.write(chunk)
    return copied


def _text_kind(path: Path, copy: Path, name: str) -> Kind:
    with copy.open(encoding="utf-8", errors="replace") as text:
        head = text.read(_HEAD).lstrip()
    suffix = path.suffix.lower()
    is_json = suffix in _JSON_SUFFIXES or (suffix not in _TEXT_SUFFIXES and head.startswith("{"))
    check_text(head, name, is_json=is_json)
    return "jsonl" if is_json else "csv"
