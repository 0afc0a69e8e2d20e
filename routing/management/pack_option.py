"""`--pack FILE` of the commands that read messages by a pack."""

from django.core.management.base import CommandError, CommandParser

from routing.errors import PackRefused
from routing.packs.pack import Pack, pack_load, pack_shipped


def pack_argument(parser: CommandParser) -> None:
    """Adds the option."""
    parser.add_argument(
        "--pack", metavar="FILE", help="A pack of domains, YAML or JSON; left out, the one that comes with the product."
    )


def pack_chosen(path: str | None, *, strict: bool) -> Pack:
    """The pack of the option; raises `CommandError` with what is wrong with the file."""
    if path is None:
        return pack_shipped()
    try:
        return pack_load(path, strict=strict)
    except PackRefused as error:
        raise CommandError(f"{path} cannot be used:\n{error.message}") from error
