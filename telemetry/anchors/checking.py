"""Holding the database against its anchors: whatever an anchor knew must still be there, unchanged.

All anchors are read side by side in the order of their lines, so an end that ten anchors have is looked up once, and
the number of chains costs no memory.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby, islice, pairwise
from operator import itemgetter
from pathlib import Path

from django.db import connection

from telemetry.anchors.files import AnchorFault, AnchorFile, AnchorReading, End, anchor_files
from telemetry.anchors.making import KEPT
from telemetry.anchors.sources import AnchorSource, anchor_sources

_AT_ONCE = 5000
_THEN = """
WITH wanted AS (SELECT * FROM unnest(%(keys)s::text[], %(numbers)s::bigint[]) AS wanted (key, number))
{then}
"""


@dataclass
class AnchorsCheck:
    """The anchors of a folder held against the database; the figures are there when `faults` is at its end."""

    folder: Path
    anchors: int = 0
    ends: int = 0
    _sound: list[AnchorFile] = field(default_factory=list)

    def faults(self) -> Iterator[str]:
        """A line for each fault, which names the anchor and the place. One statement for 5,000 different ends."""
        files = anchor_files(self.folder)
        self.anchors = len(files)
        yield from self._file_faults(files)
        for name, known in groupby(self._distinct(), key=itemgetter(0)):
            source = next((source for source in anchor_sources() if source.name == name), None)
            ends = ((key, number, text, file) for _name, key, number, text, file in known)
            while block := list(islice(ends, _AT_ONCE)):
                self.ends += len(block)
                yield from _end_faults(name, source, block)

    def _file_faults(self, files: list[AnchorFile]) -> Iterator[str]:
        digests: dict[int, str] = {}
        for file in files:
            reading = AnchorReading(file)
            try:
                reading.verify()
            except AnchorFault as fault:
                if file.path.exists():  # else it was thinned out since
                    yield f"{file}: {fault}"
                continue
            self._sound.append(file)
            before = digests.get(file.number - 1)
            digests[file.number] = reading.digest
            if before is not None and reading.previous != before:
                yield f"{file}: the anchor before it is not the one that it was made behind"
        for first, second in pairwise(files):
            # Older ones are thinned out.
            if second.number - first.number != 1 and second.number > files[-1].number - KEPT + 1:
                yield f"{second}: between it and anchor {first.number} some are missing, or one is there twice"

    def _distinct(self) -> Iterator[tuple[str, str, int, str, AnchorFile]]:
        """Each end that some anchor has, with the last anchor that has it."""
        # By source and key, then by anchor: what is the same in the next anchor is passed over.
        lines = merge(*(_labelled(file) for file in self._sound), key=lambda line: (line[0][:2], line[1].number))
        for _place, same in groupby(lines, key=lambda line: line[0][:2]):
            last = dict(same)
            yield from ((*end, file) for end, file in last.items())


def _labelled(file: AnchorFile) -> Iterator[tuple[End, AnchorFile]]:
    with suppress(AnchorFault):  # it was whole a moment ago, and was thinned out since
        for end in AnchorReading(file).ends():
            yield end, file


def _end_faults(
    name: str, source: AnchorSource | None, ends: Iterable[tuple[str, int, str, AnchorFile]]
) -> Iterator[str]:
    wanted = {(key, number, text): file for key, number, text, file in ends}
    now: dict[tuple[str, int], str | None] = {}
    if source is not None:
        with connection.cursor() as cursor:
            keys, numbers, _texts = map(list, zip(*wanted, strict=True))
            cursor.execute(_THEN.format(then=source.then), {"keys": keys, "numbers": numbers})
            now = {(key, number): text for key, number, text in cursor.fetchall()}
    for (key, number, text), file in wanted.items():
        there = now.get((key, number))
        if there != text:
            is_now = "is not there any more" if there is None else f"is {there} now"
            yield f"{file}, {name} {key}, {number}: it was {text} and {is_now}"
