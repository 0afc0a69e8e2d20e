"""A catalog of tools from a file, with every fault and its place."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import pydantic

from analysis.catalog.faults import CatalogRefused
from analysis.catalog.values import FILE_BYTES, values_of
from analysis.contracts.plans import ParamKind, Tool

TOOLS: Final = 20_000
_FOLDER: Final = Path(__file__).parent
_SHOWN: Final = 20  # faults
_TYPE: Final = re.compile(rf"((number|time) )?({'|'.join(get_args(ParamKind))})\??")


@cache
def catalog_shipped() -> tuple[Tool, ...]:
    """The tools that come with the product, of all files of the folder."""
    return _tools(entry for path in sorted(_FOLDER.glob("*.yaml")) for entry in _entries(_file_values(path)))


def catalog_load(path: str | Path) -> tuple[Tool, ...]:
    """The tools of a YAML or JSON file: a list of entries, the same under `tools`, or descriptions by name.

    Raises `CatalogRefused`.
    """
    return catalog_read(_file_values(Path(path)))


def catalog_read(values: Any) -> tuple[Tool, ...]:
    """The same of values that were read already."""
    return _tools(_entries(values))


def _file_values(path: Path) -> Any:
    try:
        with path.open("rb") as file:
            content = file.read(FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise CatalogRefused(f"{path.name}: a file that can be read is expected") from error
    return values_of(content)


def _entries(values: Any) -> Iterable[tuple[str, Any]]:
    """Entries with their places."""
    if isinstance(values, Mapping) and set(values) == {"tools"} and not isinstance(values["tools"], str):
        values = values["tools"]
    if isinstance(values, list):
        return [(f"tool {number}", value) for number, value in enumerate(values, start=1)]
    if isinstance(values, Mapping):
        return [(f"tool {name!s:.100}", _described(name, value)) for name, value in values.items()]
    raise CatalogRefused("the file: a list of tools is expected, or a mapping of names to descriptions")


def _described(name: str, value: Any) -> Any:
    """An entry of a mapping, whose value is the description or the rest of the entry."""
    return {**value, "name": name} if isinstance(value, Mapping) else {"name": name, "description": value}


def _tools(entries: Iterable[tuple[str, Any]]) -> tuple[Tool, ...]:
    tools: dict[str, Tool] = {}
    taken: set[str] = set()
    faults: list[str] = []
    for place, entry in entries:
        try:
            tool = Tool.model_validate(entry)
        except pydantic.ValidationError as error:
            faults += [f"{place}{_fault(fault['loc'], fault['msg'])}" for fault in error.errors(include_url=False)]
            continue
        names = {tool.name, *tool.other_names}
        faults += [f"{place}: a name of its own is expected, {name} is there already" for name in sorted(names & taken)]
        faults += [f"{place}, types, {param}: {words}" for param, words in _type_faults(tool)]
        taken |= names
        tools[tool.name] = tool
    if len(tools) > TOOLS:
        faults.append(f"the file: at most {TOOLS:,} tools are expected")
    if not tools and not faults:
        faults.append("the file: a tool at least is expected")
    if faults:
        more = [f"and {len(faults) - _SHOWN:,} more"] if len(faults) > _SHOWN else []
        raise CatalogRefused("\n".join([*faults[:_SHOWN], *more]))
    return tuple(tools.values())


def _type_faults(tool: Tool) -> Iterable[tuple[str, str]]:
    for param, written in tool.types.items():
        is_choice = isinstance(written, list) and all(isinstance(choice, str) for choice in written)
        if not is_choice and not (isinstance(written, str) and _TYPE.fullmatch(written)):
            yield param, f"a list of values is expected, or one of {', '.join(get_args(ParamKind))}"


def _fault(location: tuple[int | str, ...], message: str) -> str:
    field = "".join(f", {part!s:.100}" for part in location)
    return f"{field}: {message[:1].lower()}{message[1:]}"
