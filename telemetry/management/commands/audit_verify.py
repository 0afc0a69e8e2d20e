"""`manage.py audit_verify`: is every chain whole?"""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from telemetry.contracts import ChainCheck
from telemetry.services import chains_mark_verified
from telemetry.verification import PAGE_CHAINS, chains_verify


class Command(BaseCommand):
    help = (
        "Check the hash chains of the audit trail. Names the first broken row of each broken chain and then exits"
        " with 1; otherwise prints one line. Each chain keeps when it was last found whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--chain", metavar="KEY", help="only this chain (a session's id)")

    def handle(self, *, chain: str | None = None, **options: Any) -> None:
        progress = _Progress(self)
        checks = chains_verify([chain] if chain else None, on_rows=progress.add)
        chains = events = broken = 0
        while batch := list(islice(checks, PAGE_CHAINS)):
            chains_mark_verified(checks=batch)
            chains += len(batch)
            events += sum(check.length for check in batch)
            lines = list(_lines(batch))
            broken += len(lines)
            if lines:
                progress.end()
            for line in lines:
                self.stdout.write(line)
        progress.end()
        if chain and not chains:
            raise CommandError(f"There is no chain {chain!r}.")
        if broken:
            raise CommandError(f"{broken} of {chains} chains are broken.", returncode=1)
        self.stdout.write(f"{events} events in {chains} chains: whole")


def _lines(checks: list[ChainCheck]) -> Iterator[str]:
    for check in checks:
        if fault := check.fault:
            row = "no row" if fault.event_id is None else f"event {fault.event_id}"
            yield f"chain {check.chain}, seq {fault.seq}, {row}: {fault.kind}: {fault.detail}"


class _Progress:
    """Rows and rows per second on standard error, when a person watches it."""

    def __init__(self, command: BaseCommand) -> None:
        self._err = command.stderr if command.stderr.isatty() else None
        self._began, self._rows, self._open = time.monotonic(), 0, False

    def add(self, rows: int) -> None:
        self._rows += rows
        self._open = True
        if self._err:
            rate = self._rows / max(time.monotonic() - self._began, 0.001)
            self._err.write(f"\r{self._rows} events read, {rate:.0f} a second", self._plain, ending="")

    def end(self) -> None:
        """Finish the line, if one is begun, so that other output has its own."""
        if self._err and self._open:
            self._err.write("", self._plain)
        self._open = False

    @staticmethod
    def _plain(text: str) -> str:
        return text
