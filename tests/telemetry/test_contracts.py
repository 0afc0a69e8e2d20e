import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from telemetry.contracts import EventDraft, EventLevel, EventName, EventRecord
from tests.each import each


def record(**changes: Any) -> EventRecord:
    values: dict[str, Any] = {
        "timestamp": datetime(2024, 1, 1, 12, tzinfo=UTC),
        "level": EventLevel.INFO,
        "event": EventName.EVALUATION_RESULT,
        "sessionId": "plan-123",
        "data": {"askCode": "ASK_001", "result": "ACCEPT", "reason": "SEM_LOW"},
        "seq": 1,
        "course": "photosynthesis",
        "mode": "adaptive",
    }
    return EventRecord(**{**values, **changes})


def test_the_documented_example_comes_out_as_documented() -> None:
    assert json.dumps(record().as_jsonl()) == (
        '{"timestamp": "2024-01-01T12:00:00Z", "level": "info", "event": "evaluation.result", "sessionId": "plan-123",'
        ' "data": {"askCode": "ASK_001", "result": "ACCEPT", "reason": "SEM_LOW"}}'
    )


def test_milliseconds_are_shown_when_there_are_some() -> None:
    moment = datetime(2024, 1, 1, 13, 0, 0, 250_999, tzinfo=timezone(timedelta(hours=1)))
    assert record(timestamp=moment).as_jsonl()["timestamp"] == "2024-01-01T12:00:00.250Z"


def test_a_line_stays_one_line_in_every_encoding() -> None:
    line = record(data={"note": "clorofila\u2028\n\x85 ñ"}).as_line()
    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert json.loads(line)["data"] == {"note": "clorofila\u2028\n\x85 ñ"}


@each("name", [*EventName, "model.call.late_reply"])
def test_names_of_the_form_are_taken(name: str) -> None:
    assert EventDraft(event=name).event == name


@each("name", ["turn", "Turn.start", "turn.", ".start", "turn start", "turn.start\n", "turn.s1", "a." * 40])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="event"):
        EventDraft(event=name)


def test_unknown_levels_and_data_that_is_no_json_are_refused() -> None:
    with pytest.raises(ValidationError, match="level"):
        EventDraft(event="mode.changed", level="debug")  # type: ignore[arg-type]
    with pytest.raises(ValidationError, match=r"data\.score: nan is no JSON value"):
        EventDraft(event="mode.changed", data={"score": float("nan")})


def test_a_draft_keeps_nothing_of_what_its_caller_changes_later() -> None:
    data = {"codes": ["A"]}
    draft = EventDraft(event="mode.changed", data=data)
    data["codes"].append("B")
    assert draft.data == {"codes": ["A"]}
