"""How a user's own tasks of the kind ended, what they failed on, and what the user wants in them."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from evaluation.contracts import Evaluation
from evaluation.services import outcome_of
from memory.selectors import preferences_of
from planning.understanding import GENERAL, language_of, task_type_of
from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import counted, evaluations_of, unmet

_READ: Final = 500  # characters: enough to tell what kind of task it is
_PREFERENCES: Final = 10


def gather(errand: Errand) -> list[AgentFact]:
    """Three queries: evaluations of tasks of the message's type, of all types where it is of none; preferences."""
    text = "".join(one if one.isprintable() else " " for one in errand.message[:_READ])
    task_type = task_type_of(text, language_of(text)) if text.strip() else GENERAL
    kind = "" if task_type == GENERAL else task_type
    evaluations = evaluations_of(errand, **({"plan__task_type": kind} if kind else {}))
    wanted = preferences_of(errand.user_id, kind)[:_PREFERENCES]
    return [
        *counted("task_outcome", ((outcome_of(one).value, _source(one)) for one in evaluations)),
        *counted("unmet", unmet(evaluations)),
        *(AgentFact(kind="preference", text=one.content, sources=(f"preference:{one.id}",)) for one in wanted),
    ]


def _source(evaluation: Evaluation) -> str:
    return f"evaluation:{evaluation.id}"


AGENT: Final = Agent(
    id="lead_enricher",
    title=pgettext_lazy("agent", "lead enricher"),
    domains=("market", "system"),
    about=_("How your own tasks of the kind ended, what they failed on, and what you want in them."),
    gather=gather,
)
