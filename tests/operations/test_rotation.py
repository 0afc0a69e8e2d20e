"""Logs stay within their bound while they are written, and what earlier versions logged does not stay."""

import resource
from pathlib import Path

import pytest

from config import database
from config.launcher import children
from config.launcher.children import log_rotate


def test_a_log_is_rotated_under_the_hands_of_who_writes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LOG_BYTES", 1000)
    log, former = tmp_path / "web.log", tmp_path / "web.log.1"
    log_rotate(log)  # not there yet
    with log.open("ab", buffering=0) as writer:
        for number in range(100):
            writer.write(f"{number:04d} {'x' * 94}\n".encode())
            log_rotate(log)
            assert log.stat().st_size <= 1100
    assert former.stat().st_size <= 1100
    lines = (former.read_text() + log.read_text()).splitlines()
    assert [int(line[:4]) for line in lines] == list(range(100 - len(lines), 100)), "nothing between is lost"


def test_the_log_of_an_earlier_version_is_emptied_once(tmp_path: Path) -> None:
    (tmp_path / "postgresql.conf").write_text("")
    (tmp_path / "andamio.conf").write_text("max_connections = 200\n")
    log = tmp_path / "log"
    log.write_text("DETAIL:  Failing row contains (my words).\n")
    database._tune(tmp_path)
    assert log.read_text() == ""
    log.write_text("LOG:  database system is ready\n")
    database._tune(tmp_path)
    assert log.read_text() == "LOG:  database system is ready\n"


def test_a_log_is_emptied_where_no_second_one_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "LOG_BYTES", 1000)
    log = tmp_path / "web.log"
    log.write_text("x" * 5000)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))  # fails a write within the file, as a full disk does
    try:
        log_rotate(log)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert log.stat().st_size == 0
    assert not (tmp_path / "web.log.1").exists()
