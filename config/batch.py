"""Commands for people with files. They run in a bare clone, so the settings start nothing and make nothing for them."""

from collections.abc import Sequence
from pathlib import Path

COMMANDS = frozenset({"assess_reflection", "classify", "deviation", "evaluate", "grade", "route"})
"""Every `core.batch.command.BatchCommand`; a test holds the list complete."""
_ENTRIES = ("manage.py", "django-admin", "__main__.py")


def is_batch(arguments: Sequence[str]) -> bool:
    """Whether a process with these arguments, `sys.argv`, runs one of `COMMANDS`."""
    return len(arguments) > 1 and Path(arguments[0]).name in _ENTRIES and arguments[1] in COMMANDS
