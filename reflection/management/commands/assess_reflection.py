"""`manage.py assess_reflection`: reflections of a file before the gate. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Annotated, Any

import numpy as np
from pydantic import FailFast, Field, model_validator

from core.batch.command import BatchCommand, BatchRow
from gateway.contracts import Vectors
from gateway.services import texts_embed_locally
from memory.contracts import EpisodeOutcome
from reflection.contracts import Reflection
from reflection.likeness import relevance_scored
from reflection.quality import JUDGED_AT_MOST, ReflectionQualityValidator, embedded_text
from reflection.quality.adjustments import adjustments_read
from reflection.quality.patterns import CONTENT_FIELDS, TOP_K, outcome_of

FAILURES_FOR_PATTERNS = 3
"""Similar failed episodes without which there is no pattern. Source: "Settled", 3."""
SIMILAR_FROM = 0.6
"""How near an episode is to the task, as relevance is measured. Source: RT-010, 1."""
EPISODES_AT_MOST = 5_000
"""Of one user. Source: RT-009, "Storage"."""
EMBEDDED = 1_000
"""Characters of an episode that are embedded, where there are too many."""
_DIGITS = 6

_Texts = Annotated[list[str], FailFast()]


class NullableRow(BatchRow):
    """An object in which null is the same as absent."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data


class TextRow(NullableRow):
    """The same, or a text alone; its content may be called `text` or `summary` too."""

    @model_validator(mode="before")
    @classmethod
    def _text_alone(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return {"content": data} if isinstance(data, str) else data
        other = next((data[name] for name in CONTENT_FIELDS if data.get(name)), None)
        return data if data.get("content") or other is None else {**data, "content": other}


class Episode(TextRow):
    """An earlier event. One without an outcome counts among the failures, but not among the false positives of a
    pattern.
    """

    content: str
    outcome: str | bool | None = None
    metadata: Any = None


class Earlier(TextRow):
    """An earlier reflection, in parts or as one text."""

    content: str = ""
    analysis: str = ""
    learning: str = ""


class Row(NullableRow):
    """A reflection. Absent fields are empty; absent `episodes` are unknown, an empty list is none."""

    analysis: str = ""
    patterns_identified: _Texts = Field(default_factory=list)
    strategy_adjustments: _Texts = Field(default_factory=list)
    learning: str = ""
    task: str | None = None
    episodes: Annotated[list[Episode], FailFast()] = Field(default_factory=list, max_length=EPISODES_AT_MOST)
    existing_reflections: Annotated[list[Earlier], FailFast()] = Field(default_factory=list)


class Command(BatchCommand[Row]):
    help = (
        "Judge reflections by the quality gate, by rules alone. Reads JSON lines from standard input (analysis,"
        " patterns_identified, strategy_adjustments, learning, and if you like task, episodes and existing_reflections)"
        " and writes a JSON line for each, in order: decision (accepted, accepted_with_warnings or rejected),"
        " quality_score, metrics and violations; or error."
    )
    row = Row

    def answer(self, row: Row) -> Mapping[str, Any]:
        reflection = Reflection(**row.model_dump(exclude={"episodes", "existing_reflections"}))
        existing = [
            earlier.content or embedded_text(earlier.analysis, earlier.learning) for earlier in row.existing_reflections
        ]
        validator = ReflectionQualityValidator(Episodes(row.episodes), sees_patterns="episodes" in row.model_fields_set)
        judged = validator.validate_reflection(
            reflection,
            existing=existing,
            needs_patterns=_similar_failures(row) >= FAILURES_FOR_PATTERNS,
            is_first=not row.episodes and not row.existing_reflections,
            adjustments=adjustments_read(row.strategy_adjustments[:JUDGED_AT_MOST]),
        )
        return {
            "decision": judged.decision.value,
            "quality_score": round(judged.quality_score, _DIGITS),
            "metrics": {name: round(value, _DIGITS) for name, value in judged.metrics.items()},
            "violations": judged.violations,
        }


class Episodes:
    """The episodes of a row as a memory; of more than are wanted, those nearest to the query."""

    def __init__(self, episodes: Sequence[Episode]) -> None:
        self._episodes = list(episodes)

    def retrieve(self, query: str, memory_types: Any = (), user_id: Any = None, *, top_k: int) -> list[Episode]:
        if len(self._episodes) <= top_k:
            return self._episodes
        wanted = texts_embed_locally([query[:EMBEDDED]])[0]
        nearest = np.argsort(-(self._vectors @ wanted), kind="stable")
        return [self._episodes[place] for place in nearest[:top_k]]

    @cached_property
    def _vectors(self) -> Vectors:
        return texts_embed_locally([episode.content[:EMBEDDED] for episode in self._episodes])


def _similar_failures(row: Row) -> int:
    """The number of similar failed episodes, three at most; without a task all are similar."""
    failed = [episode for episode in row.episodes if outcome_of(episode) != EpisodeOutcome.SUCCESS]
    if not row.task or len(failed) < FAILURES_FOR_PATTERNS:
        return len(failed)
    nearest, task = Episodes(failed).retrieve(row.task, top_k=TOP_K), row.task
    similar = (episode for episode in nearest if relevance_scored(episode.content, task) >= SIMILAR_FROM)
    return sum(1 for _ in islice(similar, FAILURES_FOR_PATTERNS))
