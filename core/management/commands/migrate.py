"""`manage.py migrate`: Django's, and then what the roles may do. The settings connect it as the owner."""

from typing import Any

from django.core.management.commands import migrate

from core.operations import rights


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"] or options["prune"]:
            super().handle(*args, **options)
            return
        try:
            super().handle(*args, **options)
        finally:
            rights.triggers_never_ignored()  # each migration that adds a trigger makes them ignorable again
        changed = rights.rights_apply()
        if options["verbosity"] >= 1:
            self.stdout.write(f"Rights of the roles: changed on {changed} tables.")
