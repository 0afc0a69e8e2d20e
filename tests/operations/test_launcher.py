"""The launcher's parts that need no running server: what it refuses, and how it cleans up after a crash."""

import errno
import http.server
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.database_users import forget_the_dead
from config.launcher import checks, child, children, console
from config.launcher.console import Problem

PROJECT = Path(__file__).resolve().parent.parent.parent


def launch(var: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the launcher to its end, as `make run` would."""
    kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DEMO_PASSWORD")}
    return subprocess.run(
        [sys.executable, "-m", "config.launcher", *arguments],
        cwd=PROJECT,
        env={**kept, "ANDAMIO_VAR": str(var), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_taken_port_is_one_line_that_names_it_and_the_way_out(tmp_path: Path, taken_port: int) -> None:
    ended = launch(tmp_path / "var", "--port", str(taken_port))
    assert ended.returncode == 1
    assert ended.stdout.splitlines() == [
        f"Port {taken_port} is taken by another program; choose another: make run PORT={taken_port % 65535 + 1}"
    ]
    assert ended.stderr == ""
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("port", ["0", "70000", "eight", "-1", ""])
def test_what_is_no_port_is_said_in_one_line(tmp_path: Path, port: str) -> None:
    ended = launch(tmp_path / "var", f"--port={port}")
    assert ended.returncode == 1
    assert len(ended.stdout.splitlines()) == 1
    assert "PORT=8000" in ended.stdout
    assert ended.stderr == ""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("WEB_CONCURRENCY", "many", "WEB_CONCURRENCY must be a whole number, not 'many'"),
        (
            "PUBLIC_URL",
            "tutor.example",
            "PUBLIC_URL must be http(s)://host or http(s)://host:port without a path, not 'tutor.example'",
        ),
    ],
)
def test_a_wrong_setting_is_one_line(tmp_path: Path, name: str, value: str, line: str) -> None:
    ended = launch(tmp_path / "var", "--port", str(free_port()), **{name: value})
    assert ended.returncode == 1
    assert ended.stdout == f"{line}\n"
    assert ended.stderr == ""


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"^Not enough room on the disk: 12 MB free in .*, 500 MB needed\.$"):
        checks.check_room(tmp_path, free=12_345_678)


@pytest.mark.parametrize("folder", ["file/var", "loop", "x" * 300])
def test_a_folder_that_cannot_be_used_is_one_line(tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    ended = launch(tmp_path / folder, "--port", str(free_port()))
    assert ended.returncode == 1
    assert len(ended.stdout.splitlines()) == 1
    assert str(tmp_path / folder) in ended.stdout
    assert ended.stderr == ""


def test_a_secret_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    ended = launch(tmp_path / "var", "--port", str(free_port()), DATABASE_URL_FILE=str(tmp_path / "absent"))
    assert ended.returncode == 1
    assert ended.stdout.startswith("DATABASE_URL_FILE cannot be read: ")
    assert len(ended.stdout.splitlines()) == 1
    assert ended.stderr == ""


@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_that_fills_up_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reason: int) -> None:
    monkeypatch.setenv("ANDAMIO_VAR", str(tmp_path))
    line = console.failure_text(OSError(reason, os.strerror(reason)))
    assert line == f"The disk is full: {tmp_path}. Make room and start again."


@pytest.mark.parametrize("reason", [errno.EACCES, errno.EROFS])
def test_a_folder_that_is_not_ours_to_write_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reason: int
) -> None:
    monkeypatch.setenv("ANDAMIO_VAR", str(tmp_path / "deep" / "var"))
    line = console.failure_text(OSError(reason, os.strerror(reason), str(tmp_path / "deep")))
    assert line.startswith(f"Cannot use {tmp_path / 'deep'}: {os.strerror(reason)}. Choose another folder: ")


def test_a_surprise_is_one_line_and_its_details_are_noted_down(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ANDAMIO_VAR", str(tmp_path / "var"))
    log = tmp_path / "var" / "log" / "launcher.log"
    line = console.failure_text(ValueError("two\nlines"))
    assert line == f"Something went wrong: ValueError: two lines. The details are in {log}"
    assert "ValueError: two\nlines" in log.read_text()


def test_processes_that_no_longer_live_do_not_keep_the_database_up(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    handles = tmp_path / ".handle_pids.json"
    handles.write_text(json.dumps([gone.pid, os.getpid()]))
    forget_the_dead(tmp_path)
    assert json.loads(handles.read_text()) == [os.getpid()]


def test_a_count_that_was_written_half_starts_anew(tmp_path: Path) -> None:
    handles = tmp_path / ".handle_pids.json"
    handles.write_text("[123, 4")
    forget_the_dead(tmp_path)
    assert json.loads(handles.read_text()) == []


def test_a_stale_postmaster_file_is_not_believed_when_its_number_belongs_to_another_process(tmp_path: Path) -> None:
    stale = tmp_path / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{tmp_path}\n1700000000\n5432\n/tmp\n\n1 2\nready\n")
    forget_the_dead(tmp_path)
    assert not stale.exists()


class _Answers(http.server.BaseHTTPRequestHandler):
    """Not ready twice, then ready; remembers how it was asked."""

    codes = (503, 503, 200)
    asked: list[tuple[str | None, str | None]]

    def do_GET(self) -> None:
        code = self.codes[min(len(self.asked), 2)]
        self.asked.append((self.headers["Host"], self.headers["X-Forwarded-Proto"]))
        self.send_response(code)
        self.end_headers()
        self.wfile.write(b'{"checks": {"worker": "no worker has reported in yet"}}')

    def log_request(self, code: object = "-", size: object = "-") -> None:
        """Be quiet."""


@pytest.fixture
def answers() -> Iterator[tuple[int, type[_Answers]]]:
    handler = type("Answers", (_Answers,), {"asked": []})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, handler
        server.shutdown()


def test_the_start_waits_until_the_server_says_ready(answers: tuple[int, type[_Answers]]) -> None:
    port, handler = answers
    checks.wait_until_ready("0.0.0.0", port, "", lambda: None)
    assert handler.asked == [(f"127.0.0.1:{port}", "http")] * 3


def test_behind_an_https_address_the_server_is_asked_as_its_proxy_asks(answers: tuple[int, type[_Answers]]) -> None:
    port, handler = answers
    checks.wait_until_ready("127.0.0.1", port, "https://andamio.example", lambda: None)
    assert handler.asked[0] == ("andamio.example", "https")


def test_a_server_that_died_is_not_waited_for(answers: tuple[int, type[_Answers]]) -> None:
    def died() -> None:
        raise Problem("The web server does not start.")

    with pytest.raises(Problem, match="does not start"):
        checks.wait_until_ready("127.0.0.1", answers[0], "", died)


def test_a_web_server_that_cannot_start_shows_the_end_of_its_log() -> None:
    lifeline, launcher_end = os.pipe()
    one = children.Child("web-test", "web", {child.LIFELINE: lifeline, child.SOCKET: lifeline})  # a pipe is no socket
    one.process.wait(60)
    with pytest.raises(Problem, match=r"The web-test does not start; the end of .*web-test\.log:\n(.*\n)*OSError"):
        children.check_start([one])
    os.close(launcher_end)
    os.close(lifeline)


@pytest.mark.parametrize("role", ["web", "worker", "beat"])
def test_a_child_ends_when_its_launcher_is_gone(role: str) -> None:
    lifeline, launcher_end = os.pipe()
    with socket.create_server(("127.0.0.1", 0)) as server:
        one = children.Child(f"{role}-test", role, {child.LIFELINE: lifeline, child.SOCKET: server.fileno()})
        os.close(launcher_end)
        assert one.process.wait(60) == 0
    os.close(lifeline)
