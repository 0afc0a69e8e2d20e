"""Secrets and personal data in a failure, by the names of values and by their form.

Lists and patterns: `data/said.json`.
"""

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from language.names import split_camel
from language.word_lists import json_file
from planning.experience import normalised

HIDDEN: Final = "(hidden)"
_DATA: Final = Path(__file__).parent / "data"
_READ: Final = 20_000
_LEAVES, _DEEP = 400, 12


def lists() -> dict[str, Any]:
    """`data/said.json`."""
    values: dict[str, Any] = json_file(_DATA / "said.json")
    return values


@cache
def secret_values() -> re.Pattern[str]:
    """Matches addresses, cards, accounts and keys."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in lists()["secret_values"]))


@cache
def _secret_names() -> re.Pattern[str]:
    words = sorted(lists()["secret_names"], key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b")


def is_secret_name(name: str) -> bool:
    """Whether it is the name of a secret, in camelCase and snake_case too."""
    name = name[:120]
    # Read whole as well: the humps of "APIkey" and "PASSWORDs" part the word that matters.
    plain = normalised(f"{name} | {split_camel(name)}")
    return _secret_names().search(re.sub(r"[\W_]+", " ", plain)) is not None


@cache
def _secret_said() -> re.Pattern[str]:
    """The name of a secret followed by its value."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in lists()["secret_said"]), re.IGNORECASE)


def redact(text: str, instead: str = HIDDEN) -> str:
    """The text without secrets, by their form or their name ("my password is ...")."""
    return _secret_said().sub(instead, secret_values().sub(instead, text[:_READ]))


def has_secrets(text: str) -> bool:
    """Whether `redact` would change the text."""
    return secret_values().search(text[:_READ]) is not None or _secret_said().search(text[:_READ]) is not None


def leaves_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Values of JSON with their places ("hotel.reasons[0]"), in their order; the first 400, no deeper than 12."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    visited = 0
    while stack and visited < _LEAVES:
        path, node, depth = stack.pop()
        if not isinstance(node, dict | list | tuple):
            visited += 1
            yield path, node
        elif depth < _DEEP:
            visited += 1  # empty ones count too
            if isinstance(node, dict):
                inside = [(f"{path}.{str(key)[:80]}".lstrip("."), item) for key, item in islice(node.items(), _LEAVES)]
            else:
                inside = [(f"{path}[{place}]", item) for place, item in enumerate(node[:_LEAVES])]
            stack += [(place, item, depth + 1) for place, item in reversed(inside)]


def secrets_in(value: Any) -> set[str]:
    """Texts and numbers under a secret name in JSON, normalised; nothing of three characters or fewer."""
    secrets = {
        normalised(str(leaf)[:200]).strip()
        for path, leaf in leaves_of(value)
        if isinstance(leaf, str | int | float) and not isinstance(leaf, bool) and is_secret_name(path)
    }
    return {secret for secret in secrets if len(secret) > 3}
