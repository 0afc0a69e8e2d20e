"""Anchors leave by a real HTTP server and by mail; what did not arrive goes with the next run."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from pytest_django import Settings

from core.operations import outgoing
from core.operations.outgoing import SendingFailed, http_post
from telemetry.anchors import sending
from telemetry.anchors.files import anchor_files
from telemetry.anchors.sending import anchor_addresses_check, shown
from telemetry.models import Event
from telemetry.tasks import set_anchor
from tests.routing.audit_hands import lines_of

pytestmark = pytest.mark.django_db


class Elsewhere(ThreadingHTTPServer):
    """An operator's server that answers with these codes, one after the other, then with 200."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.codes, self.came, self.hold = list[int](), list[tuple[str, dict[str, str], bytes]](), threading.Event()
        self.hold.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Elsewhere

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.hold.wait(30)
        code = self.server.codes.pop(0) if self.server.codes else 200
        if code == 200:
            self.server.came.append((self.path, dict(self.headers), body))
        self.send_response(code)
        self.send_header("Location", f"{self.server.url}/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Elsewhere]:
    monkeypatch.setattr(outgoing, "_PAUSE_SECONDS", 0)
    with Elsewhere() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.hold.set()
        server.shutdown()


def test_an_anchor_goes_to_a_server(folder: Path, settings: Settings, elsewhere: Elsewhere) -> None:
    settings.AUDIT_ANCHOR_TO = [f"{elsewhere.url}/anchors"]
    assert len(lines_of("audit_anchor")) == 1
    [file] = anchor_files(folder)
    [(path, headers, body)] = elsewhere.came
    assert (path, body) == ("/anchors", file.path.read_bytes())
    assert headers["Content-Disposition"] == f'attachment; filename="{file.path.name}"'
    told = Event.objects.get(event="audit.anchored")
    assert (told.level, told.data["sent"]) == ("info", {"http://127.0.0.1": ""})


def test_what_did_not_arrive_goes_with_the_next_run(
    folder: Path, settings: Settings, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    elsewhere.codes = [500, 503, 500]
    assert lines_of("audit_anchor")[-1].endswith(": HTTP 500")
    assert Event.objects.get(event="audit.anchored").level == "warning"
    elsewhere.codes = [404]
    assert set_anchor() == 1
    assert "the audit anchor was not sent to http://127.0.0.1: HTTP 404" in caplog.text
    assert elsewhere.came == []
    assert set_anchor() == 0
    assert [body for _path, _headers, body in elsewhere.came] == [f.path.read_bytes() for f in anchor_files(folder)]
    assert set_anchor() == 0
    assert len(elsewhere.came) == 4


def test_a_server_that_comes_back_within_the_tries_is_no_failure(elsewhere: Elsewhere) -> None:
    elsewhere.codes = [503, 429]
    http_post(elsewhere.url, b"x", {}, seconds=30)
    assert len(elsewhere.came) == 1


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(elsewhere: Elsewhere, code: int) -> None:
    elsewhere.codes = [code]
    with pytest.raises(SendingFailed, match=f"HTTP {code}"):
        http_post(elsewhere.url, b"x", {}, seconds=30)
    assert elsewhere.came == []


def test_a_server_that_does_not_answer_has_a_deadline(elsewhere: Elsewhere) -> None:
    elsewhere.hold.clear()
    with pytest.raises(SendingFailed, match=r"no answer in 0\.3 seconds"):
        http_post(elsewhere.url, b"x", {}, seconds=0.3)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/", "http://nowhere.invalid/", "https://[/"])
def test_nobody_there_is_a_failure_in_words(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_PAUSE_SECONDS", 0)
    with pytest.raises(SendingFailed, match="no connection"):
        http_post(url, b"x", {}, seconds=30)


def test_an_anchor_goes_by_mail(folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.AUDIT_ANCHOR_TO = ["mailto:audit@school.example"]
    lines_of("audit_anchor")
    [file] = anchor_files(folder)
    [message] = mail.outbox
    assert message.to == ["audit@school.example"]
    assert message.subject == f"Andamio: {file}"
    assert [(a[0], a[1]) for a in message.attachments] == [(file.path.name, file.path.read_bytes())]
    monkeypatch.setattr(sending, "MAIL_BYTES", 1)
    lines_of("audit_anchor")
    assert mail.outbox[1].attachments == []
    assert "SHA-256 of the file: " in mail.outbox[1].body


def test_a_mail_server_that_is_away_is_a_failure(folder: Path, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    settings.AUDIT_ANCHOR_TO = ["mailto:audit@school.example"]
    assert lines_of("audit_anchor")[-1].startswith("not sent to mailto:school.example: ConnectionRefusedError")


def test_a_new_address_gets_the_newest_anchor_alone(folder: Path, settings: Settings, elsewhere: Elsewhere) -> None:
    lines_of("audit_anchor")
    lines_of("audit_anchor")
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    lines_of("audit_anchor")
    assert len(elsewhere.came) == 1


def test_what_is_secret_in_an_address_is_not_shown() -> None:
    assert shown("https://me:secret@host.example:8443/path?token=secret") == "https://host.example"


@pytest.mark.parametrize("to", ["host.example", "ftp://host/", "mailto:nobody", "https://", "file:///tmp/x"])
def test_an_address_that_cannot_be_sent_to_stops_the_start(settings: Settings, to: str) -> None:
    settings.AUDIT_ANCHOR_TO = ["https://host.example/anchors", to]
    [error] = anchor_addresses_check()
    assert error.id == "telemetry.E001"
    assert "address 2 is neither" in error.msg
    settings.AUDIT_ANCHOR_TO = ["https://host.example/anchors", "mailto:a@b.example"]
    assert anchor_addresses_check() == []
