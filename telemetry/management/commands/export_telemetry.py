"""`manage.py export_telemetry`: the events as documented JSON lines."""

from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from core.batch.command import reader_may_leave
from telemetry.exports.formats import export_begin

LINES_AT_ONCE = 1000


class Command(BaseCommand):
    help = (
        "Write events as JSON lines (timestamp, level, event, sessionId, data), in the order they were recorded."
        " Times are ISO 8601; without a zone they are UTC; a date alone is its midnight. The export is itself recorded,"
        " as an event of the chain `exports`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--chain", metavar="KEY", help="only the events of this session")
        parser.add_argument("--since", metavar="ISO", help="only events at this time or later")
        parser.add_argument("--until", metavar="ISO", help="only events before this time")
        parser.add_argument("--course", help="only the events of this course")
        parser.add_argument("--output", metavar="FILE", help="write there instead of to standard output")

    def handle(self, *, output: str | None = None, **options: Any) -> None:
        since, until = _moment("--since", options["since"]), _moment("--until", options["until"])
        if since and until and since >= until:
            raise CommandError("--since must lie before --until.")
        filters = {"since": since, "until": until, "chain": options["chain"], "course": options["course"]}
        chosen = {name: value for name, value in filters.items() if value}
        texts = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in chosen.items()}
        blocks = export_begin(by=None, form="jsonl", recorded=texts, **chosen)
        lines = (record.as_line() for block in blocks for record in block)
        if not output:
            with reader_may_leave():
                _write(self.stdout, lines)
            return
        try:
            with open(output, "w", encoding="ascii") as file:
                _write(file, lines)
        except OSError as error:
            raise CommandError(f"--output: {output} cannot be written: {error.strerror}.") from error


def _moment(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        example = "2024-01-31 or 2024-01-31T12:00:00Z"
        raise CommandError(f"{option}: {text!r} is no ISO 8601 date or time, such as {example}.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _write(file: Any, lines: Iterator[str]) -> None:
    while block := list(islice(lines, LINES_AT_ONCE)):
        file.write("\n".join(block) + "\n")
    file.flush()
