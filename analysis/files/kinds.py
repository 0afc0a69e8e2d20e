"""What a file is by its first bytes, whatever its name says."""

from typing import Final, Literal

from analysis.errors import FileRefused

_PARQUET: Final = b"PAR1"
_COMPRESSED: Final = {
    b"\x1f\x8b": "gzip",
    b"PK\x03\x04": "zip, as spreadsheets are too",
    b"PK\x05\x06": "zip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "rar",
    b"\x04\x22\x4d\x18": "lz4",
}
_OTHERS: Final = {
    b"\xd0\xcf\x11\xe0": "an old spreadsheet or document of Office",
    b"%PDF": "a PDF",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF8": "a picture",
    b"ARROW1": "an Arrow file",
    b"PARE": "an encrypted Parquet file",
    b"Obj\x01": "an Avro file",
    b"\x7fELF": "a program",
}
_PAGES: Final = ("<!doctype", "<html", "<head", "<body", "<table", "<script")


def binary_kind(head: bytes, name: str) -> Literal["parquet", "text"]:
    """Whether the bytes begin a Parquet file, or may be text; raises `FileRefused` for all other known kinds."""
    if head.startswith(_PARQUET):
        return "parquet"
    for signature, method in _COMPRESSED.items():
        if head.startswith(signature):
            raise FileRefused(f"“{name}” is compressed ({method}); expected the table itself, not compressed.")
    for signature, kind in _OTHERS.items():
        if head.startswith(signature):
            raise FileRefused(f"“{name}” is {kind}; expected a table as CSV, Parquet or JSON lines.")
    if name.lower().endswith((".parquet", ".pq")):
        raise FileRefused(f"“{name}” does not begin as a Parquet file does; expected a Parquet file.")
    return "text"


def check_text(head: str, name: str, *, is_json: bool) -> None:
    """Raise `FileRefused` for a text that is known to be no table."""
    start = head[:200].lower()
    if start.startswith(_PAGES):
        raise FileRefused(f"“{name}” is a web page (HTML); expected a table as CSV, Parquet or JSON lines.")
    if start.startswith(("<?xml", "<svg")):
        raise FileRefused(f"“{name}” is XML; expected a table as CSV, Parquet or JSON lines.")
    if is_json and start.startswith("["):
        raise FileRefused(f"“{name}” is a JSON list; expected JSON lines, one object on each line.")
