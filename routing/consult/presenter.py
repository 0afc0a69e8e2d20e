"""Rows of the consult as views for its pages, in the reader's language."""

import secrets
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from gateway.selectors import models_configured
from routing.agents import AGENTS
from routing.consult.histories import HistoryRow
from routing.contracts.values import DOMAIN_KEYS
from routing.models import CONFIDENCE_LABELS, DOMAIN_LABELS, MODE_LABELS, AuditEntry, QueryPlan
from routing.packs.pack import pack_shipped
from routing.understanding.flags import flag_meaning, flag_title
from routing.understanding.phases import phase_of
from routing.understanding.phrases import LAB

Text = str | Promise
MESSAGE_AT_MOST: Final = 10_000
_WORDS_AT_MOST: Final = 110
_WHOLE_CHARACTERS, _WHOLE_LINES = 400, 8
_LANGUAGES: Final = ("en", "es")

EXAMPLES: Final[Sequence[Promise]] = (
    _("Is this a good time to ask my company for unpaid leave?"),
    _("How much is a square metre near the port, and is demand growing?"),
    _("Which expenses can I deduct as a self-employed agent?"),
    _("How do I follow up contacts so that none is forgotten?"),
)
_MODES: Final[Mapping[str, Promise]] = {
    "": _("Let the router choose"),
    "fast": _("Fast: one or two domains"),
    "deep": _("Deep: up to three domains"),
}
_MODE_MEANINGS: Final[Mapping[str, Promise]] = {
    "fast": _("One domain, or two at most."),
    "deep": _("Up to three domains, looked at together."),
}
_CONFIDENCE_MEANINGS: Final[Mapping[str, Promise]] = {
    "high": _("It is clear what the question is about."),
    "medium": _("It is probably understood; another reading is possible."),
    "low": _("It is not clear what the question is about."),
}
_LAB_STATES: Final[Mapping[str, Promise]] = {
    "denied": pgettext_lazy("laboratory", "closed"),
    "conditional": pgettext_lazy("laboratory", "open under conditions"),
    "approved": pgettext_lazy("laboratory", "open"),
}


@dataclass(frozen=True)
class Choice:
    value: str
    label: Text
    selected: bool


@dataclass(frozen=True)
class Asking:
    """The form. `key` is new each time the form is shown, so that two clicks are one question."""

    key: str
    message: str
    modes: Sequence[Choice]
    hints: Sequence[Choice]
    examples: Sequence[Promise]
    model_may_be_asked: bool
    limit: int = MESSAGE_AT_MOST


@dataclass(frozen=True)
class Named:
    key: str
    title: Text
    meaning: Text = ""


@dataclass(frozen=True)
class Earlier:
    address: str
    words: str | None
    language: str
    domains: Sequence[str]
    confidence: Named
    asked_at: datetime
    corrected: bool


@dataclass(frozen=True)
class Reading:
    """One of the plans of a question."""

    address: str
    domains: Sequence[str]
    created_at: datetime
    is_shown: bool


@dataclass(frozen=True)
class OnRecord:
    """The audit entry of a plan. `checked_at`: the last good check of its chain that included the entry."""

    entry: AuditEntry
    checked_at: datetime | None
    broken: bool


@dataclass(frozen=True)
class Panel:
    """A whole plan. `readings` are more than one after a correction; `others` is empty where none is possible."""

    plan: QueryPlan
    address: str
    words: str | None
    language: str
    first: Named
    beside: Sequence[Named]
    confidence: Named
    percent: int
    mode: Named
    flags: Sequence[Named]
    rationale: Sequence[str]
    lab: Named
    extras: Sequence[Named]
    readings: Sequence[Reading]
    others: Sequence[Named]
    record: OnRecord | None

    @property
    def beginning(self) -> str:
        """The question, or the beginning of a long one."""
        words = self.words or ""
        if len(words) <= _WHOLE_CHARACTERS and words.count("\n") <= _WHOLE_LINES:
            return words
        return first_words(words.encode("utf-8", "replace"), _WHOLE_CHARACTERS)

    @property
    def is_correction(self) -> bool:
        return self.plan.corrects_id is not None

    @property
    def is_corrected(self) -> bool:
        return hasattr(self.plan, "corrected_by")


def asking_form(*, message: str = "", mode: str = "", hint: str = "auto") -> Asking:
    """The form, empty or with the typed values."""
    hints: dict[str, Text] = {"auto": _("Let the router choose")}
    hints.update((key, domain_title(key)) for key in DOMAIN_KEYS)
    hints[LAB] = _("%(domain)s (closed)") % {"domain": domain_title(LAB)}
    return Asking(
        key=secrets.token_hex(32),
        message=message,
        modes=[Choice(value, label, value == mode) for value, label in _MODES.items()],
        hints=[Choice(value, label, value == hint) for value, label in hints.items()],
        examples=EXAMPLES,
        model_may_be_asked=models_configured(),
    )


def earlier_shown(rows: Sequence[HistoryRow]) -> list[Earlier]:
    return [
        Earlier(
            address=plan_address(row.plan_id),
            words=None if row.words is None else first_words(row.words),
            language=_lang_attribute(row.language),
            domains=[domain_title(key) for key in row.domains],
            confidence=_confidence(row.confidence),
            asked_at=row.asked_at,
            corrected=row.corrected,
        )
        for row in rows
    ]


def panel_of(plan: QueryPlan, readings: Sequence[QueryPlan], entry: AuditEntry | None) -> Panel:
    """The panel "Query plan"."""
    content, first = plan.plan, plan.domains[0]
    policy, corrected = content["lab_policy"], hasattr(plan, "corrected_by")
    words = plan.question.text
    others = [key for key in DOMAIN_KEYS if key not in (first, LAB)]
    return Panel(
        plan=plan,
        address=plan_address(plan.pk),
        words=words,
        language=_lang_attribute(plan.question.language),
        first=Named(first, domain_title(first)),
        beside=[Named(key, domain_title(key)) for key in plan.domains[1:]],
        confidence=_confidence(plan.confidence),
        percent=percent(plan.probability),
        mode=Named(plan.mode, MODE_LABELS[plan.mode], _MODE_MEANINGS[plan.mode]),  # type: ignore[arg-type,index]
        flags=[Named(flag, flag_title(flag), flag_meaning(flag)) for flag in plan.flags],
        rationale=content["rationale"].splitlines(),
        lab=Named(policy["status"], _LAB_STATES[policy["status"]], policy["rationale"]),
        extras=_extras(plan.phase, content),
        readings=[
            Reading(plan_address(row.pk), [domain_title(key) for key in row.domains], row.created_at, row.pk == plan.pk)
            for row in readings
        ],
        others=[] if corrected or words is None else [Named(key, domain_title(key)) for key in others],
        record=_on_record(entry) if entry else None,
    )


def plan_address(plan_id: uuid.UUID) -> str:
    return reverse("routing:plan", args=[plan_id])


def domain_title(key: str) -> str:
    """A domain's title in the reader's language, as the shipped pack has it."""
    pack = pack_shipped()
    return pack.domain(key).title_in(get_language() or "en") if key in pack.keys else str(DOMAIN_LABELS.get(key, key))


def percent(probability: float) -> int:
    """A probability in hundredths, from 1 to 99: nothing is quite certain."""
    return min(99, max(1, round(probability * 100)))


def first_words(message: bytes, at_most: int = _WORDS_AT_MOST) -> str:
    """The beginning of a message on one line, without a character that was cut in the middle."""
    flat = " ".join(message.decode("utf-8", "replace").rstrip("\ufffd").split())
    return flat if len(flat) <= at_most else f"{flat[: at_most - 1].rstrip()}…"


def _confidence(key: str) -> Named:
    return Named(key, CONFIDENCE_LABELS[key], _CONFIDENCE_MEANINGS[key])


def _extras(number: int, plan: Mapping[str, Any]) -> list[Named]:
    """The fields of later phases: evidence, agents, skills."""
    phase, extras = phase_of(number), []
    if phase.evidence:
        meaning = _("The answer should rest on evidence.") if plan["needs_evidence"] else _("None is needed.")
        extras.append(Named("evidence", _("Evidence"), meaning))
    if phase.agents:
        titles = [str(AGENTS[agent].title) if agent in AGENTS else agent for agent in plan["agents_selected"]]
        extras.append(Named("agents", _("Agents"), ", ".join(titles) or _("None is needed.")))
    if phase.skills:
        meaning = _("Current figures are looked up.") if plan["needs_skills"] else _("None is needed.")
        extras.append(Named("skills", _("Skills"), meaning))
    return extras


def _on_record(entry: AuditEntry) -> OnRecord:
    chain = entry.chain
    checked = chain.verified_at is not None and entry.seq <= chain.verified_length
    broken = chain.broken_at is not None and chain.broken_at <= entry.seq
    return OnRecord(entry, chain.verified_at if checked and not broken else None, broken)


def _lang_attribute(code: str) -> str:
    """The value of a `lang` attribute; empty for an unknown language."""
    return code if code in _LANGUAGES else ""
