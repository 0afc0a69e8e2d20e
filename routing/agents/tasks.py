"""Agents that read what happened to a user: how tasks ended, what they failed on, what the user wants in them."""

import uuid
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evaluation.services import outcome_of
from language.detect import language_of
from memory.contracts import Memory
from memory.selectors import episodes_similar, preferences_of
from planning.understanding import GENERAL, task_type_of
from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import counted, evaluation_source, evaluations_of, unmet

_READ: Final = 500  # characters: enough to tell what kind of task it is
_PREFERENCES: Final = 10
_EPISODES: Final = 5


def _own_tasks(errand: Errand) -> list[AgentFact]:
    """Three queries: evaluations of tasks of the message's type, of all types where it is of none; preferences."""
    text = "".join(sign if sign.isprintable() else " " for sign in errand.message[:_READ])
    task_type = task_type_of(text, language_of(text)) if text.strip() else GENERAL
    kind = "" if task_type == GENERAL else task_type
    evaluations = evaluations_of(errand, **({"plan__task_type": kind} if kind else {}))
    preferences = preferences_of(errand.user_id, kind)[:_PREFERENCES]
    return [
        *counted("task_outcome", ((outcome_of(row).value, evaluation_source(row)) for row in evaluations)),
        *counted("unmet", unmet(evaluations)),
        *(AgentFact(kind="preference", text=row.content, sources=(f"preference:{row.id}",)) for row in preferences),
    ]


def _similar_tasks(errand: Errand) -> list[AgentFact]:
    """One query and the local embedder; two more where memories name evaluations."""
    memories = episodes_similar(errand.user_id, errand.message, None, _EPISODES, now=errand.before)
    memories = [memory for memory in memories if memory.timestamp is None or memory.timestamp < errand.before]
    named = _evaluations_named(memories)
    return [
        *(AgentFact(kind=f"ended_{row.outcome}", text=row.content, sources=(f"episode:{row.id}",)) for row in memories),
        *(counted("unmet", unmet(evaluations_of(errand, pk__in=named))) if named else ()),
    ]


def _evaluations_named(memories: Iterable[Memory]) -> list[uuid.UUID]:
    """The evaluations that memories say they come from; metadata may hold anything."""
    ids = []
    for memory in memories:
        try:
            ids.append(uuid.UUID(memory.metadata.get("evaluation")))
        except (ValueError, TypeError, AttributeError):
            continue
    return ids


LEAD_ENRICHER: Final = Agent(
    id="lead_enricher",
    title=pgettext_lazy("agent", "lead enricher"),
    domains=("market", "system"),
    about=_("How your own tasks of the kind ended, what they failed on, and what you want in them."),
    gather=_own_tasks,
)
EXPERIENCE_READER: Final = Agent(
    id="experience_reader",
    title=pgettext_lazy("agent", "experience reader"),
    domains=(),
    about=_("What happened to you in similar tasks, and what they failed on."),
    gather=_similar_tasks,
)
