"""Experience, preferences and adjustments of a user, from our memory or a passed one. Source: RF-007, scenario 14."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Protocol, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection, connections
from pydantic import ValidationError

from memory.contracts import ActiveAdjustment, Adjustment, Memory, MemoryType
from memory.manager import MemoryManager
from planning.experience.adjustments import adjustment_parse
from planning.experience.distilling import moment_of
from planning.experience.words import CONTENT_AT_MOST, memory_sentences, speaks_to_a_model

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
    adjustments: dict[tuple[str, Adjustment], ActiveAdjustment] = {}
    for memory in sorted(memories[:MEMORIES_AT_MOST], key=moment_of):
        reflection = _reflection_of(memory)
        for adjustment in islice(_adjustments_of(memory), EACH_AT_MOST):
            adjustments.setdefault(
                (reflection, adjustment),
                ActiveAdjustment(
                    id=f"{reflection}:{len(adjustments) + 1}",
                    reflection_id=reflection,
                    task_type=memory.task_type,
                    adjustment=adjustment,
                ),
            )
    return list(adjustments.values())


def _reflection_of(memory: Memory) -> str:
    reference = memory.metadata.get("reflection_id")
    text = (
        " ".join(str(reference).split()) if isinstance(reference, str | int) and not isinstance(reference, bool) else ""
    )
    return (text or memory.id)[:REFLECTION_AT_MOST]


def _adjustments_of(memory: Memory) -> Iterator[Adjustment]:
    carried = [memory.metadata[key] for key in _KEYS if key in memory.metadata]
    if not carried:
        if not speaks_to_a_model(memory.content[:CONTENT_AT_MOST]):
            yield from filter(None, map(adjustment_parse, memory_sentences(memory.content)))
        return
    for entry in carried:
        listed = entry if isinstance(entry, list | tuple) else [entry]
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


TOP_K, PREFERENCES_AT_MOST = 5, 20
Read = TypeVar("Read")
_threads = ThreadPoolExecutor(max_workers=16, thread_name_prefix="passed-memory")


class PassedMemory(Protocol):
    """What a passed memory must have; where it has `adjustments(user_id, task_type)`, that is asked too."""

    @property
    def retrieve(self) -> Callable[..., Sequence[Any]]:
        """Called with `query`, `memory_types`, `user_id`, `filters` and `top_k` by name."""
        ...


@dataclass(frozen=True)
class Known:
    """Context: `preferences` in words, `adjustments` in the order in which they were set."""

    preferences: list[str] = field(default_factory=list)
    adjustments: list[ActiveAdjustment] = field(default_factory=list)


class MemoryReader:
    """Reads a memory, ours or a passed one, without blocking the event loop."""

    def __init__(self, memory: PassedMemory) -> None:
        self._memory = memory
        self._ours = isinstance(memory, MemoryManager)

    async def experience(self, task: str, user_id: Any, task_type: str) -> list[Memory]:
        """Episodes of tasks of this type that matter to this one, best first."""
        return await self._retrieve(task, MemoryType.EPISODIC, user_id, task_type, TOP_K)

    async def context(self, task: str, user_id: Any, task_type: str) -> Known:
        """What the user prefers or cannot have, and what was adjusted for them."""
        preferences = await self._retrieve(task, MemoryType.SEMANTIC, user_id, task_type, PREFERENCES_AT_MOST)
        texts = [memory.content for memory in preferences if memory.memory_type == MemoryType.SEMANTIC]
        adjustments = await self._run(lambda: adjustments_of(self._memory, user_id, task_type))
        return Known(preferences=texts, adjustments=adjustments)

    async def _retrieve(self, task: str, kind: MemoryType, user_id: Any, task_type: str, top_k: int) -> list[Memory]:
        return await self._run(lambda: memories_of(self._memory, task, kind, user_id, task_type, top_k))

    async def _run(self, read: Callable[[], Read]) -> Read:
        """Ours, and any that is asked within a transaction, in the caller's thread; others in threads of their own, so
        that they are asked side by side and can be left behind when the time is over.
        """
        if self._ours or await sync_to_async(lambda: connection.in_atomic_block, thread_sensitive=True)():
            return await sync_to_async(read, thread_sensitive=True)()

        def apart() -> Read:
            try:
                return read()
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, apart)


def adjustments_of(memory: PassedMemory, user_id: Any, task_type: str) -> list[ActiveAdjustment]:
    read = getattr(memory, "adjustments", None)
    values = read(user_id, task_type) if callable(read) else ()
    return (
        [value for value in values if isinstance(value, ActiveAdjustment)] if isinstance(values, list | tuple) else []
    )


def memories_of(
    memory: PassedMemory, task: str, kind: MemoryType, user_id: Any, task_type: str, top_k: int
) -> list[Memory]:
    """The memories of one kind that matter to a task. A passed memory may give texts, or mappings with `content`; any
    other value is left out, and so is a memory of another task type.
    """
    values = memory.retrieve(
        query=task, memory_types=[kind], user_id=user_id, filters={"task_type": task_type}, top_k=top_k
    )
    memories = []
    for place, value in enumerate(values if isinstance(values, list | tuple) else (), 1):
        data = {"content": value} if isinstance(value, str) else value
        try:
            read = data if isinstance(data, Memory) else _memory_of(data, place, kind)
        except (TypeError, ValueError, ValidationError):
            continue
        if read.task_type in ("", task_type):
            memories.append(read)
    return memories


def _memory_of(data: Any, place: int, kind: MemoryType) -> Memory:
    values = {name: data[name] for name in Memory.model_fields if name in data}
    return Memory(**{"id": f"memory-{place}", "memory_type": kind, **values})


def adjustments_known(known: Known, experience: Sequence[Memory]) -> list[ActiveAdjustment]:
    return [*known.adjustments, *adjustments_in(experience)]
