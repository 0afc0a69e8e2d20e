"""What of a failure is nobody's business: secrets and personal data, by the names of values and by their form.

Lists and patterns: `data/said.json`.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from planning.learning import folded

HIDDEN: Final = "(hidden)"
_DATA: Final = Path(__file__).parent / "data"
_READ: Final = 20_000
_LEAVES, _DEEP = 400, 12
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@cache
def lists() -> dict[str, Any]:
    """`data/said.json`."""
    found: dict[str, Any] = json.loads((_DATA / "said.json").read_text(encoding="utf-8"))
    return found


@cache
def secret_values() -> re.Pattern[str]:
    """What looks like an address, a card, an account or a key."""
    return re.compile("|".join(f"(?:{one})" for one in lists()["secret_values"]))


@cache
def _secret_names() -> re.Pattern[str]:
    words = sorted(lists()["secret_names"], key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")


def is_secret_name(name: str) -> bool:
    """Whether what is called so is secret, in camelCase and snake_case too."""
    plain = folded(_CAMEL.sub(" ", name[:120]))
    return _secret_names().search(re.sub(r"[\W_]+", " ", plain)) is not None


@cache
def _secret_said() -> re.Pattern[str]:
    """A name of something secret and what is said to be it."""
    return re.compile("|".join(f"(?:{one})" for one in lists()["secret_said"]), re.IGNORECASE)


def hidden(text: str, instead: str = HIDDEN) -> str:
    """The text without what looks like a secret, or is said to be one ("my password is ...")."""
    return _secret_said().sub(instead, secret_values().sub(instead, text[:_READ]))


def hides(text: str) -> bool:
    """Whether there is anything to hide in it."""
    return secret_values().search(text[:_READ]) is not None or _secret_said().search(text[:_READ]) is not None


def leaves_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Values of JSON with their places ("hotel.reasons[0]"), in their order; the first 400, no deeper than 12."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    seen = 0
    while stack and seen < _LEAVES:
        path, one, depth = stack.pop()
        if isinstance(one, dict | list | tuple) and depth < _DEEP:
            pairs = one.items() if isinstance(one, dict) else enumerate(one)
            inside = [(key, inner) for (key, inner), _ in zip(pairs, range(_LEAVES), strict=False)]
            named = isinstance(one, dict)
            stack += [(_place(path, key, named=named), inner, depth + 1) for key, inner in reversed(inside)]
            seen += 1  # empty ones count too
        elif not isinstance(one, dict | list | tuple):
            seen += 1
            yield path, one


def _place(path: str, key: object, *, named: bool) -> str:
    if not named:
        return f"{path}[{key}]"
    return f"{path}.{str(key)[:80]}" if path else str(key)[:80]


def secrets_in(value: Any) -> set[str]:
    """Texts and numbers that stand in JSON under a secret name, folded; nothing of three characters or fewer."""
    found = set()
    for path, one in leaves_of(value):
        if isinstance(one, str | int | float) and not isinstance(one, bool) and is_secret_name(path):
            said = folded(str(one)[:200]).strip()
            if len(said) > 3:
                found.add(said)
    return found
