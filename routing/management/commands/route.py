"""`manage.py route`: messages of a file, each with its query plan. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandError, CommandParser

from core.batch.command import BatchCommand, BatchRow
from routing.contracts.values import DomainHint, Mode
from routing.errors import PackRefused
from routing.management.pack_option import pack_argument, pack_chosen
from routing.router import Router


class Row(BatchRow):
    """A message; without a mode the router chooses one."""

    message: str
    mode: Mode | None = None
    domain_hint: DomainHint | None = None


class Command(BatchCommand[Row]):
    help = (
        "Make query plans. Reads JSON lines from standard input (message, and if you like mode, fast or deep, and"
        " domain_hint) and writes a JSON line for each, in order: a QueryPlan v1, by the phase that the settings name"
        " (QUERY_PLAN_PHASE); or error. A pack of your own has domains of query plans only."
    )
    row = Row

    def add_arguments(self, parser: CommandParser) -> None:
        pack_argument(parser)

    def begin(self, **options: Any) -> None:
        pack = pack_chosen(options["pack"], strict=True)
        try:
            pack.require_query_plan_keys()
        except PackRefused as error:
            raise CommandError(f"{options['pack']} cannot be used:\n{error.message}") from error
        self._router = Router(pack)

    def prepare(self, rows: Sequence[Row]) -> None:
        self._router.prepare([row.message for row in rows])

    def answer(self, row: Row) -> Mapping[str, Any]:
        return self._router.route(row.message, row.domain_hint or "auto", row.mode).model_dump(mode="json")
