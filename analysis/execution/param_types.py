"""What a parameter takes, as the catalog writes it; see `analysis.contracts.plans.Tool`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from analysis.contracts.naming import ROWS
from analysis.contracts.plans import ParamKind, Tool

LISTS: Final = frozenset({"columns", "metrics", "filters"})
COLUMNS: Final = frozenset({"column", "columns", "metric", "metrics", "filters"})


@dataclass(frozen=True)
class ParamType:
    """`narrowed` is "number" or "time" for columns that must be of such, else empty."""

    kind: ParamKind
    narrowed: str = ""
    choices: tuple[str, ...] = ()
    is_optional: bool = False

    @property
    def words(self) -> str:
        """The type as a person reads it in a message."""
        return f"{self.narrowed} {self.kind}".strip() if not self.choices else " | ".join(self.choices)


def param_type(entry: Tool, param: str) -> ParamType:
    """The type that the catalog gives; anything, and optional, where it gives none. A metric alone is added up."""
    written = entry.types.get(param)
    if written is None:
        return ParamType("any", is_optional=True)
    if not isinstance(written, str):
        choices = tuple(str(choice) for choice in written if choice != "?")
        return ParamType("choice", choices=choices, is_optional="?" in written)
    *narrowed, kind = written.removesuffix("?").split()
    narrowed = ["number"] if kind == "metric" else narrowed
    return ParamType(cast(ParamKind, kind), " ".join(narrowed), is_optional=written.endswith("?"))


def columns_in(kind: str, value: Any) -> tuple[str, ...]:
    """The names of columns in a parameter; "*", for rows, is none."""
    names: list[str] = []

    def note(name: str) -> str:
        names.append(name)
        return name

    columns_renamed(kind, value, note)
    return tuple(names)


def columns_renamed(kind: str, value: Any, rename: Callable[[str], str]) -> Any:
    """The parameter with each name of a column in it renamed."""
    if kind == "filters":
        return [_condition_renamed(condition, rename) for condition in value]
    if kind in LISTS:
        return [name if name == ROWS else rename(name) for name in value]
    return value if value == ROWS else rename(value)


def _condition_renamed(condition: Mapping[str, Any], rename: Callable[[str], str]) -> dict[str, Any]:
    renamed = {**condition, "column": rename(condition["column"])}
    if isinstance(condition.get("value"), Mapping):
        renamed["value"] = {"column": rename(condition["value"]["column"])}
    return renamed


def params_of_kind(entry: Tool, params: Mapping[str, Any], kinds: Sequence[str] | frozenset[str]) -> list[str]:
    """The parameters that are given and are of such a kind, in the catalog's order."""
    return [param for param in entry.params if param in params and param_type(entry, param).kind in kinds]
