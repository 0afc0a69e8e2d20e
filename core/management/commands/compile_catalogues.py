"""`manage.py compile_catalogues`: the .mo files next to the .po files, without GNU gettext on the machine."""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = "Compiles every message catalogue that is newer than its compiled form."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for path in compile_catalogues():
            self.stdout.write(f"compiled {path}")


def compile_catalogues() -> list[Path]:
    """Compile what changed and return the .po files concerned. Raises `CommandError` naming file and line."""
    folders = [Path(folder) for folder in settings.LOCALE_PATHS]
    catalogues = sorted(path for folder in folders for path in folder.glob("*/LC_MESSAGES/*.po"))
    changed = [path for path in catalogues if _is_outdated(path)]
    for path in changed:
        _compile(path)
    return changed


def _is_outdated(path: Path) -> bool:
    compiled = path.with_suffix(".mo")
    return not compiled.exists() or compiled.stat().st_mtime_ns < path.stat().st_mtime_ns


def _compile(path: Path) -> None:
    try:
        with path.open("rb") as source:
            catalogue = read_po(source, locale=path.parent.parent.name, abort_invalid=True)
    except PoFileError as error:
        raise CommandError(f"{path}: {error}") from error
    # Written beside and moved: a server that starts meanwhile reads the old catalogue or the new one, never half of it.
    unfinished = path.with_suffix(f".mo.{os.getpid()}")
    with unfinished.open("wb") as target:
        write_mo(target, catalogue)
    unfinished.replace(path.with_suffix(".mo"))
