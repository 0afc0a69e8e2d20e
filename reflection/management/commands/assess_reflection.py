"""`manage.py assess_reflection`: reflections of a file before the gate. Source: design.md, "Batch commands"."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Annotated, Any

import numpy as np
from pydantic import FailFast, Field, model_validator

from core.batch import BatchCommand, BatchRow
from gateway.contracts import Vectors
from gateway.services import texts_embed_locally
from memory.contracts import EpisodeOutcome
from reflection.adjusting import adjustment_fault
from reflection.contracts import Reflection
from reflection.likeness import relevance_scored
from reflection.quality import ReflectionQualityValidator, embedded_text
from reflection.quality.patterns import SAID_IN, TOP_K, outcome_of

FAILURES_FOR_PATTERNS = 3
"""Similar failed episodes under which nobody can see a pattern. Source: "Settled", 3."""
SIMILAR_FROM = 0.6
"""How near an episode is to the task, as relevance is measured. Source: RT-010, 1."""
EPISODES_AT_MOST = 5_000
"""Of one user. Source: RT-009, "Storage"."""
EMBEDDED = 1_000
"""Characters of an episode that are embedded, where there are too many."""
_DIGITS = 6

_Texts = Annotated[list[str], FailFast()]


class Told(BatchRow):
    """Something with fields, of which null is the same as absent."""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        return {name: value for name, value in data.items() if value is not None} if isinstance(data, dict) else data


class ToldBriefly(Told):
    """The same, or a text alone; what it says may be called `text` or `summary` too."""

    @model_validator(mode="before")
    @classmethod
    def _text_alone(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return {"content": data} if isinstance(data, str) else data
        other = next((data[name] for name in SAID_IN if data.get(name)), None)
        return data if data.get("content") or other is None else {**data, "content": other}


class Episode(ToldBriefly):
    """Something that happened earlier. One that does not say how it ended counts among the failures, as those are what
    a reflection looks back on; of how often a pattern ended otherwise it says nothing.
    """

    content: str
    outcome: str | bool | None = None
    metadata: Any = None


class Earlier(ToldBriefly):
    """An earlier reflection, in parts or as one text."""

    content: str = ""
    analysis: str = ""
    learning: str = ""


class Row(Told):
    """A reflection. Absent fields are empty; where no episodes are given, not even none, nothing is known of them."""

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
        reflection = Reflection(
            analysis=row.analysis,
            patterns_identified=row.patterns_identified,
            strategy_adjustments=row.strategy_adjustments,
            learning=row.learning,
            task=row.task,
        )
        earlier = [one.content or embedded_text(one.analysis, one.learning) for one in row.existing_reflections]
        validator = ReflectionQualityValidator(Episodes(row.episodes), sees_patterns="episodes" in row.model_fields_set)
        judged = validator.validate_reflection(
            reflection,
            existing=earlier,
            needs_patterns=_similar_failures(row) >= FAILURES_FOR_PATTERNS,
            is_first=not row.episodes and not row.existing_reflections,
            judge=adjustment_fault,
        )
        return {
            "decision": judged.decision.value,
            "quality_score": round(judged.quality_score, _DIGITS),
            "metrics": {name: round(value, _DIGITS) for name, value in judged.metrics.items()},
            "violations": judged.violations,
        }


class Episodes:
    """The episodes of a row as a memory; of more than are wanted, those nearest to what is looked for."""

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
        return texts_embed_locally([one.content[:EMBEDDED] for one in self._episodes])


def _similar_failures(row: Row) -> int:
    """Three are counted at most. Without a task, all episodes of the row are taken to be of its kind."""
    failed = [one for one in row.episodes if outcome_of(one) != EpisodeOutcome.SUCCESS]
    if not row.task or len(failed) < FAILURES_FOR_PATTERNS:
        return len(failed)
    nearest, task = Episodes(failed).retrieve(row.task, top_k=TOP_K), row.task
    similar = (one for one in nearest if relevance_scored(one.content, task) >= SIMILAR_FROM)
    return sum(1 for _ in islice(similar, FAILURES_FOR_PATTERNS))
