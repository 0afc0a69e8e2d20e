"""Counting what keeps happening: which episodes show it, which say the contrary, and how far that can be relied on.

Looked at are the episodes under the condition of which it is known how they ended. Docs: decision 25.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from reflection.contracts import PatternFound, PatternState, PatternValidity
from reflection.failure import EPISODES_READ, PastEpisode
from reflection.patterns.naming import field_of, kind_of, value_of
from reflection.patterns.words import pattern_words

OCCURRENCES_AT_LEAST: Final = 3
CONFIDENCE_AT_LEAST: Final = 0.75
FALSE_POSITIVES_AT_MOST: Final = 0.1
ESTABLISHED_FROM: Final = 0.5
"""Lower bound. Sources of the four: RT-010, 1; design.md, "Settled", 5."""
_Z: Final = 1.959963984540054


class Ending(Enum):
    """What an episode under the condition says of the outcome."""

    SHOWN = "shown"
    CONTRARY = "contrary"
    SILENT = "silent"  # it failed otherwise, and that it would have shown is not known


@dataclass(frozen=True)
class Tally:
    """How many episodes show an outcome, say the contrary, and were looked at."""

    support: int
    contrary: int
    total: int

    @property
    def confidence(self) -> float:
        """Occurrences over episodes looked at; 0 where there are none."""
        return self.support / self.total if self.total else 0.0

    @property
    def lower_bound(self) -> float:
        """Of the confidence, by Wilson at 95 %."""
        return wilson_lower(self.support, self.total)

    @property
    def false_positives(self) -> float | None:
        """The share of the contrary among the episodes that say something; None where none does."""
        said = self.support + self.contrary
        return self.contrary / said if said else None

    @property
    def state(self) -> PatternState:
        """Retired where it is no pattern (any more)."""
        false = self.false_positives
        if self.support < OCCURRENCES_AT_LEAST or self.confidence < CONFIDENCE_AT_LEAST or false is None:
            return PatternState.RETIRED
        if false > FALSE_POSITIVES_AT_MOST:
            return PatternState.RETIRED
        return PatternState.ESTABLISHED if self.lower_bound >= ESTABLISHED_FROM else PatternState.PROVISIONAL


@lru_cache(4_096)
def wilson_lower(support: int, total: int) -> float:
    """The lower end of the Wilson interval at 95 % for `support` of `total`; 0 for none of none."""
    if total <= 0 or support <= 0:
        return 0.0
    share, z2 = min(support / total, 1.0), _Z * _Z
    middle = share + z2 / (2 * total)
    spread = _Z * math.sqrt((share * (1 - share) + z2 / (4 * total)) / total)
    return max(0.0, (middle - spread) / (1 + z2 / total))


def ending_of(outcome: str, features: frozenset[str], *, failed: bool) -> Ending:
    """What an episode says of an outcome: a success is contrary to it, and a failure in which the same was met.

    A success that shows it nevertheless (data that were missing) says neither.
    """
    if outcome in features:
        return Ending.SHOWN if failed else Ending.SILENT
    if not failed or not _contraries(outcome).isdisjoint(features):
        return Ending.CONTRARY
    value = value_of(outcome)
    is_met = any(field_of(one) == value for one in features if kind_of(one) == "meets")
    return Ending.CONTRARY if is_met else Ending.SILENT


def pattern_recounted(found: PatternFound, past: Sequence[PastEpisode], language: str | None = None) -> PatternFound:
    """The pattern counted anew over these episodes, at most 50, the latest first; retired where it holds no longer.

    With a `language` its words are written anew too. One that is known by its words alone stays as it is.
    """
    if not found.outcome:
        return found
    condition = frozenset(found.condition)
    under = [one for one in past[:EPISODES_READ] if one.failed is not None and condition <= one.features]
    endings = [ending_of(found.outcome, one.features, failed=bool(one.failed)) for one in under]
    tally = Tally(endings.count(Ending.SHOWN), endings.count(Ending.CONTRARY), len(under))
    recounted = found.model_copy(
        update={
            **counted(tally),
            "episodes": tuple(one.id for one, end in zip(under, endings, strict=True) if end is Ending.SHOWN),
            "contrary_episodes": tuple(
                one.id for one, end in zip(under, endings, strict=True) if end is Ending.CONTRARY
            ),
        }
    )
    if language is None or not tally.support:
        return recounted
    return recounted.model_copy(update={"text": pattern_words(recounted, language)})


def counted(tally: Tally) -> dict[str, int | float | PatternState]:
    """The figures of `PatternFound`."""
    return {
        "support": tally.support,
        "contrary": tally.contrary,
        "total": tally.total,
        "confidence": tally.confidence,
        "lower_bound": tally.lower_bound,
        "state": tally.state,
    }


def validity_of(found: PatternFound) -> PatternValidity:
    """How far the gate can rely on it: its confidence, 0 under three occurrences. Source: RT-010, 5."""
    tally = Tally(found.support, found.contrary, found.total)
    return PatternValidity(
        found.confidence if found.support >= OCCURRENCES_AT_LEAST else 0.0,
        occurrences=found.support,
        episodes=found.total,
        lower_bound=found.lower_bound,
        false_positives=tally.false_positives,
    )


@lru_cache(4_096)
def _contraries(outcome: str) -> frozenset[str]:
    """Features that say the contrary of an outcome."""
    if outcome == "rejected":
        return frozenset(("confirmed",))
    value = value_of(outcome)
    match kind_of(outcome):
        case "fails":
            return frozenset((f"meets:{value}",))
        case "missing" | "unclear":
            return frozenset((f"meets:{value}", f"fails:{value}"))
    return frozenset()
