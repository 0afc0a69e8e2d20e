import gzip
import io
import os
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.files import copies, limits, opening, parquet_tables, raw

Write = Callable[..., Path]
Refusal = Callable[..., str]


def _zipped() -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("bomb.csv", b"0" * 10_000_000)
    return archive.getvalue()


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n\n", "is empty"),
        (b"a,b\n", "column names only"),
        (gzip.compress(b"0" * 10_000_000), "is compressed (gzip)"),
        (_zipped(), "is compressed (zip"),
        (b"%PDF-1.7\n...", "is a PDF"),
        (b"\x89PNG\r\n\x1a\n\x00", "is a picture"),
        (random.Random(1).randbytes(5_000), "expected a text"),
        (b"a,b\n1,\x00\n", "NUL byte"),
        (b"a,b\n" + b"\x01\x02\x03\x04,2\n" * 20, "control characters"),
        ("a,b\n1,ñ\n".encode("utf-16")[:-1], "no character in UTF-16"),
        (b"\xff\xfea\x00\n\x00\x00\xd8b\x00\n\x00", "no character in UTF-16"),
        (b"nombre,ciudad\n" + "Ñandú,Cádiz\n".encode() * 5 + b"M\xf3,x\n", "near line 7"),
        ("a,b\n1,ñ".encode()[:-1] + "\né,é\nó,ó\n".encode(), "no character in UTF-8"),
        (b"<!DOCTYPE html>\n<html><body>1,2</body></html>", "is a web page (HTML)"),
        (b"<?xml version='1.0'?><a/>", "is XML"),
        (b"PAR1" + b"x" * 50, "cannot be read"),
        (b'a,b\n1,"never closed\n2,3\n', "opens a quote in line 2 that is never closed"),
        (b"a,b\n" + b"1,2\n" * 30_000 + b'1,"never closed\n', "opens a quote in line 30,002"),
        (b'"a,b\n1,2\n', "opens a quote in its first row"),
        (b"a,b\n1,2\n3,4,5\n", "has 3 cells in line 3; expected 2"),
        (b"a,b,c\n1,2,3\n4,5\n", "has 2 cells in line 3; expected 3"),
        (b"a,b\n1,2,3\n4,5,6\n7,8,9\n", "has 2 cells in line 1; expected 3"),
        (b"a,b\n1," + b"x" * 200_000 + b"\n", "a cell of 200,000 characters"),
        (b"a,b\n1," + b"x" * 1_500_000 + b"\n", "a line of more than 1,000,000"),
        (b"x" * 140_000 + b",b\n1,2\n", "a cell of more than 100,000 characters in its first row"),
        (b'a,"b\n' + b"1,2\n" * 50_000, "opens a quote in its first row"),
        (b"x" * 1_500_000, "a line of more than 1,000,000"),
        (b"x" * 400 + b",b\n1,2\n", "a column name of 400 characters"),
        (",".join(f"c{n}" for n in range(10_000)).encode() + b"\n" + b",".join([b"1"] * 10_000), "has 10,000 columns"),
        (b"," * 1_000 + b"\n" + b"," * 1_000 + b"\n", "has 1,001 columns"),
    ],
)
def test_a_file_that_is_no_table_or_too_large(write: Write, refusal: Refusal, content: bytes, reason: str) -> None:
    message = refusal(write(content))
    assert message.startswith("“data.csv” ")
    assert reason in message
    assert "; expected" in message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"a": 1}\n\n{"a": }\n', "no JSON in line 3"),
        (b'{"a": 1}{"a": 2}\n', "no JSON in line 1"),
        (b'{"a": 1}\n[1]\n', "JSON but no object in line 2"),
        (b'[{"a": 1}]', "is a JSON list"),
        (b"{}\n", "no columns"),
        (b'{"a": 1}\n{"a": ' + b"[" * 200_000 + b"\n", "in line 2"),
        (b'{"a": "' + b"x" * 2_000_000 + b'"}\n', "too long"),
        (b"\n".join(b'{"k%d": 1}' % n for n in range(10_000)), "columns; expected at most 1,000"),
    ],
)
def test_json_that_is_no_table(write: Write, refusal: Refusal, content: bytes, reason: str) -> None:
    assert reason in refusal(write(content, "data.jsonl"))


def test_a_parquet_file_must_be_one(write: Write, refusal: Refusal) -> None:
    assert "does not begin as a Parquet file does" in refusal(write("a,b\n1,2\n", "data.parquet"))


@pytest.mark.parametrize("kind", ["folder", "link", "pipe", "missing", "device"])
def test_only_regular_files_are_opened(write: Write, refusal: Refusal, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "data.csv"
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to("/etc/passwd")
    elif kind == "pipe":
        os.mkfifo(path)
    assert "expected a regular file" in refusal(Path("/dev/zero") if kind == "device" else path)


def test_too_many_columns_of_parquet(refusal: Refusal, tmp_path: Path) -> None:
    pq.write_table(pa.table({f"c{n}": [1] for n in range(1_001)}), tmp_path / "wide.parquet")
    assert "has 1,001 columns" in refusal(tmp_path / "wide.parquet")


def test_a_parquet_that_promises_too_much_is_refused_before_it_is_read(
    refusal: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = pa.table({"zero": pa.array([0]).take(pa.array([0]).take(pa.array([0] * 1_000_000)))})
    pq.write_table(bomb, tmp_path / "bomb.parquet")
    assert (tmp_path / "bomb.parquet").stat().st_size < 10_000
    monkeypatch.setattr(raw, "ROWS", 999_999)
    assert "has 1,000,000 rows; expected at most 999,999" in refusal(tmp_path / "bomb.parquet")
    monkeypatch.setattr(raw, "ROWS", limits.ROWS)
    monkeypatch.setattr(raw, "CELLS", 999_999)
    assert "has 1,000,000 cells" in refusal(tmp_path / "bomb.parquet")
    monkeypatch.setattr(raw, "CELLS", limits.CELLS)
    monkeypatch.setattr(parquet_tables, "UNPACKED_BYTES", 10)
    assert "expected at most 10 without compression" in refusal(tmp_path / "bomb.parquet")


def test_large_files_and_many(write: Write, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = write("a\n1\n", "one.csv"), write("a\n1\n", "two.csv")
    monkeypatch.setattr(copies, "FILE_BYTES", 3)
    assert "more than 3 bytes" in refusal(one)
    monkeypatch.setattr(copies, "FILE_BYTES", limits.FILE_BYTES)
    monkeypatch.setattr(opening, "BYTES_TOGETHER", 7)
    assert "makes 8 bytes; expected at most 7 together" in refusal(one, two)
    assert "11 files were given" in refusal(*[one] * 11)


def test_a_name_that_is_sql_stays_a_name(write: Write, refusal: Refusal) -> None:
    assert refusal(write("", 'x"; drop table y.csv')).startswith('“x"; drop table y.csv” is empty')
    assert refusal(write("", "a\n\x1b[31m\u202eb.csv")).startswith("“a [31mb.csv” is empty")
