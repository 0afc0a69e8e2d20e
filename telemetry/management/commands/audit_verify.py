"""`manage.py audit_verify`: is every chain whole?"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from core.batch.command import Progress
from telemetry.anchors.checking import AnchorsCheck
from telemetry.chains.tables import chained_tables
from telemetry.chains.verification import PAGE_CHAINS, chains_verify
from telemetry.contracts import ChainCheck
from telemetry.services import chains_mark_verified


class Command(BaseCommand):
    help = (
        "Check the hash chains of the audit trail. Names the first broken row of each broken chain and then exits"
        " with 1; otherwise prints one line for each kind of rows. Each chain keeps when it was last found whole."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--anchors",
            metavar="FOLDER",
            nargs="?",
            type=Path,
            const=settings.AUDIT_ANCHORS,
            help="hold the database against the anchors in this folder too, without a name those in AUDIT_ANCHORS",
        )
        parser.add_argument("--chain", metavar="KEY", help="only this chain (a session's id, or consult:USER_ID)")

    def handle(self, *, chain: str | None = None, anchors: Path | None = None, **options: Any) -> None:
        write = partial(self.stderr.write, style_func=str, ending="") if self.stderr.isatty() else None
        chains, rows, broken = Counter[str](), Counter[str](), 0
        for table in chained_tables():
            progress = Progress(write, f"{table.plural} read")
            checks = chains_verify([chain] if chain else None, tables=[table], on_rows=progress.add)
            while batch := list(islice(checks, PAGE_CHAINS)):
                chains_mark_verified(checks=batch)
                chains[table.name] += len(batch)
                rows[table.name] += sum(check.length for check in batch)
                for line in _lines(batch, table.name):
                    progress.end()
                    self.stdout.write(line)
                    broken += 1
            progress.end()
        if chain and not chains:
            raise CommandError(f"There is no chain {chain!r}.")
        changed, anchored = self._anchors(anchors) if anchors else (0, "")
        if broken:
            raise CommandError(f"{broken} of {chains.total()} chains are broken.", returncode=1)
        if changed:
            raise CommandError(f"The anchors have {changed} faults.", returncode=1)
        # Tables of which there is nothing are passed over, but something is said.
        for table in [table for table in chained_tables() if chains[table.name]] or chained_tables()[:1]:
            self.stdout.write(f"{rows[table.name]} {table.plural} in {chains[table.name]} chains: whole")
        if anchored:
            self.stdout.write(anchored)

    def _anchors(self, folder: Path) -> tuple[int, str]:
        """Print what the anchors know better; how much that is, and what was looked at, in words."""
        check, changed = AnchorsCheck(folder), 0
        for line in check.faults():
            self.stdout.write(line)
            changed += 1
        if not check.anchors:
            raise CommandError(f"There are no anchors in {folder}.", returncode=1)
        return changed, f"{check.ends} ends in {check.anchors} anchors: all there"


def _lines(checks: list[ChainCheck], name: str) -> Iterator[str]:
    for check in checks:
        if fault := check.fault:
            row = "no row" if fault.row_id is None else f"{name} {fault.row_id}"
            yield f"chain {check.chain}, seq {fault.seq}, {row}: {fault.kind}: {fault.detail}"
