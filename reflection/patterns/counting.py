"""The figures of patterns: episodes that show one, episodes to the contrary, and the confidence in it.

Episodes under the condition count whose outcome is known. Docs: decision 25.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final

from reflection.contracts import PatternFound, PatternState, PatternValidity
from reflection.contracts.failure import EPISODES_READ, PastEpisode
from reflection.patterns.naming import field_of, kind_of, value_of
from reflection.patterns.words import pattern_words

OCCURRENCES_AT_LEAST: Final = 3
CONFIDENCE_AT_LEAST: Final = 0.75
FALSE_POSITIVES_AT_MOST: Final = 0.1
ESTABLISHED_FROM: Final = 0.5
"""Lower bound. Sources of the four: RT-010, 1; design.md, "Settled", 5."""
_Z: Final = 1.959963984540054


class Ending(Enum):
    """The evidence of an episode under the condition for the outcome."""

    SHOWN = "shown"
    CONTRARY = "contrary"
    SILENT = "silent"  # it failed otherwise: no evidence either way


@dataclass(frozen=True)
class Tally:
    """The numbers of episodes that show an outcome, of those to the contrary, and of all that were counted."""

    support: int
    contrary: int
    total: int

    @property
    def confidence(self) -> float:
        """Occurrences over all episodes; 0 where there are none."""
        return self.support / self.total if self.total else 0.0

    @property
    def lower_bound(self) -> float:
        """Of the confidence, by Wilson at 95 %."""
        return wilson_lower(self.support, self.total)

    @property
    def false_positives(self) -> float | None:
        """The share of the contrary among episodes with evidence; None without any."""
        evidence = self.support + self.contrary
        return self.contrary / evidence if evidence else None

    @property
    def state(self) -> PatternState:
        """Retired where it is no pattern (any more)."""
        if self.support < OCCURRENCES_AT_LEAST or self.confidence < CONFIDENCE_AT_LEAST:
            return PatternState.RETIRED
        if (self.false_positives or 0) > FALSE_POSITIVES_AT_MOST:
            return PatternState.RETIRED
        return PatternState.ESTABLISHED if self.lower_bound >= ESTABLISHED_FROM else PatternState.PROVISIONAL

    @property
    def figures(self) -> dict[str, Any]:
        """The figures of `PatternFound`, by the names of its fields."""
        names = ("support", "contrary", "total", "confidence", "lower_bound", "state")
        return {name: getattr(self, name) for name in names}


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
    """The evidence of an episode for an outcome: a success is contrary to it, and a failure in which the same was met.

    A success that shows it all the same (data were missing) is none.
    """
    if outcome in features:
        return Ending.SHOWN if failed else Ending.SILENT
    if not failed or not _contraries(outcome).isdisjoint(features):
        return Ending.CONTRARY
    value = value_of(outcome)
    is_met = any(field_of(feature) == value for feature in features if kind_of(feature) == "meets")
    return Ending.CONTRARY if is_met else Ending.SILENT


def pattern_recounted(pattern: PatternFound, past: Sequence[PastEpisode], language: str | None = None) -> PatternFound:
    """The pattern counted anew over these episodes, at most 50, the latest first; retired where it holds no longer.

    With a `language` its words are written anew too. One that is known by its words alone stays as it is.
    """
    if not pattern.outcome:
        return pattern
    condition = frozenset(pattern.condition)
    ids: dict[Ending, list[str]] = {ending: [] for ending in Ending}
    for episode in past[:EPISODES_READ]:
        if episode.failed is not None and condition <= episode.features:
            ids[ending_of(pattern.outcome, episode.features, failed=episode.failed)].append(episode.id)
    shown, contrary = ids[Ending.SHOWN], ids[Ending.CONTRARY]
    tally = Tally(len(shown), len(contrary), sum(map(len, ids.values())))
    evidence = {"episodes": tuple(shown), "contrary_episodes": tuple(contrary)}
    recounted = pattern.model_copy(update={**tally.figures, **evidence})
    if language is None or not tally.support:
        return recounted
    return recounted.model_copy(update={"text": pattern_words(recounted, language)})


def validity_of(pattern: PatternFound) -> PatternValidity:
    """The validity of a pattern: its confidence, 0 under three occurrences. Source: RT-010, 5."""
    return PatternValidity(
        pattern.confidence if pattern.support >= OCCURRENCES_AT_LEAST else 0.0,
        occurrences=pattern.support,
        episodes=pattern.total,
        lower_bound=pattern.lower_bound,
        false_positives=Tally(pattern.support, pattern.contrary, pattern.total).false_positives,
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
