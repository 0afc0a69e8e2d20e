"""The known flags of plans and decisions. Others may join without a new schema version. Source: spec/4, 3.10 and 7."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Holder = Literal["plan", "decision"]


class KnownFlag(NamedTuple):
    """A flag with title and meaning, and the contracts that may have it."""

    title: Promise
    meaning: Promise
    seen_on: tuple[Holder, ...]


_PLAN: Final[tuple[Holder, ...]] = ("plan",)
_DECISION: Final[tuple[Holder, ...]] = ("decision",)
_BOTH: Final[tuple[Holder, ...]] = ("plan", "decision")

KNOWN_FLAGS: Final[Mapping[str, KnownFlag]] = MappingProxyType(
    {
        "needs-clarification": KnownFlag(
            _("Needs clarification"),
            _("The question is ambiguous, too short, or about something else; asked in other words it may be clear."),
            _BOTH,
        ),
        "domain-hint-overridden": KnownFlag(
            _("Chosen domain overridden"),
            _("The domain that the asker chose is not among those of the plan."),
            _PLAN,
        ),
        "lab-access-requested": KnownFlag(
            _("Laboratory asked for"), _("The asker wants to use the laboratory."), _PLAN
        ),
        "lab-access-denied": KnownFlag(
            _("Laboratory refused"), _("The laboratory was asked for and is blocked."), _BOTH
        ),
        "lab-access-approved": KnownFlag(
            _("Laboratory approved"), _("Use of the laboratory was approved explicitly."), _PLAN
        ),
        "strategic-mode-parse-failed": KnownFlag(
            _("Strategic mode unreadable"), _("The file of the strategic mode could not be read."), _BOTH
        ),
        "router-ambiguity-detected": KnownFlag(
            _("Several domains possible"), _("Two or more domains fit the question about as well."), _PLAN
        ),
        "mode-forced-deep": KnownFlag(
            _("Deep analysis forced"), _("The question spans more than a fast analysis can hold."), _PLAN
        ),
        "overengineering-risk": KnownFlag(
            _("Risk of overengineering"), _("What is proposed is more than the goal needs."), _DECISION
        ),
        "labor-risk": KnownFlag(_("Risk for the job"), _("The risk for the job is high."), _DECISION),
        "tax-risk": KnownFlag(_("Tax risk"), _("The risk in tax or law is high."), _DECISION),
        "brand-risk": KnownFlag(_("Risk for the brand"), _("The risk for the brand is high."), _DECISION),
        "focus-risk": KnownFlag(_("Risk for focus"), _("It would take attention from what matters more."), _DECISION),
        "audit-write-failed": KnownFlag(
            _("Not on record"), _("The audit trail could not be written, so nothing was given."), _DECISION
        ),
        "strategic-misalignment-detected": KnownFlag(
            _("Against the strategy"), _("The question or the proposal does not go with the strategic mode."), _DECISION
        ),
    }
)


def flag_title(name: str) -> str:
    """The title for people, in their language; the name itself for a flag that is not known."""
    return str(KNOWN_FLAGS[name].title) if name in KNOWN_FLAGS else name


def flag_meaning(name: str) -> str:
    """The meaning in the reader's language; empty for a flag that is not known."""
    return str(KNOWN_FLAGS[name].meaning) if name in KNOWN_FLAGS else ""
