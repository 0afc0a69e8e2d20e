"""`manage.py ledger_check`: does the money add up?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from gateway.ledger import ledger_check


class Command(BaseCommand):
    help = (
        "Add up the ledger anew: entries sum to zero, held equals open calls, spent equals settled ones, limits are"
        " what was granted, nothing is over its limit; entries are chained and signed; what the last anchor knew is"
        " there. Names each account or call with a fault, figures in micro-cents, and then exits with 1; otherwise"
        " prints one line. A call that is open long beyond its time is a warning. Safe while the system runs: nothing"
        " is locked."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        check = ledger_check()
        for finding in check.findings:
            self.stdout.write(f"{'warning: ' if finding.warning else ''}{finding.about}: {finding.detail}")
        if check.faults:
            raise CommandError(f"The ledger does not add up: {len(check.faults)} findings.", returncode=1)
        knew = "no anchor yet" if check.anchored is None else f"{check.anchored} accounts in {check.anchor}"
        counts = f"{check.accounts} accounts, {check.calls} calls, {check.entries} entries"
        self.stdout.write(f"ledger ok: {counts}; {knew}")
