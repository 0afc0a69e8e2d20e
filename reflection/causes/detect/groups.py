"""What pulls against what: cheap against good, quick against thorough. The words and pairs are in `groups.json`."""

from functools import cache

from planning.experience import normalised, stems
from reflection.causes.texts import data_read


@cache
def _groups() -> dict[str, str]:
    words = data_read("groups.json")["words"]
    return {stem: group for group, names in words.items() for name in names for stem in stems(name)}


@cache
def _tensions() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in data_read("groups.json")["tensions"])


def group_of(name: str) -> str:
    """The group of a field by its name, empty for none. The last listed word decides: "delivery price" is of price."""
    words = stems(normalised(name).replace("_", " "))
    return next((_groups()[word] for word in reversed(words) if word in _groups()), "")


def pull_apart(name: str, other: str) -> bool:
    """Whether more of what one name says is usually less of what the other says."""
    first, second = group_of(name), group_of(other)
    return bool(first and second) and frozenset((first, second)) in _tensions()
