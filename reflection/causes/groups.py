"""What pulls against what: cheap against good, quick against thorough. The words and pairs are in `groups.json`."""

from functools import cache

from planning.learning import better_side, folded, stems
from reflection.causes.reading import Check
from reflection.causes.wording import data_read


@cache
def _groups() -> dict[str, str]:
    words = data_read("groups.json")["words"]
    return {stem: group for group, names in words.items() for name in names for stem in stems(name)}


@cache
def _tensions() -> frozenset[frozenset[str]]:
    return frozenset(frozenset(pair) for pair in data_read("groups.json")["tensions"])


def group_of(name: str) -> str:
    """The group of a field by its name, empty for one that is in none. The last word that is known decides: "delivery
    price" is of price.
    """
    words = stems(folded(name).replace("_", " "))
    return next((_groups()[word] for word in reversed(words) if word in _groups()), "")


def pull_apart(one: str, other: str) -> bool:
    """Whether more of what one name says is usually less of what the other says."""
    first, second = group_of(one), group_of(other)
    return bool(first and second) and frozenset((first, second)) in _tensions()


def wants_good_side(check: Check) -> bool:
    """Whether the criterion asks for more of what is good: a high quality, a low price."""
    better = better_side(check.name)
    return better is None or not check.side or better == {"low": "high", "high": "low"}[check.side]
