"""Whether a page took any of the corpus for more than text."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

from django.conf import settings

from tests.hostile.corpus import MARK

_ADDRESSES = {"src", "href", "action", "formaction", "data", "poster", "srcset", "xlink:href", "content", "background"}
_NEVER = {"base", "iframe", "object", "embed", "style", "frame", "animate"}
_HTMX = re.compile(r"(?:data-)?(?:hx|sse|ws)-")
_ASKS_ELSEWHERE = re.compile(
    r"(?:https?:)?//(?!(?:testserver|127\.0\.0\.1|localhost|www\.w3\.org)(?:[:/]|$))", re.IGNORECASE
)


class _Reader(HTMLParser):
    """Collects what acts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._script = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        shown = f"<{tag} {given}>"
        self._script = shown if tag == "script" and given.get("type", "") not in _DATA and "src" not in given else ""
        if tag in _NEVER or any(name.startswith("on") for name in given):
            self.found.append(shown)
        if any(_HTMX.match(name) and MARK in value for name, value in given.items()):
            self.found.append(shown)
        # A link that somebody must choose to follow is an author's to write; what the browser follows by itself is not.
        fetched = [value for name, value in given.items() if name in _ADDRESSES and not (tag == "a" and _is_web(value))]
        if any(_leads_away(value) for value in fetched):
            self.found.append(shown)

    def handle_data(self, data: str) -> None:
        if self._script and data.strip():
            self.found.append(f"{self._script} {data[:60]}")

    def handle_endtag(self, tag: str) -> None:
        self._script = ""


_DATA = {"application/json", "application/schema+json"}


def _is_web(value: str) -> bool:
    return value.startswith(("https://", "http://"))


def _leads_away(value: str) -> bool:
    scheme = urlsplit(value.strip().split(",")[0]).scheme.lower() if ":" in value[:20] else ""
    if scheme in ("javascript", "vbscript") or (
        scheme == "data" and not value.strip().lower().startswith("data:image/")
    ):
        return True
    return bool(_ASKS_ELSEWHERE.match(value.strip())) and "evil.example" in value


def acting(html: str) -> list[str]:
    """What in a page would run, be fetched or be sent because of the corpus; empty for a harmless page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    if settings.SECRET_KEY in html:
        reader.found.append("the secret key")
    return reader.found
