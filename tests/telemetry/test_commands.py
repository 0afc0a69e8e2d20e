import io
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from telemetry.chains.verification import chains_verify
from telemetry.contracts import EventDraft
from telemetry.management.commands import export_telemetry
from telemetry.models import Chain, Event
from tests.telemetry.conftest import NOON, Append, Tamper


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(command: str, *arguments: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()


def exported(*arguments: str) -> list[dict[str, Any]]:
    """What an export gives, without the traces of exports before it."""
    events = [json.loads(line) for line in run("export_telemetry", *arguments).splitlines()]
    return [event for event in events if event["sessionId"] != "exports"]


def test_whole_chains_are_one_line_and_remembered(append: Append) -> None:
    append("a", 3)
    append("b", 2)
    assert run("audit_verify") == "5 events in 2 chains: whole\n"
    assert dict(Chain.objects.values_list("key", "verified_length")) == {"a": 3, "b": 2}
    assert not Chain.objects.exclude(broken_at=None).exists()
    assert not Chain.objects.filter(verified_at=None).exists()


def test_an_empty_trail_is_whole(db: None) -> None:
    assert run("audit_verify") == "0 events in 0 chains: whole\n"


def test_the_first_broken_row_is_named_and_the_exit_code_is_one(append: Append, tamper: Tamper) -> None:
    append("a", 3)
    append("b", 3)
    append("c", 3)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id = 'b' AND seq >= 2")
    tamper("DELETE FROM telemetry_event WHERE chain_id = 'c' AND seq = 3")
    out = io.StringIO()
    with pytest.raises(CommandError, match=r"^2 of 3 chains are broken\.$") as failure:
        call_command("audit_verify", stdout=out)
    assert failure.value.returncode == 1
    altered = Event.objects.get(chain_id="b", seq=2).pk
    assert out.getvalue().splitlines() == [
        f"chain b, seq 2, event {altered}: altered: its content was altered: it does not match its hash",
        "chain c, seq 3, no row: truncated: the tail was cut off: the head says 3 events, 2 are there",
    ]
    assert dict(Chain.objects.values_list("key", "broken_at")) == {"a": None, "b": 2, "c": 3}


def test_one_chain_alone_is_checked(append: Append, tamper: Tamper) -> None:
    append("a", 1)
    append("b", 1)
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id = 'b'")
    assert run("audit_verify", "--chain", "a") == "1 events in 1 chains: whole\n"
    with pytest.raises(CommandError, match="1 of 1 chains"):
        run("audit_verify", "--chain", "b")
    with pytest.raises(CommandError, match="There is no chain 'nobody'"):
        run("audit_verify", "--chain", "nobody")


def test_progress_is_for_terminals_only(append: Append) -> None:
    append("a", 3)
    for err, shown in ((Terminal(), True), (io.StringIO(), False)):
        run("audit_verify", stderr=err)
        assert ("3 events read" in err.getvalue()) is shown
        assert ("a second" in err.getvalue()) is shown


def test_the_export_is_the_documented_form(append: Append) -> None:
    data = {"askCode": "ASK_001", "result": "ACCEPT", "reason": "SEM_LOW"}
    append(drafts=[EventDraft(event="evaluation.result", data=data)])
    [event] = exported()
    assert list(event) == ["timestamp", "level", "event", "sessionId", "data"]
    assert event == {
        "timestamp": "2024-01-01T12:00:00Z",
        "level": "info",
        "event": "evaluation.result",
        "sessionId": "plan-123",
        "data": data,
    }


def test_the_export_filters(append: Append) -> None:
    append("a", now=NOON)
    append("b", now=NOON + timedelta(days=1), course="history")
    append("a", now=NOON + timedelta(days=2))

    def days(*arguments: str) -> list[str]:
        return [event["timestamp"][8:10] for event in exported(*arguments)]

    assert days() == ["01", "02", "03"]
    assert days("--chain", "a") == ["01", "03"]
    assert days("--course", "history") == ["02"]
    assert days("--since", "2024-01-02") == ["02", "03"]
    assert days("--since", "2024-01-01T12:00:00Z", "--until", "2024-01-02T12:00:00Z") == ["01"]
    assert days("--until", "2024-01-02T14:00:00+02:00") == ["01"]
    assert days("--chain", "nobody") == []


@pytest.mark.parametrize("option", ["--since", "--until"])
@pytest.mark.parametrize("text", ["yesterday", "2024-13-01", "", "2024-01-01T25:00"])
def test_a_bad_date_is_told(db: None, option: str, text: str) -> None:
    with pytest.raises(CommandError, match=f"{option}: '{text}' is no ISO 8601 date or time"):
        run("export_telemetry", option, text)


def test_an_empty_span_is_told(db: None) -> None:
    with pytest.raises(CommandError, match="--since must lie before --until"):
        run("export_telemetry", "--since", "2024-01-02", "--until", "2024-01-01")


def test_the_export_goes_to_a_file(append: Append, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_telemetry, "LINES_AT_ONCE", 4)
    append(count=10)
    target = tmp_path / "events.jsonl"
    assert run("export_telemetry", "--output", str(target)) == ""
    assert list(map(json.loads, target.read_text().splitlines())) == exported()
    assert len(target.read_text().splitlines()) == 10
    with pytest.raises(CommandError, match="cannot be written: No such file or directory"):
        run("export_telemetry", "--output", str(tmp_path / "missing" / "events.jsonl"))


def test_an_export_is_itself_recorded_before_anything_leaves(append: Append) -> None:
    append("a", 2)
    last = Event.objects.order_by("pk").last()
    assert last
    assert len(exported("--chain", "a", "--since", "2024-01-01")) == 2
    trace = Event.objects.get(chain="exports")
    assert trace.event == "telemetry.exported"
    filters = {"chain": "a", "since": "2024-01-01T00:00:00+00:00", "upto": last.pk}
    assert trace.data == {"by": None, "form": "jsonl", "filters": filters}
    assert [check.fault for check in chains_verify(["exports"])] == [None]


@pytest.mark.hard
def test_a_reader_that_leaves_early_is_no_error() -> None:
    program = """
import itertools, sys, django
django.setup()
from core.batch.command import reader_may_leave
from telemetry.management.commands.export_telemetry import _write
with reader_may_leave():
    _write(sys.stdout, map(str, itertools.count()))
"""
    root = Path(export_telemetry.__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        errors = process.stderr.read()
        assert not [word for word in ("Traceback", "BrokenPipe", "Exception ignored") if word in errors], errors
        assert process.wait(timeout=30) == 0
