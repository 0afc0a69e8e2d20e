"""What planning and others remember with, unless they are given something else: the sources' `memory` collaborator."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.selectors import user_referred_to
from memory.contracts import ActiveAdjustment, EpisodeOutcome, Memory, MemoryType
from memory.errors import MemoryRefused
from memory.selectors import adjustments_of, episode_as_memory, episodes_similar, preference_as_memory, preferences_of
from memory.services import episode_store, preference_set
from memory.texts.validation import is_storable

_FILTERS = frozenset(("task_type",))
Reference = User | int | str | None


class MemoryManager:
    """Memories of the user that a program refers to: a user, a primary key (also as digits) or a username. An unknown
    user has none. It keeps nothing itself.
    """

    def retrieve(
        self,
        query: str,
        memory_types: Sequence[MemoryType | str] = (MemoryType.EPISODIC,),
        user_id: Reference = None,
        filters: Mapping[str, Any] | None = None,
        top_k: int = 5,
        *,
        now: datetime | None = None,
    ) -> list[Memory]:
        """What to know for `query`. `filters` may name a `task_type`, which is filtered by before similarity.

        Preferences (SEMANTIC) come first and all of them, since none may be overlooked; `top_k` is how many episodes.
        One query for each of the types, and one to find the user. Raises `MemoryRefused` for another type or filter.
        """
        wanted, task_type = _types(memory_types), _task_type(filters)
        user = _person(user_id)
        if user is None:
            return []
        memories = preferences_of(user.pk, task_type) if MemoryType.SEMANTIC in wanted else []
        if MemoryType.EPISODIC in wanted:
            memories += episodes_similar(user.pk, query, task_type, top_k, now)
        return memories

    def add(
        self,
        content: str,
        memory_type: MemoryType | str = MemoryType.EPISODIC,
        user_id: Reference = None,
        task_type: str = "",
        outcome: EpisodeOutcome | str = EpisodeOutcome.UNKNOWN,
        metadata: dict[str, Any] | None = None,
        *,
        source: str = "",
        now: datetime | None = None,
    ) -> Memory:
        """Remember an episode or a preference (SEMANTIC, which has no outcome and no metadata).

        Raises as `episode_store` and `preference_set` do; `MemoryRefused` also for an unknown user.
        """
        (kind,) = _types([memory_type])
        user = _person(user_id)
        if user is None:
            raise MemoryRefused(_("There is nobody to remember this for."))
        if kind is MemoryType.SEMANTIC:
            return preference_as_memory(preference_set(user=user, text=content, task_type=task_type))
        return episode_as_memory(episode_store(user, content, task_type, outcome, metadata, source=source, now=now))

    def adjustments(self, user_id: Reference, task_type: str = "") -> list[ActiveAdjustment]:
        """What reflections have set for a user in tasks of this type, the oldest first."""
        user = _person(user_id)
        return adjustments_of(user.pk, task_type) if user else []


def _person(reference: Reference) -> User | None:
    is_name = not isinstance(reference, str) or is_storable(reference)
    return None if reference is None or not is_name else user_referred_to(reference)


def _types(memory_types: Sequence[MemoryType | str]) -> set[MemoryType]:
    try:
        return {MemoryType(memory_type) for memory_type in memory_types}
    except ValueError:
        names = ", ".join(MemoryType)
        raise MemoryRefused(_("The kind of memory is none of these: %(known)s.") % {"known": names}) from None


def _task_type(filters: Mapping[str, Any] | None) -> str:
    unknown = set(filters or ()) - _FILTERS
    if unknown:
        raise MemoryRefused(_("Memories cannot be filtered by %(names)s.") % {"names": ", ".join(sorted(unknown))})
    return str((filters or {}).get("task_type") or "")
