"""`manage.py audit_sign`: sign with the newest key, and by choice what was written without a signature."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from telemetry.services import trail_sign, trail_sign_first


class Command(BaseCommand):
    help = (
        "Sign all chains up to their end with the newest of AUDIT_KEYS, as after a new key. Each is walked first. Rows"
        " that nothing signed are named, and signed only with --unsigned: those from before signatures, those that a"
        " server of the version before appended in a rolling restart, and those that somebody without the keys put"
        " there. A chain with another fault stays as it is. The exit code is 1 when any chain was not signed. Runs as"
        " the owner of the tables, like migrate."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument(
            "--unsigned",
            metavar="KEY",
            nargs="*",
            help="sign what is unsigned too: in these chains, or without a key in all; you vouch for what is there",
        )
        which.add_argument(
            "--first", action="store_true", help="sign all that is there, if nothing was ever signed; else do nothing"
        )

    def handle(self, *, unsigned: list[str] | None = None, first: bool = False, **options: Any) -> None:
        def chosen(key: str) -> bool:
            return unsigned is not None and (not unsigned or key in unsigned)

        refused = 0
        for signing in trail_sign_first() if first else trail_sign(chosen):
            for line in signing.refused:
                self.stdout.write(f"{signing.name}: {line}")
            self.stdout.write(f"{signing.name}: {signing.signed} chains signed")
            refused += len(signing.refused)
        if refused:
            raise CommandError(f"{refused} chains have faults and were not signed.", returncode=1)
