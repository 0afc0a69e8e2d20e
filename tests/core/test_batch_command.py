"""The base of commands for people with files: a fault costs a row, never those that follow."""

import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from django.core.management import call_command

from core.batch.command import BatchCommand, BatchRow, RowRefused


class Row(BatchRow):
    number: int


class Halves(BatchCommand[Row]):
    row = Row
    chunks: list[list[int]]
    divisor: int

    def begin(self, **options: Any) -> None:
        self.chunks, self.divisor = [], 2

    def prepare(self, rows: Sequence[Row]) -> None:
        self.chunks.append([row.number for row in rows])
        if any(row.number == 13 for row in rows):
            raise RuntimeError("no chunk with this")

    def answer(self, row: Row) -> Mapping[str, Any]:
        if row.number < 0:
            raise RowRefused("number must not be negative here")
        if row.number == 99:
            return {"half": float("nan")}
        return {"half": row.number / self.divisor, "ñ": "ñ"} if row.number else {"half": 1 / row.number}


def run(monkeypatch: pytest.MonkeyPatch, source: bytes) -> tuple[Halves, list[Any]]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(source)))
    command, out = Halves(), io.StringIO()
    call_command(command, stdout=out)
    assert out.getvalue().isascii()
    return command, [json.loads(line) for line in out.getvalue().splitlines()]


def test_fields_that_the_command_does_not_know_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(monkeypatch, b'{"id": "a", "number": 4, "label": "x"}\n')[1] == [{"half": 2.0, "ñ": "ñ"}]


def test_a_row_that_cannot_be_answered_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    _, found = run(monkeypatch, b'{"number": -1}\n{"number": 2}\n')
    assert found == [{"error": "number must not be negative here"}, {"half": 1.0, "ñ": "ñ"}]


@pytest.mark.parametrize("number", [0, 99])
def test_a_fault_of_ours_costs_its_row_only(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, number: int
) -> None:
    _, found = run(monkeypatch, b'{"number": %d}\n{"number": 2}\n' % number)
    assert [list(answer) for answer in found] == [["error"], ["half", "ñ"]]
    assert "answering a row failed" in caplog.text


def test_rows_that_cannot_be_prepared_are_answered_one_by_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, found = run(monkeypatch, b'{"number": 13}\n{"number": 2}\n')
    assert [answer["half"] for answer in found] == [6.5, 1.0]
    assert "preparing rows failed" in caplog.text


def test_good_rows_are_prepared_chunk_by_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    command, found = run(monkeypatch, b'{"number": 1}\n{}\n' * 300)
    assert [len(chunk) for chunk in command.chunks] == [128, 128, 44]
    assert len(found) == 600
