"""JSON lines from anywhere: lines in bounded memory, as soon as they are there, and one line as a value."""

import re
import select
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import BinaryIO, TypeVar

import pydantic
from pydantic_core import ErrorDetails

from core.api.json_text import json_read
from core.contracts import Contract
from core.errors import json_pointer

MAX_LINE = 1_000_000
"""Bytes of one line; a longer one is not kept."""
READ_BYTES = 1 << 18
_MAX_FAULTS, _MAX_MESSAGE = 3, 500  # the name of a field may be as long as the line
_SUBJECT = re.compile(r"^(Input|String|Tuple|List|Dictionary|Value) should")
_PLACE = re.compile(r" at line 1 column (\d+)$")

Value = TypeVar("Value", bound=Contract)


class BadLine(ValueError):
    """A line that cannot be read, in words for its author."""


def lines_in_chunks(stream: BinaryIO, most: int) -> Iterator[list[bytes]]:
    """Lines without their ends, up to `most` at a time: those that are there, without waiting for more.

    Of a line longer than `MAX_LINE` the beginning comes, which is still too long: `line_read` refuses it.
    """
    rest, first = b"", True
    while (block := _block(stream, most)) or rest:
        if first:
            block, first = block.removeprefix(BOM_UTF8), False
        # Nothing more comes: what is left is a last line without an end.
        *lines, rest = (rest + block).split(b"\n") if block else (rest, b"")
        rest = rest[: MAX_LINE + 1]
        for at in range(0, len(lines), most):
            yield lines[at : at + most]


def _block(stream: BinaryIO, most: int) -> bytes:
    """What is there, at least one byte unless the stream ended; of a pipe, which gives little at a time, some more."""
    read = getattr(stream, "read1", stream.read)
    block: bytes = read(READ_BYTES)
    while block and len(block) < READ_BYTES and block.count(b"\n") < most and _is_ready(stream):
        more: bytes = read(READ_BYTES - len(block))
        if not more:
            break
        block += more
    return block


def _is_ready(stream: BinaryIO) -> bool:
    """Whether reading would not wait."""
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # no file of the system's, such as bytes in a test: all of it came at once
        return False


def line_read(line: bytes, contract: type[Value]) -> Value:
    """One line as a value. Raises `BadLine`, which names the column or the field and what was expected there."""
    if len(line) > MAX_LINE:
        raise BadLine(f"the line is longer than {MAX_LINE:,} bytes")
    if not line.strip():
        raise BadLine("the line is empty; a JSON object is expected")
    try:
        line.decode()
    except UnicodeDecodeError as error:
        raise BadLine(f"byte {error.start + 1} of the line is not UTF-8") from error
    try:
        _, faults = json_read(line)
    except ValueError as error:
        raise BadLine(f"not JSON: {_placed(str(error), line)}") from error
    if faults:
        texts = (f"{json_pointer(location)} {fault[0].lower()}{fault[1:]}" for location, fault in faults[:_MAX_FAULTS])
        raise BadLine("; ".join(texts)[:_MAX_MESSAGE])
    try:
        return contract.model_validate_json(line, strict=True)
    except pydantic.ValidationError as error:
        of_field: dict[object, ErrorDetails] = {}
        for fault in error.errors(include_url=False, include_input=False):
            of_field.setdefault(fault["loc"][:1], fault)
        raise BadLine("; ".join(map(_fault_text, [*of_field.values()][:_MAX_FAULTS]))[:_MAX_MESSAGE]) from error


def _placed(message: str, line: bytes) -> str:
    """The parser's message with the column as characters: it counts bytes, and lines from 1."""
    match = _PLACE.search(message)
    if match is None:
        return message
    before = line[: max(0, int(match[1]) - 1)].decode(errors="ignore")
    return f"{message[: match.start()]} at column {len(before) + 1}"


def _fault_text(fault: ErrorDetails) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in fault["loc"]).lstrip(".")
    message = {"missing": "is missing", "extra_forbidden": "is not a field here"}.get(fault["type"], fault["msg"])
    message = _SUBJECT.sub("should", message.removeprefix("Value error, ")).replace(" after validation", "")
    return f"{place} {message}" if place else f"a row {message}"
