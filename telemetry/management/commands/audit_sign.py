"""`manage.py audit_sign`: sign what was written without a signature."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from telemetry.services import trail_sign


class Command(BaseCommand):
    help = (
        "Sign chains that are not signed up to their end with the newest of AUDIT_KEYS: those from before signatures,"
        " what a process of the version before appended in a rolling restart, and all of them after a new key. Each"
        " is walked first; one that has another fault stays as it is, is named, and the exit code is 1. Once, after"
        " upgrading: whoever signs vouches for what is there."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        refused = 0
        for signing in trail_sign():
            for line in signing.refused:
                self.stdout.write(f"{signing.name}: {line}")
            self.stdout.write(f"{signing.name}: {signing.signed} chains signed")
            refused += len(signing.refused)
        if refused:
            raise CommandError(f"{refused} chains have faults and were not signed.", returncode=1)
