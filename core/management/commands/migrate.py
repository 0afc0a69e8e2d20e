"""`manage.py migrate`: Django's, and then what the roles may do. The settings connect it as the owner."""

from typing import Any

from django.core.management.commands import migrate

from core.operations import rights


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if options["plan"]:
            return
        changed = rights.rights_apply()
        if options["verbosity"] >= 1:
            self.stdout.write(f"Rights of the roles: changed on {changed} tables.")
