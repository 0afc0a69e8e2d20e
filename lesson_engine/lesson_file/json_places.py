"""The places of values in a JSON text: `json` gives values, but not their places."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice

Key = int | str

_TOKEN = re.compile(r'[ \t\n\r]*("[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]|[^\s{}\[\],:"]+)', re.DOTALL)
_PLAIN_KEY = re.compile(r"[^\W\d]\w{0,59}")
_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_STEP = re.compile(r'\.?[^\W\d]\w*|\[\d+\]|\["(?:[^"\\]|\\.)*"\]')
_MAX_SHOWN = 60


@dataclass(slots=True)
class Place:
    """A value in a text. `start` is where its name begins, for an item of a list where the value does.

    `end` is 0 for a list or an object whose end was not looked for.
    """

    start: int
    value: int
    end: int = 0


@dataclass(slots=True)
class _Open:
    """A list or an object that has begun; `key` is where in it we are, None before the name of a member."""

    is_object: bool
    place: Place
    key: Key | None
    key_at: int = 0
    names: set[str] = field(default_factory=set)

    def path_key(self) -> Key:
        assert self.key is not None  # a value of an object comes after its name
        return self.key


def path_written(path: tuple[Key, ...]) -> str:
    """`moments[0].steps[3].code`; names that could be misread are quoted, the whole text is `$`."""
    written = ""
    for key in path:
        if isinstance(key, int):
            written += f"[{key}]"
        elif _PLAIN_KEY.fullmatch(key):
            written += f".{key}" if written else key
        else:
            written += f"[{shortened(key)}]"
    return written or "$"


def shortened(value: object) -> str:
    """A JSON value as one prints it in a sentence, at most 60 characters."""
    text = json.dumps(value, ensure_ascii=not isinstance(value, str) or is_unfit(value))
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 3] + "..."


def is_unfit(text: str) -> bool:
    """Whether it holds what cannot be stored or shown: a control character, or half of a surrogate pair."""
    return _UNFIT.search(text) is not None


def places_of(text: str, paths: Collection[str], *, most: int) -> dict[str, Place]:
    """The places of written paths in a JSON text, each under the path, or under the part of it that there is.

    What is not there at all is left out; the first of two members with one name counts. Looks at the first `most`
    values, in one go over the text.
    """
    wanted = {part for path in paths for part in _parts(path)}
    places: dict[str, Place] = {}
    for frames, place in islice(_values(text), most):
        path = path_written(tuple(frame.path_key() for frame in frames))
        if path in wanted:
            places.setdefault(path, place)
    nearest = {path: next((part for part in reversed(_parts(path)) if part in places), None) for path in paths}
    return {path: places[part] for path, part in nearest.items() if part is not None}


def duplicate_of(text: str) -> tuple[str, str, int]:
    """The first name that an object has twice: the object's written path, the name, and the place of the second.

    Raises `LookupError` without one.
    """
    for frames, place in _values(text):
        name = frames[-1].key if frames else None
        if isinstance(name, str):
            if name in frames[-1].names:
                return path_written(tuple(frame.path_key() for frame in frames[:-1])), name, place.start
            frames[-1].names.add(name)
    raise LookupError("every name stands once")


def literal_at(text: str, literal: str) -> int | None:
    """The place of the first number or constant that begins so; None without one."""
    return next((place.value for _, place in _values(text) if text.startswith(literal, place.value)), None)


def _parts(path: str) -> list[str]:
    """The path and every path on the way to it, the shortest first; `$` alone for the whole text."""
    parts, at = ["$"], 0
    while at < len(path) and path != "$":
        step = _STEP.match(path, at)
        at = step.end() if step else len(path)  # a name that was cut short cannot be read, and is the last
        parts.append(path[:at])
    return parts


def _values(text: str) -> Iterator[tuple[list[_Open], Place]]:
    """Every value as it begins, with the containers around it. The text must be JSON as far as it is asked for."""
    frames: list[_Open] = []
    for token in _TOKEN.finditer(text):
        start, written = token.start(1), token[1]
        frame = frames[-1] if frames else None
        if written in "}]":
            frames.pop().place.end = token.end()
        elif written == ",":
            assert frame is not None
            frame.key = frame.key + 1 if isinstance(frame.key, int) else None
        elif frame is not None and frame.is_object and frame.key is None:
            frame.key, frame.key_at = json.loads(written, strict=False), start
        elif written != ":":
            place = Place(frame.key_at if frame is not None and frame.is_object else start, start)
            yield frames, place
            if written in "{[":
                frames.append(_Open(written == "{", place, None if written == "{" else 0))
            else:
                place.end = token.end()
