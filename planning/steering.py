"""What is known of whom a task is for: experience, preferences and adjustments, from whatever memory there is."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import Any, Protocol

from asgiref.sync import sync_to_async
from django.db import connection, connections
from pydantic import ValidationError

from memory.contracts import ActiveAdjustment, Memory, MemoryType
from memory.manager import MemoryManager
from planning.learning import adjustments_in

TOP_K, PREFERENCES_AT_MOST = 5, 20
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


class Remembering:
    """A memory, ours or a passed one, asked without standing in each other's way."""

    def __init__(self, memory: PassedMemory) -> None:
        self._memory = memory
        self._ours = isinstance(memory, MemoryManager)

    async def experience(self, task: str, user_id: Any, task_type: str) -> list[Memory]:
        """Episodes of tasks of this type that matter to this one, best first."""
        return await self._retrieve(task, MemoryType.EPISODIC, user_id, task_type, TOP_K)

    async def context(self, task: str, user_id: Any, task_type: str) -> Known:
        """What the user prefers or cannot have, and what was adjusted for them."""
        preferences = await self._retrieve(task, MemoryType.SEMANTIC, user_id, task_type, PREFERENCES_AT_MOST)
        said = [one.content for one in preferences if one.memory_type == MemoryType.SEMANTIC]
        return Known(preferences=said, adjustments=await self._adjustments(user_id, task_type))

    async def _retrieve(self, task: str, kind: MemoryType, user_id: Any, task_type: str, top_k: int) -> list[Memory]:
        def ask() -> Any:
            return self._memory.retrieve(
                query=task, memory_types=[kind], user_id=user_id, filters={"task_type": task_type}, top_k=top_k
            )

        found = await self._asked(ask)
        return memories_of(found, kind, task_type) if isinstance(found, list | tuple) else []

    async def _adjustments(self, user_id: Any, task_type: str) -> list[ActiveAdjustment]:
        ask = getattr(self._memory, "adjustments", None)
        if not callable(ask):
            return []
        found = await self._asked(lambda: ask(user_id, task_type))
        return [one for one in found if isinstance(one, ActiveAdjustment)] if isinstance(found, list | tuple) else []

    async def _asked(self, ask: Callable[[], Any]) -> Any:
        """Ours, and any that is asked within a transaction, in the caller's thread; others in threads of their own, so
        that they are asked side by side and can be left behind when the time is over.
        """
        if self._ours or await sync_to_async(_in_transaction, thread_sensitive=True)():
            return await sync_to_async(ask, thread_sensitive=True)()

        def apart() -> Any:
            try:
                return ask()
            finally:
                connections.close_all()

        return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, apart)


def _in_transaction() -> bool:
    return connection.in_atomic_block


def memories_of(found: Sequence[Any], kind: MemoryType, task_type: str) -> list[Memory]:
    """What a memory gave, as values: a passed one may give texts, or mappings with `content`. What is neither is left
    out, and so is what says that it is of another task type.
    """
    memories = []
    for place, one in enumerate(found, 1):
        data = {"content": one} if isinstance(one, str) else one
        try:
            memory = data if isinstance(data, Memory) else _memory_of(data, place, kind)
        except (TypeError, ValueError, ValidationError):
            continue
        if memory.task_type in ("", task_type):
            memories.append(memory)
    return memories


def _memory_of(data: Any, place: int, kind: MemoryType) -> Memory:
    known = {name: data[name] for name in Memory.model_fields if name in data}
    return Memory(**{"id": f"memory-{place}", "memory_type": kind, **known})


def adjustments_known(known: Known, experience: Sequence[Memory]) -> list[ActiveAdjustment]:
    """Those that are set, and those that memories of reflections carry."""
    return [*known.adjustments, *adjustments_in(experience)]
