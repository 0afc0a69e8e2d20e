"""`manage.py audit_anchor`: write down, apart from the database, what it holds now."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from telemetry.services import anchor_set


class Command(BaseCommand):
    help = (
        "Write an anchor into the folder AUDIT_ANCHORS: the ends of all chains in one snapshot, signed, and the digest"
        " of the anchor before. Send it to AUDIT_ANCHOR_TO, where that is set; what did not arrive is sent by the next"
        " one, and the exit code is 1. Beat does this every hour."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            made, failed = anchor_set()
        except OSError as error:
            raise CommandError(f"{settings.AUDIT_ANCHORS}: {error}") from error
        self.stdout.write(f"{made.file.path}: {made.count} ends, {made.digest}")
        if lines := [f"{to}: {reason}" for to, reason in failed.items() if reason]:
            raise CommandError(f"not sent to {'; '.join(lines)}", returncode=1)
