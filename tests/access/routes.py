"""Every address of the product, as Django's resolver has them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

_PARAMETER = re.compile(r"<(?:\w+:)?(?P<name>\w+)>|\(\?P<(?P<group>\w+)>(?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True)
class Route:
    """An address with its parameters still open. `name` is empty for the few that Django's admin leaves unnamed."""

    name: str
    pattern: str

    def __str__(self) -> str:
        return self.name or self.pattern

    def path(self, values: dict[str, Any]) -> str:
        """The address with the parameters filled in; raises `KeyError` for one that has no value."""
        filled = _PARAMETER.sub(lambda found: str(values[found["name"] or found["group"]]), self.pattern)
        return "/" + filled.replace("^", "").replace("$", "").replace("\\", "")


def routes() -> list[Route]:
    """All of them, in the order in which they are tried."""
    return list(_routes(get_resolver().url_patterns, "", ()))


def _routes(patterns: list[Any], before: str, names: tuple[str, ...]) -> Iterator[Route]:
    for pattern in patterns:
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            below = (*names, pattern.namespace) if pattern.namespace else names
            yield from _routes(pattern.url_patterns, whole, below)
        elif isinstance(pattern, URLPattern):
            yield Route(":".join((*names, pattern.name)) if pattern.name else "", whole)
