"""Anchors go to where an operator wants them: by mail or by HTTP. What did not arrive goes with the next run."""

import hashlib
from pathlib import Path
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core import checks
from django.core.mail import EmailMessage
from pydantic import BaseModel, TypeAdapter, ValidationError

from core.operations.outgoing import SendingFailed, http_post
from telemetry.anchors.files import AnchorFile, anchor_files, folder_locked

SECONDS = 60.0
MAIL_BYTES = 8_000_000
"""A larger anchor is named in the mail by its file and its hash, and stays where it is."""
_SENT = "sent.json"
_SCHEMES = ("https", "http", "mailto")


class _Sent(BaseModel):
    """The last anchor that an address got, or need not get: its number, and the SHA-256 of its file where it got it."""

    number: int
    digest: str = ""


_SENTS = TypeAdapter(dict[str, _Sent])  # by the SHA-256 of the address, which may hold a password


def anchors_send(folder: Path) -> dict[str, str]:
    """Send each anchor that an address of `AUDIT_ANCHOR_TO` did not get, oldest first; what failed, by address.

    The value is empty where all arrived. An address that is new gets the newest anchor alone, and so does one that got
    anchors which are not those of the folder any more, as after a restore. Two at once stand in line.
    """
    with folder_locked(folder):
        return {shown(to): _send_due(folder, to) for to in settings.AUDIT_ANCHOR_TO}


def shown(to: str) -> str:
    """An address without what may be secret in it: no name, password, path or query."""
    url = urlsplit(to)
    return f"mailto:{url.path.rpartition('@')[2]}" if url.scheme == "mailto" else f"{url.scheme}://{url.hostname}"


def _send_due(folder: Path, to: str) -> str:
    try:
        for file in _due(folder, to):
            content = file.path.read_bytes()
            _send(file, content, to)
            _sent_keep(folder, to, _Sent(number=file.number, digest=_sha256(content)))
    except SendingFailed as error:
        return str(error)
    except SMTPException as error:
        return _mail_reason(error)
    except OSError as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _due(folder: Path, to: str) -> list[AnchorFile]:
    """What the address should get now, oldest first."""
    files, sent = anchor_files(folder), _sent(folder).get(_sha256(to.encode()))
    if files and (sent is None or _is_diverged(files, sent)):
        sent = _Sent(number=files[-1].number - 1)
        _sent_keep(folder, to, sent)
    return [file for file in files if sent and file.number > sent.number]


def _is_diverged(files: list[AnchorFile], sent: _Sent) -> bool:
    """Whether the anchors went back behind the one that was sent, or are others. It may have been thinned out."""
    same = [file for file in files if file.number == sent.number and sent.digest]
    return files[-1].number < sent.number or any(_sha256(file.path.read_bytes()) != sent.digest for file in same)


def _mail_reason(error: SMTPException) -> str:
    """What a mail server says may quote addresses: the kind of error and the server's codes are kept."""
    if isinstance(error, SMTPRecipientsRefused):
        codes = [code for code, _text in error.recipients.values()]
    else:
        codes = [error.smtp_code] if isinstance(error, SMTPResponseException) else []
    return " ".join(map(str, (type(error).__name__, *codes)))


def _sent(folder: Path) -> dict[str, _Sent]:
    try:
        return _SENTS.validate_json((folder / _SENT).read_bytes())
    except (FileNotFoundError, ValidationError):
        return {}


def _sent_keep(folder: Path, to: str, sent: _Sent) -> None:
    part = folder / f"{_SENT}.part"
    part.touch()
    part.chmod(0o600)
    part.write_bytes(_SENTS.dump_json({**_sent(folder), _sha256(to.encode()): sent}))
    part.replace(folder / _SENT)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _send(file: AnchorFile, content: bytes, to: str) -> None:
    if urlsplit(to).scheme == "mailto":
        _mail(file, content, unquote(urlsplit(to).path))
        return
    name = {"Content-Disposition": f'attachment; filename="{file.path.name}"', "Content-Type": "application/gzip"}
    http_post(to, content, name, seconds=SECONDS)


def _mail(file: AnchorFile, content: bytes, address: str) -> None:
    is_small = len(content) <= MAIL_BYTES
    text = f"{file.path.name}\nSHA-256 of the file: {_sha256(content)}\n"
    message = EmailMessage(f"Andamio: {file}", text, to=[address])
    if is_small:
        message.attach(file.path.name, content, "application/gzip")
    message.send()


@checks.register
def anchor_addresses_check(app_configs: Any = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """An address that cannot be sent to would be found out when it is too late."""
    wrong = [
        str(place)
        for place, to in enumerate(settings.AUDIT_ANCHOR_TO, start=1)
        if (url := urlsplit(to)).scheme not in _SCHEMES
        or not ("@" in url.path if url.scheme == "mailto" else url.hostname)
    ]
    if not wrong:
        return []
    text = f"AUDIT_ANCHOR_TO: address {', '.join(wrong)} is neither mailto:NAME@HOST nor https://HOST/PATH."
    return [checks.Error(text, id="telemetry.E001")]
