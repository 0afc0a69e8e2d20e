"""What a user keeps asking about the market and about growing: how often, lately or before, and what it is about."""

from datetime import timedelta
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import counted, gathered, plan_source, plans_of, standing

_LATELY: Final = timedelta(days=30)


def gather(errand: Errand) -> list[AgentFact]:
    """One query. Themes and words are the pack's."""
    rows = standing(plans_of(errand))
    lately = [row for row in rows if row.created_at >= errand.before - _LATELY]
    themes = [(label, plan_source(row)) for row in rows if (label := row.reading.get("label"))]
    words = [
        (one["keyword"], plan_source(row))
        for row in rows
        for one in row.reading.get("found", ())
        if one["domain"] in errand.domains
    ]
    beside = [(key, plan_source(row)) for row in rows for key in row.domains if key not in errand.domains]
    return [
        *gathered("asked", map(plan_source, rows)),
        *gathered("asked_lately", map(plan_source, lately)),
        *counted("theme", themes),
        *counted("keyword", words),
        *counted("together_with", beside),
    ]


AGENT: Final = Agent(
    id="market_analyst",
    title=pgettext_lazy("agent", "market analyst"),
    domains=("market", "growth"),
    about=_("What you asked about the market and about growing before: how often, and what about."),
    gather=gather,
)
