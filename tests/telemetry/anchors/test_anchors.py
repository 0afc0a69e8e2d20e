"""What was cut, forged or emptied since an anchor is found, also with the database's full rights."""

import gzip
import json
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from telemetry.anchors import checking, making
from telemetry.anchors.files import AnchorFault, AnchorReading, End, anchor_files, anchor_write
from telemetry.anchors.making import anchor_make
from telemetry.models import Chain, Event
from tests.each import each
from tests.routing.audit_hands import lines_of, signed, verified
from tests.telemetry.conftest import NOON, Append, Tamper, chain_redo


def names(lines: list[str]) -> list[str]:
    """What the faults of anchors are about."""
    return [line.split(", ", 1)[1].split(":")[0] for line in lines if line.startswith("anchor ")]


def anchor_lines(path: Path) -> list[bytes]:
    with gzip.open(path) as file:
        return file.readlines()


def test_an_anchor_has_the_end_of_each_chain(append: Append, folder: Path) -> None:
    append("a", 3)
    append("ñ", 1)
    made = anchor_make(folder, now=NOON)
    head, *ends, seal = map(json.loads, anchor_lines(made.file.path))
    assert head == {"format": "andamio.anchor/1", "number": 1, "at": "2024-01-01T12:00:00+00:00", "previous": None}
    assert ends == [["event", chain.key, chain.length, chain.head_hash] for chain in Chain.objects.order_by("key")]
    assert set(seal) == {"digest", "key", "signature"}
    assert made.file.path.name == "anchor-00000001-20240101T120000Z.jsonl.gz"
    assert [path.suffix for path in folder.iterdir() if not path.name.startswith(".")] == [".gz"]


def test_what_grew_since_is_no_fault(append: Append, folder: Path) -> None:
    append("a", 3)
    assert "ends" in lines_of("audit_anchor")[0]
    append("a", 2)
    append("b", 2)
    lines_of("audit_anchor")
    assert verified("--anchors")[-1] == "4 ends in 2 anchors: all there"  # a at 3 and 5, b, and the trail's


def test_a_tail_that_was_cut_off_and_an_old_head_put_back_are_found(
    append: Append, tamper: Tamper, folder: Path
) -> None:
    append("a", 3)
    old = Chain.objects.get(key="a")
    append("a", 2)
    lines_of("audit_anchor")
    tamper("DELETE FROM telemetry_event WHERE chain_id = 'a' AND seq > 3")
    sql = "UPDATE telemetry_chain SET length = %s, head_hash = %s, signature = %s WHERE key = 'a'"
    tamper(sql, [old.length, old.head_hash, old.signature])
    assert verified()[-1].endswith("whole")  # its signature is right: it was the head once
    lines = verified("--anchors")
    assert names(lines) == ["event a, 5"]
    assert "is not there any more" in lines[0] or "is not there any more" in lines[1]
    assert lines[-1] == "The anchors have 1 faults."


def test_a_chain_grown_anew_over_the_cut_is_found(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 3)
    lines_of("audit_anchor")
    tamper("DELETE FROM telemetry_event WHERE chain_id = 'a'")
    tamper("DELETE FROM telemetry_chain WHERE key = 'a'")
    append("a", 4, course="another")  # the server itself signs it
    assert names(verified("--anchors")) == ["event a, 3"]


def test_a_past_that_was_rewritten_with_its_signature_is_found(append: Append, tamper: Tamper, folder: Path) -> None:
    """Also by somebody who has the keys: the anchor is elsewhere."""
    append("a", 2)
    lines_of("audit_anchor")
    tamper("UPDATE telemetry_event SET level = 'error' WHERE chain_id = 'a' AND seq = 1")
    chain_redo(tamper, "a")
    tamper("UPDATE telemetry_chain SET signature = '' WHERE key = 'a'")
    signed("--unsigned")
    lines = verified("--anchors")
    assert names(lines) == ["event a, 2"]
    assert f"is {Event.objects.get(chain='a', seq=2).hash} now" in " ".join(lines)


def test_an_emptied_trail_is_found(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 2)
    append("b", 1)
    lines_of("audit_anchor")
    tamper("DELETE FROM telemetry_event")
    tamper("DELETE FROM telemetry_chain")
    assert names(verified("--anchors")) == ["event a, 2", "event b, 1"]


def test_each_end_is_named_with_the_last_anchor_that_has_it(append: Append, tamper: Tamper, folder: Path) -> None:
    append("a", 2)
    for _ in range(3):
        lines_of("audit_anchor")
    tamper("DELETE FROM telemetry_event WHERE chain_id = 'a'")
    [line] = [line for line in verified("--anchors") if line.startswith("anchor ")]
    assert line.startswith("anchor 3 of ")


def test_an_anchor_that_was_forged_is_named(append: Append, folder: Path) -> None:
    append("a", 2)
    lines_of("audit_anchor")
    [file] = anchor_files(folder)
    lines = anchor_lines(file.path)
    for forged in ([lines[0], *lines[2:]], lines[:-1], [lines[0], lines[-1]], lines[1:], [], [b"[]"], [b"\xff"]):
        with gzip.open(file.path, "wb") as out:
            out.writelines(forged)
        assert verified("--anchors")[-1] == "The anchors have 1 faults."
    file.path.write_bytes(b"no gzip")
    assert "it cannot be read" in " ".join(verified("--anchors"))
    lines_of("audit_anchor")  # and goes on behind it
    assert [anchor.number for anchor in anchor_files(folder)] == [1, 2]


def test_an_anchor_signed_with_a_key_that_is_gone_is_named(append: Append, folder: Path, settings: Settings) -> None:
    append("a", 1)
    settings.AUDIT_KEYS = ["old key of thirty-two characters"]
    lines_of("audit_anchor")
    settings.AUDIT_KEYS = ["new key of thirty-two characters", *settings.AUDIT_KEYS]
    lines_of("audit_anchor")
    assert verified("--anchors")[-1].endswith("all there")
    settings.AUDIT_KEYS = settings.AUDIT_KEYS[:1]
    assert "which is not in the ring" in " ".join(verified("--anchors"))


def test_anchors_that_are_missing_or_were_exchanged_are_named(append: Append, folder: Path) -> None:
    append("a", 1)
    for _ in range(4):
        lines_of("audit_anchor")
    files = anchor_files(folder)
    files[1].path.unlink()
    lines = verified("--anchors")
    assert lines[0].startswith("anchor 3 of ")
    assert "between it and anchor 1 some are missing" in lines[0]
    files[2].path.unlink()
    append("a", 1)
    anchor_write(folder, number=3, at=timezone.now(), previous=None, ends=[])
    lines = verified("--anchors")
    assert any("the anchor before it is not the one that it was made behind" in line for line in lines)


def test_without_anchors_nothing_is_proved(append: Append, folder: Path) -> None:
    append("a", 1)
    assert verified("--anchors")[-1] == f"There are no anchors in {folder}."
    assert verified("--anchors", "/nowhere")[-1] == "There are no anchors in /nowhere."


def test_two_days_by_the_hour_and_a_month_by_the_day_are_kept(append: Append, folder: Path) -> None:
    append("a", 1)
    for hour in range(24 * 40):
        number, at = hour + 1, NOON + timedelta(hours=hour)
        (folder / "x").parent.mkdir(exist_ok=True)
        (folder / f"anchor-{number:08}-{at:%Y%m%dT%H%M%S}Z.jsonl.gz").touch()
    now = NOON + timedelta(days=40)
    made = anchor_make(folder, now=now)
    files = anchor_files(folder)
    assert [file.number for file in files[-48:]] == list(range(made.file.number - 47, made.file.number + 1))
    days = [file.at.date() for file in files[:-48]]
    assert len(days) == len(set(days))
    assert 28 <= len(days) <= 31
    assert min(file.at for file in files) > now - timedelta(days=30)


def test_a_file_is_whole_or_not_there(append: Append, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    append("a", 1)

    def disk_full() -> Iterator[End]:
        yield "event", "a", 1, "0" * 64
        raise OSError("No space left on device")

    monkeypatch.setattr(making, "_ends", disk_full)
    with pytest.raises(OSError, match="No space"):
        anchor_make(folder, now=NOON)
    assert anchor_files(folder) == []


def test_an_unreadable_folder_is_told(folder: Path, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings.AUDIT_ANCHORS = tmp_path / "file" / "anchors"
    [line] = lines_of("audit_anchor")
    assert "Not a directory" in line


def test_pages_of_ends_leave_nothing_out(
    append: Append, folder: Path, tamper: Tamper, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_AT_ONCE", 2)
    monkeypatch.setattr(making, "_BLOCK_ROWS", 2)
    for number in range(5):
        append(f"chain-{number}", 1)
    lines_of("audit_anchor")
    assert verified("--anchors")[-1] == "5 ends in 1 anchors: all there"
    tamper("DELETE FROM telemetry_event WHERE chain_id <> 'audit'")
    assert len(names(verified("--anchors"))) == 5


@pytest.mark.django_db(transaction=True)
def test_an_anchor_is_one_snapshot_and_writes_nothing(folder: Path) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    made = anchor_make(folder, now=NOON)
    reading = AnchorReading(made.file)
    assert list(reading.ends()) == []
    assert (reading.digest, made.count) == (made.digest, 0)
    made.file.path.write_bytes(b"")
    with pytest.raises(AnchorFault):
        list(AnchorReading(made.file).ends())


NO_ENDS = [
    b'["account","x"]',
    b'["account","x",1,"",""]',
    b'["account","x","1",""]',
    b'["account","x",1,null]',
    b'["account","x",' + b"9" * 5000 + b',""]',
    b'["account","x",9223372036854775808,""]',  # more than the database has
    rb'["account","x\u0000",1,""]',
    rb'["account","x",1,"\ud800"]',
    b'["account","\xff",1,""]',
    b'{"digest":1,"key":2,"signature":3}',
    b"[" * 100_000,
    b"[" + b'{"a":' * 100_000,
]


@each("place, line", product((0, 1, -1), NO_ENDS))
def test_an_anchor_with_a_line_that_is_none_is_named(append: Append, folder: Path, place: int, line: bytes) -> None:
    for file in anchor_files(folder):
        file.path.unlink()
    append("a", 2)
    append("b", 2)
    lines_of("audit_anchor")
    [file] = anchor_files(folder)
    lines = anchor_lines(file.path)
    lines[place] = line + b"\n"
    with gzip.open(file.path, "wb") as out:
        out.writelines(lines)
    told = verified("--anchors")
    assert told[0].startswith("anchor 1 of ")
    assert told[-1] == "The anchors have 1 faults."
    assert lines_of("ledger_check")[0].startswith("anchor 1 of ")
