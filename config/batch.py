"""Commands for people with files. They run in a bare clone, so the settings start nothing and make nothing for them."""

from collections.abc import Sequence
from pathlib import Path

COMMANDS = frozenset(
    {"analyze", "assess_reflection", "classify", "deviation", "evaluate", "grade", "narrow", "requirements", "route"}
)
"""Every `core.batch.command.BatchCommand`; a test holds the list complete."""
WITHOUT_DATABASE = COMMANDS | {"validate_lesson"}
"""With the other commands that read files and store nothing."""
_ENTRIES = ("manage.py", "django-admin", "__main__.py")


def command_of(arguments: Sequence[str]) -> str:
    """The management command that a process with these arguments, `sys.argv`, runs; empty where it runs none."""
    return arguments[1] if len(arguments) > 1 and Path(arguments[0]).name in _ENTRIES else ""
