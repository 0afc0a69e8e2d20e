"""The JSON Schemas of the consult's contracts, as they are published. Each version is frozen: docs/query-plan-v1.md."""

from functools import cache
from pathlib import Path
from typing import Final

from routing.contracts import SCHEMA_VERSIONS

FOLDER: Final = Path(__file__).parent
SCHEMAS: Final = tuple(SCHEMA_VERSIONS.values())
"""The published schemas by name and version, such as query-plan/1."""


def schema_path(name: str) -> Path:
    """The file of a schema of `SCHEMAS`."""
    return FOLDER / f"{name.replace('/', '-v')}.json"


@cache
def schema_published(name: str) -> bytes:
    """The file of a schema of `SCHEMAS`, byte for byte."""
    return schema_path(name).read_bytes()
