"""Lesson files on the command line."""

from pathlib import Path

from lesson_engine.lesson_file import MAX_BYTES


def lesson_source(path: Path) -> bytes:
    """The bytes of a file, or of one too big just enough to refuse it. Raises `OSError`."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
