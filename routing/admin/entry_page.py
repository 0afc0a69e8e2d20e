"""One audit entry on one page: its documented form, and whether its chain holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from django.contrib.admin.utils import quote
from django.db.models import F
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from routing.admin.values import page_url, pretty
from routing.audit.document import Standing
from routing.models import AuditEntry
from routing.services.auditing import entry_document
from telemetry.contracts import FaultKind

State = Literal["broken", "before", "due", "whole"]
"""`before`: the chain breaks behind this entry, which held. `due`: it was not checked since it was written."""

_FAULTS: dict[FaultKind, Promise] = {
    FaultKind.ALTERED: gettext_lazy("it was altered"),
    FaultKind.GAP: gettext_lazy("entries are missing before it"),
    FaultKind.WRONG_PREVIOUS: gettext_lazy("it does not follow from the one before"),
    FaultKind.TRUNCATED: gettext_lazy("the end of the chain was cut off"),
    FaultKind.WRONG_HEAD: gettext_lazy("the head of the chain is of another entry"),
    FaultKind.ORPHANED: gettext_lazy("what it tells of has no entry"),
    FaultKind.FORGED: gettext_lazy("its signature is forged"),
    FaultKind.UNKNOWN_KEY: gettext_lazy("its key is unknown"),
    FaultKind.UNSIGNED: gettext_lazy("the chain is not signed from here on"),
}


@dataclass(frozen=True)
class Part:
    code: str
    title: Promise
    json: str


@dataclass(frozen=True)
class EntryPage:
    """All that the page shows. `broken` is the address of the first broken entry, empty where that one is missing."""

    entry: AuditEntry
    question: str | None
    who: str
    who_url: str
    state: State
    broken: str
    kept_until: datetime
    versions: Sequence[tuple[str, Any]]
    document: Part
    snapshots: Sequence[Part]
    before: str
    after: str
    urls: dict[str, str]


def entry_page(entry: AuditEntry, *, may_see_users: bool) -> EntryPage:
    """The page of a row selected with chain, question and user. One query for its neighbours."""
    document = entry_document(entry)
    snapshots = [
        ("plan", gettext_lazy("The plan as it was given"), document["query_plan"]),
        ("decision", gettext_lazy("The decision as it was given"), document["governor_decision"]),
        ("output", gettext_lazy("The answer as it was given"), document["synthesizer_output"]),
    ]
    near = _near(entry)
    user = entry.question.user
    return EntryPage(
        entry=entry,
        question=entry.question.text,
        who=user.get_username(),
        who_url=reverse("admin:accounts_user_change", args=[user.pk]) if may_see_users else "",
        state=state_of(entry),
        broken=near.get(entry.chain.broken_at or 0, ""),
        kept_until=entry.stored_at + timedelta(days=entry.retention_days),
        versions=sorted(entry.versions.items()),
        document=Part("document", gettext_lazy("The whole entry in the documented form"), pretty(document)),
        snapshots=[Part(code, title, pretty(value)) for code, title, value in snapshots if value is not None],
        before=near.get(entry.seq - 1, ""),
        after=near.get(entry.seq + 1, ""),
        urls={
            "verify": reverse("admin:routing_auditentry_verify", args=[entry.pk]),
            "plan": page_url("queryplan", entry.query_plan_id) if entry.query_plan_id else "",
            "chain": reverse("admin:routing_auditchain_change", args=[quote(entry.chain_id)]),
            "events": f"{reverse('admin:telemetry_event_changelist')}?q=query:{entry.question_id}",
        },
    )


def state_of(entry: AuditEntry) -> State:
    """The state of an entry by the last check of its chain."""
    chain = entry.chain
    if chain.broken_at is not None:
        return "broken" if entry.seq >= chain.broken_at else "before"
    return "whole" if entry.seq <= chain.verified_length else "due"


def verification_text(standing: Standing) -> str:
    """The outcome of a check, in a sentence or two."""
    check, fault = standing.check, standing.check.fault
    if fault is None:
        words = ngettext(
            "The chain %(chain)s is whole: its %(n)s entry holds.",
            "The chain %(chain)s is whole: all of its %(n)s entries hold.",
            check.length,
        )
        return words % {"chain": check.chain, "n": check.length}
    words = _("The chain %(chain)s is broken at entry %(seq)s: %(kind)s (%(detail)s).")
    kind = _FAULTS.get(fault.kind, fault.kind)
    text = words % {"chain": check.chain, "seq": fault.seq, "kind": kind, "detail": fault.detail}
    holds = _("This entry stands before it and holds.")
    return f"{text} {holds}" if standing.entry_holds else text


def _near(entry: AuditEntry) -> dict[int, str]:
    """Addresses of the entries before and behind, and of the first broken one, by their numbers."""
    wanted = [entry.seq - 1, entry.seq + 1, *([entry.chain.broken_at] if entry.chain.broken_at else [])]
    rows = AuditEntry.objects.filter(chain=entry.chain_id, seq__in=wanted).annotate(place=F("seq"))
    return {seq: page_url("auditentry", pk) for seq, pk in rows.values_list("place", "pk")}
