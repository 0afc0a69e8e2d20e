from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from analysis.contracts.tables import TableSchema
from analysis.errors import FileRefused
from analysis.files.opening import OpenFiles, files_open


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    def written(content: str | bytes, name: str = "data.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return written


@pytest.fixture
def opened() -> Iterator[Callable[..., OpenFiles]]:
    """Opens files, and closes them after the test."""
    with ExitStack() as stack:
        yield lambda *paths: stack.enter_context(files_open(paths))


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The sentence that files are refused with: one line that names the file and no folder."""

    def refused(*paths: Path) -> str:
        with pytest.raises(FileRefused) as caught:
            files_open(paths)
        assert "\n" not in caught.value.message
        assert str(paths[0].parent) not in caught.value.message
        assert "andamio-files" not in caught.value.message
        return caught.value.message

    return refused


def only_schema(files: OpenFiles) -> TableSchema:
    (schema,) = files.schemas.values()
    return schema


def types(files: OpenFiles) -> dict[str, str]:
    return {column.name: column.type for column in only_schema(files).columns}


def cells(files: OpenFiles, column: str) -> list[Any]:
    (table,) = files.tables.values()
    values: list[Any] = table.to_pyarrow().column(column).to_pylist()
    return values
