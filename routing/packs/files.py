"""The bytes of a pack file as plain values: YAML or JSON, told by content."""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

import yaml

from routing.errors import PackRefused

FILE_BYTES: Final = 64 * 1024 * 1024
_DEEP: Final = 20  # a pack needs four
_Loader: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # libyaml's, where PyYAML was built with it


def values_of(content: bytes) -> Any:
    """The content of a file. In YAML every scalar is text: `yes`, `2024-01-01` and `3` are words among sentences.

    Raises `PackRefused`, also for a repeated key and for anchors of YAML: one loses sentences, the others hide them.
    """
    if len(content) > FILE_BYTES:
        raise PackRefused(f"The file has more than {FILE_BYTES:,} bytes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PackRefused(f"The file is not UTF-8 (byte {error.start:,}).") from error
    if text.lstrip()[:1] == "{":
        try:
            return json.loads(text, object_pairs_hook=_object)
        except RecursionError as error:
            raise PackRefused("The file is nested too deep.") from error
        except ValueError:
            pass  # YAML has braces too, and says better where it breaks off
    try:
        return _built(yaml.parse(text, Loader=_Loader))
    except yaml.YAMLError as error:
        raise PackRefused(f"The file is neither JSON nor YAML: {' '.join(str(error).split())[:300]}") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise PackRefused(f"The key {twice[:100]!r} stands twice.")
    return values


def _built(events: Iterator[yaml.Event]) -> Any:
    """One document from its events: without recursion, so depth costs nothing, and with lines for refusals."""
    root: list[Any] = []
    stack: list[_Open] = [_Open(root)]
    for event in events:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise PackRefused(f"{_line(event)}: anchors and aliases are not for packs.")
        if isinstance(event, yaml.ScalarEvent):
            stack[-1].take(event.value, event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            if len(stack) > _DEEP:
                raise PackRefused(f"{_line(event)}: nested too deep.")
            inner: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            stack[-1].take(inner, event)
            stack.append(_Open(inner))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            stack.pop()
    if len(root) != 1:
        raise PackRefused("The file is empty." if not root else "The file holds more than one document.")
    return root[0]


class _Open:
    """A list or a mapping that is being filled."""

    def __init__(self, values: Any) -> None:
        self._values = values
        self._key: str | None = None
        self.take: Callable[[Any, yaml.Event], None] = self._item if isinstance(values, list) else self._part

    def _item(self, value: Any, _event: yaml.Event) -> None:
        self._values.append(value)

    def _part(self, value: Any, event: yaml.Event) -> None:
        if self._key is not None:
            self._values[self._key], self._key = value, None
        elif not isinstance(value, str):
            raise PackRefused(f"{_line(event)}: a key must be text.")
        elif value in self._values:
            raise PackRefused(f"{_line(event)}: the key {value[:100]!r} stands twice.")
        else:
            self._key = value


def _line(event: yaml.Event) -> str:
    return f"line {event.start_mark.line + 1}" if event.start_mark else "somewhere"
