"""`manage.py export_telemetry`: the events as documented JSON lines."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from telemetry.selectors import events_settled, records_in_blocks
from telemetry.services import export_record, horizon_advance

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
        given = {name: value for name, value in filters.items() if value}
        upto = horizon_advance()
        texts = {name: value.isoformat() if isinstance(value, datetime) else value for name, value in given.items()}
        export_record(by=None, form="jsonl", filters={**texts, "upto": upto})
        blocks = records_in_blocks(events_settled(upto=upto, **given))
        lines = (record.as_line() for block in blocks for record in block)
        if output:
            _write_file(output, lines)
        else:
            _write_out(self.stdout, lines)


def _moment(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        example = "2024-01-31 or 2024-01-31T12:00:00Z"
        raise CommandError(f"{option}: {text!r} is no ISO 8601 date or time, such as {example}.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _write_file(path: str, lines: Iterator[str]) -> None:
    try:
        with open(path, "w", encoding="ascii") as file:
            _write(file, lines)
    except OSError as error:
        raise CommandError(f"--output: {path} cannot be written: {error.strerror}.") from error


def _write_out(out: Any, lines: Iterator[str]) -> None:
    try:
        _write(out, lines)
        out.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`). What Python still holds must go nowhere, or it complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _write(file: IO[str], lines: Iterator[str]) -> None:
    while block := list(islice(lines, LINES_AT_ONCE)):
        file.write("\n".join(block) + "\n")
