"""Anchors leave by a real HTTP server and by mail; what did not arrive goes with the next run."""

import socketserver
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from core.operations import outgoing
from core.operations.outgoing import SendingFailed, http_post
from telemetry.anchors import sending
from telemetry.anchors.files import anchor_files
from telemetry.anchors.making import anchor_make
from telemetry.anchors.sending import anchor_addresses_check, anchors_send, shown
from telemetry.models import Event
from telemetry.tasks import set_anchor
from tests.browser.server import until
from tests.routing.audit_hands import lines_of

pytestmark = pytest.mark.django_db


class Elsewhere(ThreadingHTTPServer):
    """An operator's server that answers with these codes, one after the other, then with 200."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.codes, self.came, self.hold = list[int](), list[tuple[str, dict[str, str], bytes]](), threading.Event()
        self.hold.set()
        self.asked = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Elsewhere

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
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


def restored(folder: Path, number: int) -> None:
    """A backup is restored, and the anchors that are newer are moved out, as docs/operator.md says."""
    for file in anchor_files(folder):
        if file.number > number:
            file.path.rename(folder.parent / file.path.name)


def test_after_a_restore_anchors_go_out_although_their_numbers_went_out_before(
    folder: Path, settings: Settings, elsewhere: Elsewhere, tmp_path: Path
) -> None:
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    for _ in range(3):
        lines_of("audit_anchor")
    restored(folder, 1)
    lines_of("audit_anchor")
    second = anchor_files(folder)[-1]
    assert [body for _path, _headers, body in elsewhere.came[3:]] == [second.path.read_bytes()]
    restored(folder, 1)
    settings.AUDIT_ANCHOR_TO = []
    for _ in range(2):
        lines_of("audit_anchor")
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    assert lines_of("audit_anchor")
    assert [body for _path, _headers, body in elsewhere.came[4:]] == [anchor_files(folder)[-1].path.read_bytes()]


def test_the_file_of_what_was_sent_keeps_no_address(folder: Path, settings: Settings, elsewhere: Elsewhere) -> None:
    settings.AUDIT_ANCHOR_TO = [elsewhere.url.replace("//", "//me:secret@")]
    folder.mkdir()
    (folder / "sent.json").write_text(f'{{"{settings.AUDIT_ANCHOR_TO[0]}": 7}}')  # as an earlier version left it
    (folder / "sent.json").chmod(0o644)
    lines_of("audit_anchor")
    assert len(elsewhere.came) == 1
    file = folder / "sent.json"
    assert "secret" not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_was_sent_cannot_be_kept_is_a_failure(folder: Path, settings: Settings, elsewhere: Elsewhere) -> None:
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    (folder / "sent.json.part").mkdir(parents=True)
    assert "IsADirectoryError" in lines_of("audit_anchor")[-1]
    assert Event.objects.get(event="audit.anchored").level == "warning"


def test_an_anchor_is_sent_once_by_two_at_once(folder: Path, settings: Settings, elsewhere: Elsewhere) -> None:
    settings.AUDIT_ANCHOR_TO = [elsewhere.url]
    lines_of("audit_anchor")
    anchor_make(folder, now=timezone.now())
    elsewhere.hold.clear()
    with ThreadPoolExecutor() as pool:
        runs = [pool.submit(anchors_send, folder) for _ in range(2)]
        until(lambda: elsewhere.asked >= 2, "the first of them sends")
        elsewhere.hold.set()
        assert [set(run.result().values()) for run in runs] == [{""}, {""}]
    assert len(elsewhere.came) == 2


class Refusing(socketserver.StreamRequestHandler):
    """A mail server that takes no recipient, and says whom."""

    def handle(self) -> None:
        self.wfile.write(b"220 mail\r\n")
        for line in self.rfile:
            word = line.split()[0].upper()
            refusal = b"550 no " + line.strip() + b"\r\n"
            self.wfile.write({b"RCPT": refusal, b"QUIT": b"221 bye\r\n"}.get(word, b"250 ok\r\n"))


def test_a_recipient_that_is_refused_is_not_quoted(folder: Path, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.AUDIT_ANCHOR_TO = ["mailto:audit@school.example"]
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Refusing) as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert lines_of("audit_anchor")[-1] == "not sent to mailto:school.example: SMTPRecipientsRefused 550"
        server.shutdown()
    assert "audit@" not in str(Event.objects.get(event="audit.anchored").data)


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
