"""Adjustments that memories of reflections carry. Source: RF-007, scenario 14."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC
from itertools import islice
from typing import Any, Final

from pydantic import ValidationError

from memory.contracts import ActiveAdjustment, Adjustment, Memory
from planning.learning.adjustments import adjustment_parse
from planning.learning.words import CONTENT_AT_MOST, sentences_of, speaks_to_a_model

MEMORIES_AT_MOST: Final = 200
EACH_AT_MOST: Final = 20
REFLECTION_AT_MOST: Final = 64
_KEYS: Final = ("adjustments", "strategy_adjustments")


def adjustments_in(memories: Sequence[Memory]) -> list[ActiveAdjustment]:
    """The adjustments that the memories carry, those of the oldest memory first, each once.

    They are texts, or adjustments as values, under "adjustments" or "strategy_adjustments" of the metadata, and where
    there is neither, sentences of the content. They belong to the "reflection_id" of the metadata, else to the memory.
    What cannot be read is left out.
    """
    found: dict[tuple[str, Adjustment], ActiveAdjustment] = {}
    for memory in sorted(memories[:MEMORIES_AT_MOST], key=_moment):
        reflection = _reflection_of(memory)
        for adjustment in islice(_adjustments_of(memory), EACH_AT_MOST):
            found.setdefault(
                (reflection, adjustment),
                ActiveAdjustment(
                    id=f"{reflection}:{len(found) + 1}",
                    reflection_id=reflection,
                    task_type=memory.task_type,
                    adjustment=adjustment,
                ),
            )
    return list(found.values())


def _moment(memory: Memory) -> float:
    time = memory.timestamp
    if time is None:
        return float("-inf")
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def _reflection_of(memory: Memory) -> str:
    said = memory.metadata.get("reflection_id")
    text = " ".join(str(said).split()) if isinstance(said, str | int) and not isinstance(said, bool) else ""
    return (text or memory.id)[:REFLECTION_AT_MOST]


def _adjustments_of(memory: Memory) -> Iterator[Adjustment]:
    carried = [memory.metadata[key] for key in _KEYS if key in memory.metadata]
    if not carried:
        if not speaks_to_a_model(memory.content[:CONTENT_AT_MOST]):
            yield from filter(None, map(adjustment_parse, sentences_of(memory.content)))
        return
    for one in carried:
        listed = one if isinstance(one, list | tuple) else [one]
        for item in listed[: 5 * EACH_AT_MOST]:
            adjustment = _adjustment_of(item)
            if adjustment is not None:
                yield adjustment


def _adjustment_of(item: Any) -> Adjustment | None:
    if isinstance(item, str):
        return adjustment_parse(item)
    if isinstance(item, Adjustment):
        return item
    if isinstance(item, Mapping):
        try:
            return Adjustment(**item)
        except (TypeError, ValidationError):
            return adjustment_parse(item["text"]) if isinstance(item.get("text"), str) else None
    return None
