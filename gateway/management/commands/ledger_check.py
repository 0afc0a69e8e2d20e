"""`manage.py ledger_check`: does the money add up?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from gateway.ledger import ledger_check


class Command(BaseCommand):
    help = (
        "Add up the ledger anew: entries sum to zero, held equals open calls, spent equals settled ones, limits are"
        " what was granted, nothing is over its limit. Names each account or call that does not add up, with both"
        " figures in micro-cents, and then exits with 1; otherwise prints one line. A call that is open long beyond its"
        " time is a warning. Safe while the system runs: nothing is locked."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        check = ledger_check()
        for finding in check.findings:
            self.stdout.write(f"{'warning: ' if finding.warning else ''}{finding.about}: {finding.detail}")
        if check.faults:
            raise CommandError(f"The ledger does not add up: {len(check.faults)} findings.", returncode=1)
        self.stdout.write(f"ledger ok: {check.accounts} accounts, {check.calls} calls, {check.entries} entries")
