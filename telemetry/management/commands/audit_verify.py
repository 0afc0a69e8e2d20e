"""`manage.py audit_verify`: is every chain whole?"""

import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from telemetry.chained import chained_tables
from telemetry.contracts import ChainCheck
from telemetry.services import chains_mark_verified
from telemetry.verification import PAGE_CHAINS, chains_verify


class Command(BaseCommand):
    help = (
        "Check the hash chains of the audit trail. Names the first broken row of each broken chain and then exits"
        " with 1; otherwise prints one line for each kind of rows. Each chain keeps when it was last found whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--chain", metavar="KEY", help="only this chain (a session's id, or consult:USER_ID)")

    def handle(self, *, chain: str | None = None, **options: Any) -> None:
        progress = _Progress(self)
        chains, rows, broken = Counter[str](), Counter[str](), 0
        for table in chained_tables():
            progress.begin(table.plural)
            checks = chains_verify([chain] if chain else None, tables=[table], on_rows=progress.add)
            while batch := list(islice(checks, PAGE_CHAINS)):
                chains_mark_verified(checks=batch)
                chains[table.name] += len(batch)
                rows[table.name] += sum(check.length for check in batch)
                broken += self._tell(batch, table.name, progress)
            progress.end()
        if chain and not chains:
            raise CommandError(f"There is no chain {chain!r}.")
        if broken:
            raise CommandError(f"{broken} of {chains.total()} chains are broken.", returncode=1)
        # Tables of which there is nothing are passed over, but something is said.
        for table in [table for table in chained_tables() if chains[table.name]] or chained_tables()[:1]:
            self.stdout.write(f"{rows[table.name]} {table.plural} in {chains[table.name]} chains: whole")

    def _tell(self, checks: list[ChainCheck], name: str, progress: "_Progress") -> int:
        """Write a line for each broken chain; how many there were."""
        lines = list(_lines(checks, name))
        if lines:
            progress.end()
        for line in lines:
            self.stdout.write(line)
        return len(lines)


def _lines(checks: list[ChainCheck], name: str) -> Iterator[str]:
    for check in checks:
        if fault := check.fault:
            row = "no row" if fault.row_id is None else f"{name} {fault.row_id}"
            yield f"chain {check.chain}, seq {fault.seq}, {row}: {fault.kind}: {fault.detail}"


class _Progress:
    """Rows and rows per second on standard error, when a person watches it."""

    def __init__(self, command: BaseCommand) -> None:
        self._err = command.stderr if command.stderr.isatty() else None
        self._open = False

    def begin(self, plural: str) -> None:
        """Count anew."""
        self._plural, self._began, self._rows = plural, time.monotonic(), 0

    def add(self, rows: int) -> None:
        self._rows += rows
        self._open = True
        if self._err:
            rate = self._rows / max(time.monotonic() - self._began, 0.001)
            self._err.write(f"\r{self._rows} {self._plural} read, {rate:.0f} a second", self._plain, ending="")

    def end(self) -> None:
        """Finish the line, if one is begun, so that other output has its own."""
        if self._err and self._open:
            self._err.write("", self._plain)
        self._open = False

    @staticmethod
    def _plain(text: str) -> str:
        return text
