"""`manage.py audit_verify`: is every chain whole?"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.batch.command import Progress
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
        parser.add_argument("--chain", metavar="KEY", help="only this chain (a session's id, or consult:USER_ID)")

    def handle(self, *, chain: str | None = None, **options: Any) -> None:
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
        if broken:
            raise CommandError(f"{broken} of {chains.total()} chains are broken.", returncode=1)
        # Tables of which there is nothing are passed over, but something is said.
        for table in [table for table in chained_tables() if chains[table.name]] or chained_tables()[:1]:
            self.stdout.write(f"{rows[table.name]} {table.plural} in {chains[table.name]} chains: whole")


def _lines(checks: list[ChainCheck], name: str) -> Iterator[str]:
    for check in checks:
        if fault := check.fault:
            row = "no row" if fault.row_id is None else f"{name} {fault.row_id}"
            yield f"chain {check.chain}, seq {fault.seq}, {row}: {fault.kind}: {fault.detail}"
