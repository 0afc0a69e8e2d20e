"""Events in the forms that leave the house."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from telemetry.contracts import EventRecord, timestamp_jsonl
from telemetry.panels import Filters
from telemetry.selectors import events_settled, records_in_blocks
from telemetry.services import export_record, horizon_advance

Blocks = Iterable[list[EventRecord]]
_COLUMNS = ("timestamp", "level", "event", "sessionId", "seq", "course", "mode", "data")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def export_begin(
    *, by: int | None, form: str, recorded: dict[str, Any], courses: Sequence[str] = (), **filters: Any
) -> Iterator[list[EventRecord]]:
    """Write down who exports what (`recorded`, in JSON values), and return the events that `events_settled` finds.

    All that are settled now, and none that come later. The blocks need no transaction and hold nothing in between.
    """
    upto = horizon_advance()
    export_record(by=by, form=form, filters={**recorded, "upto": upto})
    events = events_settled(upto=upto, **filters)
    return records_in_blocks(events.filter(course__in=courses) if courses else events)


def export_blocks(*, by: int, form: str, filters: Filters) -> Iterator[bytes]:
    """Begin the export of what was chosen on the dashboard, as blocks of `form` ("jsonl" or "csv")."""
    recorded = {name: value for name, value in filters.model_dump(mode="json").items() if value}
    begin, end = filters.span
    chosen: dict[str, Any] = {"since": begin, "until": end, "mode": filters.mode or None, "courses": filters.courses}
    return FORMS[form](export_begin(by=by, form=form, recorded=recorded, **chosen))


def jsonl_blocks(blocks: Blocks) -> Iterator[bytes]:
    """The documented JSON Lines."""
    for block in blocks:
        yield "".join(f"{record.as_line()}\n" for record in block).encode()


def csv_blocks(blocks: Blocks) -> Iterator[bytes]:
    """CSV with a heading; `data` is one cell of JSON. No cell is taken for a formula by a spreadsheet."""
    yield _csv([_COLUMNS])
    for block in blocks:
        yield _csv(_row(record) for record in block)


def cell_safe(text: str) -> str:
    """The text, with an apostrophe before it where a spreadsheet would calculate it."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


FORMS: dict[str, Callable[[Blocks], Iterator[bytes]]] = {"jsonl": jsonl_blocks, "csv": csv_blocks}
CONTENT_TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8"}


def _row(record: EventRecord) -> list[Any]:
    texts = (timestamp_jsonl(record.timestamp), record.level.value, record.event, record.session_id)
    texts_after = (record.course, record.mode, json.dumps(record.data, separators=(",", ":")))
    return [*map(cell_safe, texts), record.seq, *map(cell_safe, texts_after)]


def _csv(rows: Iterable[Iterable[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
