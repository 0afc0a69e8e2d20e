"""The encoding of a text, and the same text as UTF-8 with one kind of line end."""

import codecs
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import charset_normalizer

from analysis.errors import FileRefused

_CHUNK: Final = 1 << 20
_SAMPLE: Final = 200_000
"""Bytes of lines beyond ASCII that the encoding is guessed from."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_OTHERS: Final = (
    "cp850", "mac_roman", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "iso8859_2",
    "iso8859_5", "iso8859_7", "shift_jis", "euc_jp", "euc_kr", "gb18030", "big5",
)  # fmt: skip
_CONTROLS: Final = bytes([*range(0x01, 0x09), *range(0x0E, 0x20)])
_CONTROLS_ALLOWED: Final = 0.001
"""Part of the characters of a chunk: a stray one happens in exports, many are no text."""
# What is seldom in Western text read rightly: signs within a word, and three letters beyond ASCII in a row.
_MISREAD: Final = re.compile(r"[^\W\d_][^\w\s\x00-\x7f’·\xad][^\W\d_]|[^\W\d_a-zA-Z]{3}|[ÐðÞþ×÷¤¦¬]")


def text_write(source: IO[bytes], target: Path, name: str) -> str:
    """Write the text of `source` to `target` as UTF-8 with line feeds at line ends. Returns the encoding it had.

    Raises `FileRefused` for bytes that are no text in any encoding known.
    """
    encoding = _encoding(source, name)
    source.seek(0)
    if encoding == "utf-8" and _plain_write(source, target, name):
        return encoding
    source.seek(0)
    lines = 1
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)(), translate=True)
    with target.open("w", encoding="utf-8", newline="") as out:
        for chunk in _chunks(source):
            try:
                text = decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError as error:
                raise _broken(name, encoding, lines + error.object[: error.start].count(b"\n")) from error
            _check_characters(text, name)
            lines += text.count("\n")
            out.write(text)
    return encoding


def _plain_write(source: IO[bytes], target: Path, name: str) -> bool:
    """Copy UTF-8 that needs no change, as most files do not: much faster than decoding. False where it needs one."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with target.open("wb") as out:
        for chunk in _chunks(source):
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError:
                return False
            if b"\r" in chunk:
                return False
            _check_bytes(chunk, name)
            out.write(chunk)
    return True


def _chunks(source: IO[bytes]) -> Iterator[bytes]:
    """The rest of the file; the last chunk is empty."""
    while chunk := source.read(_CHUNK):
        yield chunk
    yield b""


def _broken(name: str, encoding: str, line: int) -> FileRefused:
    return FileRefused(
        f"“{name}” has bytes near line {line:,} that are no character in {encoding_label(encoding)}; "
        "expected a text in one encoding."
    )


def _check_characters(text: str, name: str) -> None:
    _check_bytes(text.encode(), name)


def _check_bytes(text: bytes, name: str) -> None:
    """Control characters are one byte each in UTF-8, and no part of another character."""
    if b"\x00" in text:
        raise FileRefused(f"“{name}” has a NUL byte, as binary files have; expected a text.")
    if len(text) - len(text.translate(None, _CONTROLS)) > max(2, len(text) * _CONTROLS_ALLOWED):
        raise FileRefused(f"“{name}” is full of control characters, as binary files are; expected a text.")


def _encoding(source: IO[bytes], name: str) -> str:
    head = source.read(_CHUNK)
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    wide = _without_mark(head[:2_000])
    if wide:
        return wide
    sample = _unusual_lines(source)
    if sample is None:
        return "utf-8"
    return _guess(sample, name)


def _without_mark(head: bytes) -> str | None:
    """UTF-16 by its zeros: every other byte of a text in Latin letters is one."""
    half = len(head) // 2
    if half >= 2 and head[1::2].count(0) > 0.8 * half and head[::2].count(0) == 0:
        return "utf-16-le"
    if half >= 2 and head[::2].count(0) > 0.8 * half and head[1::2].count(0) == 0:
        return "utf-16-be"
    return None


def _unusual_lines(source: IO[bytes]) -> bytes | None:
    """Lines beyond ASCII, up to a sample's bytes; None for a text that is UTF-8 throughout."""
    source.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for chunk in _chunks(source):
            decoder.decode(chunk, final=not chunk)
    except UnicodeDecodeError:
        source.seek(0)
    else:
        return None
    sample = bytearray()
    while len(sample) < _SAMPLE and (line := source.readline(_SAMPLE)):
        if not line.isascii():
            sample += line
    return bytes(sample)


def _guess(sample: bytes, name: str) -> str:
    """The encoding of lines that are not all UTF-8."""
    as_utf8 = sample.decode("utf-8", errors="replace")
    broken = as_utf8.count("\ufffd")
    if sum(not character.isascii() for character in as_utf8) - broken > broken:
        return "utf-8"  # with a fault, which writing names
    if b"\x00" in sample:
        raise FileRefused(f"“{name}” has a NUL byte, as binary files have; expected a text.")
    try:
        text = sample.decode("cp1252")
    except UnicodeDecodeError:
        text = None
    if text is not None and not _MISREAD.search(text):
        return "cp1252"
    match = charset_normalizer.from_bytes(sample, cp_isolation=[*_OTHERS, "cp1252"]).best()
    if match is None:
        raise FileRefused(f"“{name}” is in no encoding that could be recognised; expected a text, best as UTF-8.")
    return match.encoding


def encoding_label(encoding: str) -> str:
    """As people write it: cp1252 is Windows-1252."""
    plain = encoding.removesuffix("-sig").upper().replace("_", "-")
    return f"Windows-{plain[2:]}" if plain.startswith("CP125") else plain
