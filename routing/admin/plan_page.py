"""One query plan on one page: the plan, the reading that decided it, its corrections and audit entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from pydantic import ValidationError

from routing.admin.values import domain_name, list_url, page_url, pretty, share_shown
from routing.audit.document import in_order
from routing.contracts import QueryPlan as Plan
from routing.contracts.reading import Reading
from routing.models import CONFIDENCE_LABELS, AuditEntry, LabelledExample, QueryPlan
from routing.understanding.flags import flag_meaning, flag_title

QUESTION_SHOWN = 20_000


@dataclass(frozen=True)
class FlagView:
    """A flag by its name, with title and meaning."""

    name: str
    title: str
    meaning: str


@dataclass(frozen=True)
class ShareView:
    """A domain's share of the evidence; `bar` is of 100. `chosen`: the plan has the domain."""

    domain: str | Promise
    share: str
    bar: int
    chosen: bool
    words: Sequence[str]


@dataclass(frozen=True)
class NearView:
    """An example of the pack that is near, and its cosine to two digits, of 100 in `bar`."""

    domain: str | Promise
    label: str
    text: str
    similarity: float
    bar: int


@dataclass(frozen=True)
class ReadingView:
    """The reading that decided, in words."""

    shares: Sequence[ShareView]
    nearest: Sequence[NearView]
    certainty: Any
    probability: str
    in_scope: str
    margin: str
    agree: bool
    label: str


@dataclass(frozen=True)
class PlanPage:
    """All that the page shows. `reading` is None where the stored one has another form."""

    row: QueryPlan
    question: str | None
    who: str
    who_url: str
    hint: str | Promise
    domains: Sequence[str | Promise]
    probability: str
    rationale: str
    lab: dict[str, Any]
    flags: Sequence[FlagView]
    reading: ReadingView | None
    plan_json: str
    reading_json: str
    corrects: QueryPlan | None
    corrected_by: QueryPlan | None
    example: LabelledExample | None
    entries: Sequence[AuditEntry]
    urls: dict[str, str]


def plan_page(row: QueryPlan, *, may_see_users: bool) -> PlanPage:
    """The page of a row selected with question, user, example, pack, both corrections and entries."""
    question, user = row.question, row.question.user
    text = question.text
    return PlanPage(
        row=row,
        question=None if text is None else text[:QUESTION_SHOWN],
        who=user.get_username(),
        who_url=reverse("admin:accounts_user_change", args=[user.pk]) if may_see_users else "",
        hint=domain_name(row.domain_hint) if row.domain_hint != "auto" else "",
        domains=[domain_name(key) for key in row.domains],
        probability=share_shown(row.probability),
        rationale=str(row.plan.get("rationale", "")),
        lab=row.plan.get("lab_policy") or {},
        flags=[FlagView(flag, flag_title(flag), flag_meaning(flag)) for flag in row.flags],
        reading=_reading_shown(row),
        plan_json=pretty(in_order(row.plan, Plan)),
        reading_json=pretty(in_order(row.reading, Reading)),
        corrects=row.corrects,
        corrected_by=getattr(row, "corrected_by", None),
        example=getattr(question, "labelled", None),
        entries=list(row.audit_entries.all()),
        urls=_urls(row),
    )


def _reading_shown(row: QueryPlan) -> ReadingView | None:
    try:
        reading = Reading.model_validate(row.reading)
    except ValidationError:
        return None
    shares = [
        ShareView(
            domain=domain_name(score.domain),
            share=share_shown(score.share),
            bar=round(100 * score.share),
            chosen=score.domain in row.domains,
            words=[hit.keyword for hit in reading.found if hit.domain == score.domain],
        )
        for score in reading.scores
    ]
    nearest = [
        NearView(
            domain_name(example.domain),
            example.label,
            example.text,
            example.similarity,
            round(100 * min(1.0, max(0.0, example.similarity))),
        )
        for example in reading.nearest
    ]
    return ReadingView(
        shares=shares,
        nearest=nearest,
        certainty=CONFIDENCE_LABELS[reading.certainty],
        probability=share_shown(reading.probability),
        in_scope=share_shown(reading.in_scope),
        margin=share_shown(reading.margin),
        agree=reading.agree,
        label=reading.label,
    )


def _urls(row: QueryPlan) -> dict[str, str]:
    events = urlencode({"q": f"query:{row.question_id}"})
    trail = urlencode({"q": str(row.correlation_id)})
    return {
        "events": f"{reverse('admin:telemetry_event_changelist')}?{events}",
        "entries": f"{list_url('auditentry')}?{trail}",
        "pack": page_url("packversion", row.pack_id),
    }
