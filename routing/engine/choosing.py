"""Which domains a reading speaks for."""

from typing import Final

from routing.reading import Reading

NEAR: Final = 0.25
"""A share from which a domain beside the first one may be meant as well."""
PART: Final = 0.7
"""A probability from which a part of a message asks about a domain of its own."""
PART_OF_FEW_WORDS: Final = 0.35
"""The same in a message of a few words, where each part is one or two: "tax or brand?"."""


def abstains(reading: Reading) -> bool:
    """Whether the message belongs to no domain of the pack, as far as one can tell."""
    return reading.certainty == "low"


def domains_of(reading: Reading, *, at_most: int = 3) -> tuple[str, ...]:
    """The first domain, and those that are near it."""
    near = [score.domain for score in reading.scores[1:] if score.share >= NEAR]
    return (reading.first, *near)[:at_most]
