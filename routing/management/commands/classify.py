"""`manage.py classify`: messages of a file, each with the domains it is about. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.management.base import CommandParser

from core.batch.command import BatchCommand, BatchRow
from routing.engine import abstains, classifier_of, domains_of
from routing.management.pack_option import pack_argument, pack_chosen

DOMAINS_AT_MOST = 3


class Row(BatchRow):
    """A message, of any length, in English or Spanish."""

    message: str


class Command(BatchCommand[Row]):
    help = (
        "Tell which domains of a pack messages are about. Reads JSON lines from standard input (message) and writes a"
        " JSON line for each, in order: domain (the best guess, also when abstaining), domains (up to three that are"
        " near), confidence (low, medium or high) and abstain (whether it seems to belong to none); or error."
    )
    row = Row

    def add_arguments(self, parser: CommandParser) -> None:
        pack_argument(parser)

    def begin(self, **options: Any) -> None:
        self._classifier = classifier_of(pack_chosen(options["pack"], strict=False))

    def prepare(self, rows: Sequence[Row]) -> None:
        self._classifier.prepare([row.message for row in rows])

    def answer(self, row: Row) -> Mapping[str, Any]:
        reading = self._classifier.read(row.message)
        return {
            "domain": reading.first,
            "domains": list(domains_of(reading, at_most=DOMAINS_AT_MOST)),
            "confidence": reading.certainty,
            "abstain": abstains(reading),
        }
