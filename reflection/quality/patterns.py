"""Whether episodes confirm a pattern, by its words. Sources: RT-010, 5; design.md, "Settled", 5."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from memory.contracts import EpisodeOutcome, MemoryType
from memory.manager import MemoryManager
from reflection.contracts import PatternValidity
from reflection.patterns import wilson_lower
from reflection.quality.metrics import REFLECTION_QUALITY_METRICS
from reflection.quality.words import data_read, folded_line

TOP_K: Final = 50
KEYWORDS_SHARE: Final = 0.7
PATTERN_LENGTH: Final = 2_000
"""Characters of a pattern that are read: the limit of RT-009."""
EPISODE_LENGTH: Final = 8_000
CONTENT_FIELDS: Final = ("content", "text", "summary")
"""Fields of an episode that may hold its text; the first that is not blank counts."""
_OUTCOME_LENGTH: Final = 30
_log = logging.getLogger(__name__)


class RetrievesMemories(Protocol):
    """A memory that finds episodes: ours, or a passed one, whose episodes may be texts, mappings or objects."""

    @property
    def retrieve(self) -> Callable[..., Any]:
        """Called with `query`, `memory_types`, `user_id` and `top_k` by name."""
        ...


class PatternValidator:
    """Validate identified patterns statistically: against episodes of the user, by the documented rule of keywords."""

    def __init__(self, memory_manager: RetrievesMemories | None = None) -> None:
        self.memory: RetrievesMemories = MemoryManager() if memory_manager is None else memory_manager

    def validate(self, pattern: str, user_id: Any = None) -> PatternValidity:
        """Occurrences over the episodes that memory finds for the pattern; 0 with under three, and without a memory
        that answers.
        """
        if not pattern.strip():
            return PatternValidity(0.0)
        return self.validate_against(pattern, self._episodes(pattern, user_id))

    def validate_against(self, pattern: str, episodes: Sequence[Any]) -> PatternValidity:
        """The same for given episodes, each a text, or something with `content` (or `text`, or `summary`) and, if
        known, `outcome`, also within `metadata`.
        """
        keywords = Counter(folded_line(pattern[:PATTERN_LENGTH]).split())
        matching = [episode for episode in episodes if keywords and _matches(content_of(episode), keywords)]
        occurrences, total = len(matching), len(episodes)
        enough = occurrences >= REFLECTION_QUALITY_METRICS["pattern_validity"]["criteria"]["min_occurrences"]
        ended = [outcome for outcome in map(outcome_of, matching) if outcome != EpisodeOutcome.UNKNOWN]
        return PatternValidity(
            occurrences / total if enough else 0.0,
            occurrences=occurrences,
            episodes=total,
            lower_bound=wilson_lower(occurrences, total),
            false_positives=ended.count(EpisodeOutcome.SUCCESS) / len(ended) if ended else None,
        )

    def _episodes(self, pattern: str, user_id: Any) -> list[Any]:
        query = pattern[:PATTERN_LENGTH].encode("utf-8", "replace").decode()  # halves of characters embed nowhere
        try:
            episodes = self.memory.retrieve(
                query=query, memory_types=[MemoryType.EPISODIC], user_id=user_id, top_k=TOP_K
            )
        except Exception:
            if isinstance(self.memory, MemoryManager):
                raise
            _log.exception("the memory did not answer; the pattern counts as one that nothing bears out")
            return []
        return list(episodes) if isinstance(episodes, list | tuple) else []


def content_of(episode: Any) -> str:
    """The text of an episode; empty where it has none."""
    texts = (episode if isinstance(episode, str) else _read(episode, name) for name in CONTENT_FIELDS)
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")


def outcome_of(episode: Any) -> EpisodeOutcome:
    """Its own `outcome`, or that of its `metadata`, in any of the listed words; UNKNOWN for none."""
    for outcome in (_read(episode, "outcome"), _read(_read(episode, "metadata"), "outcome")):
        plain = folded_line(str(getattr(outcome, "value", outcome))[:_OUTCOME_LENGTH])
        for name, words in data_read("outcomes.json").items():
            if plain in words:
                return EpisodeOutcome(name)
    return EpisodeOutcome.UNKNOWN


def _read(episode: Any, name: str) -> Any:
    if episode is None or isinstance(episode, str):
        return None
    if isinstance(episode, Mapping):
        return episode.get(name)
    return getattr(episode, name, None)


@lru_cache(256)
def _normalised(content: str) -> str:
    """Each episode is read for each of a reflection's patterns."""
    return folded_line(content)


def _matches(content: str, keywords: Counter[str]) -> bool:
    """Whether 70 % of the pattern's words are in the episode, also within longer ones."""
    text, count = _normalised(content[:EPISODE_LENGTH]), keywords.total()
    matches, left = 0, count
    for word, times in keywords.items():
        matches, left = matches + times * (word in text), left - times
        if matches + left < count * KEYWORDS_SHARE:
            return False
    return True
