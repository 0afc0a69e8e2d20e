"""The bytes of a catalog file as plain values: YAML or JSON, told by content."""

import json
from collections.abc import Iterable
from typing import Any, Final

import yaml

from analysis.catalog.faults import CatalogRefused

FILE_BYTES: Final = 16 * 1024 * 1024
_DEEP: Final = 10  # a catalog needs six
_Loader: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml's, where PyYAML was built with it


def values_of(content: bytes) -> Any:
    """The content of a file. In YAML every scalar is text: `yes` and `2024-01-01` are words of a description.

    Raises `CatalogRefused`, also for a key that is there twice and for anchors and aliases of YAML.
    """
    if len(content) > FILE_BYTES:
        raise CatalogRefused(f"the file: at most {FILE_BYTES:,} bytes are expected")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CatalogRefused(f"byte {error.start + 1:,}: UTF-8 is expected") from error
    return _of_json(text) if text.lstrip()[:1] in ("{", "[") else _of_yaml(text)


def _of_json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError as error:
        raise CatalogRefused("the file: less nesting is expected") from error
    except ValueError:
        return _of_yaml(text)  # YAML has braces too, and says better where it breaks off


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            raise CatalogRefused(f"{key[:100]}: the key is there twice")
        values[key] = value
    return values


def _of_yaml(text: str) -> Any:
    try:
        _check_events(yaml.parse(text, Loader=_Loader))
        node = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        raise CatalogRefused(f"the file: JSON or YAML is expected; {' '.join(str(error).split())[:300]}") from error
    return None if node is None else _value(node)


def _check_events(events: Iterable[yaml.Event]) -> None:
    """Refuse what must not become nodes: references, which may multiply a few lines, and depth."""
    depth = 0
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise CatalogRefused(f"{_line(event)}: neither anchors nor aliases are expected")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEP:
            raise CatalogRefused(f"{_line(event)}: less nesting is expected")


def _value(node: yaml.Node) -> Any:
    if isinstance(node, yaml.ScalarNode):
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_value(item) for item in node.value]
    values: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise CatalogRefused(f"{_line(key)}: a key is expected to be text")
        if key.value in values:
            raise CatalogRefused(f"{_line(key)}: the key {key.value[:100]} is there twice")
        values[key.value] = _value(value)
    return values


def _line(part: yaml.Event | yaml.Node) -> str:
    return f"line {part.start_mark.line + 1}" if part.start_mark else "the file"
