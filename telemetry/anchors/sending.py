"""Anchors go to where an operator wants them: by mail or by HTTP. What did not arrive goes with the next run."""

import hashlib
import json
from pathlib import Path
from smtplib import SMTPException
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core import checks
from django.core.mail import EmailMessage

from core.operations.outgoing import SendingFailed, http_post
from telemetry.anchors.files import AnchorFile, anchor_files

SECONDS = 60.0
MAIL_BYTES = 8_000_000
"""A larger anchor is named in the mail by its file and its hash, and stays where it is."""
_SENT = "sent.json"
_SCHEMES = ("https", "http", "mailto")


def anchors_send(folder: Path) -> dict[str, str]:
    """Send each anchor that an address of `AUDIT_ANCHOR_TO` did not get, oldest first; what failed, by address.

    The value is empty where all arrived. An address that is new gets the newest anchor alone.
    """
    return {shown(to): _send_due(folder, to) for to in settings.AUDIT_ANCHOR_TO}


def shown(to: str) -> str:
    """An address without what may be secret in it: no name, password, path or query."""
    url = urlsplit(to)
    return f"mailto:{url.path.rpartition('@')[2]}" if url.scheme == "mailto" else f"{url.scheme}://{url.hostname}"


def _send_due(folder: Path, to: str) -> str:
    files, sent = anchor_files(folder), _sent(folder)
    if to not in sent:
        sent[to] = files[-1].number - 1 if files else 0
        _sent_keep(folder, sent)
    since = sent[to]
    for file in files:
        if file.number <= since:
            continue
        try:
            _send(file, to)
        except SendingFailed as error:
            return str(error)
        except (SMTPException, OSError) as error:
            return f"{type(error).__name__}: {error}"
        _sent_keep(folder, {**sent, to: file.number})
    return ""


def _sent(folder: Path) -> dict[str, int]:
    """The number of the last anchor that each address got."""
    try:
        return dict(json.loads((folder / _SENT).read_text()))
    except (OSError, ValueError):
        return {}


def _sent_keep(folder: Path, sent: dict[str, int]) -> None:
    part = folder / f"{_SENT}.part"
    part.write_text(json.dumps(sent))
    part.replace(folder / _SENT)


def _send(file: AnchorFile, to: str) -> None:
    content = file.path.read_bytes()
    if urlsplit(to).scheme == "mailto":
        _mail(file, content, unquote(urlsplit(to).path))
        return
    name = {"Content-Disposition": f'attachment; filename="{file.path.name}"', "Content-Type": "application/gzip"}
    http_post(to, content, name, seconds=SECONDS)


def _mail(file: AnchorFile, content: bytes, address: str) -> None:
    is_small = len(content) <= MAIL_BYTES
    text = f"{file.path.name}\nSHA-256 of the file: {hashlib.sha256(content).hexdigest()}\n"
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
