"""Making an anchor: what all chains end with in one snapshot of the database, behind the anchor before."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.db import connection

from core.operations.snapshots import snapshot
from telemetry.anchors.files import (
    AnchorFault,
    AnchorFile,
    AnchorReading,
    End,
    anchor_files,
    anchor_write,
    folder_locked,
)
from telemetry.anchors.sources import anchor_sources

KEPT = 48
"""So many of the last anchors are kept, two days of hourly ones."""
DAYS_KEPT = timedelta(days=30)
"""Of the days before, the last anchor of each."""
_BLOCK_ROWS = 2000
_ENDS = 'SELECT key, number, text FROM ({ends}) AS ends (key, number, text) ORDER BY key COLLATE "C"'


@dataclass(frozen=True)
class AnchorMade:
    """A new anchor; `count` is how many ends are in it."""

    file: AnchorFile
    digest: str
    count: int


def anchor_make(folder: Path, *, now: datetime) -> AnchorMade:
    """Write an anchor of all that is committed now into the folder, and thin out old ones. Raises `OSError`.

    Two at once stand in line. Reads in blocks, so the number of chains costs no memory.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with folder_locked(folder):
        for part in folder.glob("anchor-*.part"):  # of one that was killed
            part.unlink()
        last = next(reversed(anchor_files(folder)), None)
        with snapshot():
            number = last.number + 1 if last else 1
            previous = _digest(last) if last else None
            path = anchor_write(folder, number=number, at=now, previous=previous, ends=_ends())
        made = next(file for file in anchor_files(folder) if file.path == path)
        _thin_out(folder, now)
    reading = AnchorReading(made)
    reading.verify()  # read back: a file that cannot be verified is no anchor
    return AnchorMade(made, reading.digest, reading.count)


def _ends() -> Iterator[End]:
    for source in anchor_sources():
        with connection.chunked_cursor() as cursor:
            cursor.execute(_ENDS.format(ends=source.ends))
            while block := cursor.fetchmany(_BLOCK_ROWS):
                yield from ((source.name, *row) for row in block)


def _digest(file: AnchorFile) -> str | None:
    """The digest of what is there; None for a file that is broken, which `audit_verify --anchors` names."""
    reading = AnchorReading(file)
    try:
        reading.verify()
    except AnchorFault:
        return reading.digest or None
    return reading.digest


def _thin_out(folder: Path, now: datetime) -> None:
    old = anchor_files(folder)[:-KEPT]
    last_of_day = {file.at.date(): file for file in old if file.at > now - DAYS_KEPT}
    for file in old:
        if last_of_day.get(file.at.date()) != file:
            file.path.unlink(missing_ok=True)
