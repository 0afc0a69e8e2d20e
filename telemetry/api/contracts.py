"""What the telemetry API takes and gives."""

from typing import Annotated

from pydantic import Field, StringConstraints, WithJsonSchema
from pydantic.functional_serializers import PlainSerializer
from pydantic.types import AwareDatetime

from core.api.base import Moment, Page, PageQuery
from core.contracts import Contract
from telemetry.contracts import NAME_LENGTH, EventRecord, timestamp_jsonl

# Letters, digits and what is usual between them: enough for keys of chains and slugs of lessons.
ChainKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9:._-]*$", max_length=64)]
Course = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9:._-]*$", max_length=128)]
Mode = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z_]*$", max_length=16)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z]+(\.[a-z_]+)+$", max_length=NAME_LENGTH)]
_Timestamp = Annotated[
    AwareDatetime,
    PlainSerializer(timestamp_jsonl, return_type=str, when_used="json"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class EventFilters(Contract):
    """Which events; each filter that is given must hold."""

    since: Moment | None = Field(None, description="Only events at this time or later.")
    until: Moment | None = Field(None, description="Only events before this time.")
    session: ChainKey | None = Field(
        None, description="Only the events of this chain: a session's id, `lesson:<slug>` or `exports`."
    )
    course: Course | None = Field(None, description="Only events of this course.")
    mode: Mode | None = Field(None, description="Only events in this mode: `deterministic` or `adaptive`.")
    event: Name | None = Field(None, description="Only events of this name, such as `evaluation.result`.")


class EventsQuery(EventFilters, PageQuery):
    """Filters and page."""


class EventItem(EventRecord):
    """An event in its chain. `sessionId` and `seq`, which counts from 1 without gaps, name it for good."""

    timestamp: _Timestamp
    seq: int = Field(ge=1)


class EventPage(Page[EventItem]):
    """Events in the order they were recorded. Ask `follow` again later for those that are recorded after them."""

    follow: str = Field(description="`next` where there is one; otherwise where later events will be.")
