"""The pages on which staff approve, reject or edit a reflection: each asks for the reason and shows the changes."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff.access import staff_of
from core.admin.tools import ReadOnlyAdmin
from planning.selectors import name_planned_for, plan_of
from reflection.admin.diff import Strategy
from reflection.admin.forms import EditForm, ReviewForm
from reflection.admin.values import adjustment_views, metric_views
from reflection.contracts import AdjustmentProposed, Author
from reflection.errors import ReviewRefused
from reflection.models import DECISION_LABELS, Attempt, Review
from reflection.models import Reflection as ReflectionRow
from reflection.quality.adjustments import adjustments_read
from reflection.quality.gate import gate_for
from reflection.selectors import reflection_of
from reflection.services import reflection_approve, reflection_edit, reflection_reject

_Decide = Callable[..., ReflectionRow]


def page_url(row: ReflectionRow, page: str = "change") -> str:
    """The address of a page of a reflection; with its present version, where the page asks for a decision."""
    url = reverse(f"admin:reflection_reflection_{page}", args=[row.pk])
    return url if page == "change" else f"{url}?seen={row.version}"


class DecidingAdmin(ReadOnlyAdmin):
    """The pages that decide about a reflection."""

    def get_urls(self) -> list[URLPattern]:
        return [
            self._path("approve", self.approve_page),
            self._path("reject", self.reject_page),
            self._path("edit", self.edit_page),
            *super().get_urls(),
        ]

    def _path(self, name: str, view: Any) -> URLPattern:
        guarded = self.admin_site.admin_view(view)
        route: URLPattern = path(f"<uuid:object_id>/{name}/", guarded, name=f"reflection_reflection_{name}")
        return route

    def approve_page(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        title, done = _("Approve this reflection?"), _("Approved: it is in force now.")
        return self._asked(request, object_id, "approve", reflection_approve, title, done)

    def reject_page(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        title, done = _("Reject this reflection?"), _("Rejected: it changes nothing.")
        return self._asked(request, object_id, "reject", reflection_reject, title, done)

    def _asked(
        self,
        request: HttpRequest,
        object_id: UUID,
        name: str,
        decide: _Decide,
        title: str | Promise,
        done: str | Promise,
    ) -> HttpResponse:
        by, row = staff_of(self, request), _row(object_id)
        form = ReviewForm(request.POST or None, initial={"seen": _version_seen(request)})
        stale = _is_stale(form, row, request)
        if form.is_valid() and not stale:
            try:
                row = decide(reflection_id=row.pk, by=by, **form.cleaned_data)
            except ReviewRefused as refusal:
                form.add_error(None, refusal.message)
            else:
                return self._decided(request, row, done)
        return self._page(request, f"{name}.html", title, form, row, _force_of(row), stale)

    def edit_page(self, request: HttpRequest, object_id: UUID) -> HttpResponse:
        """Shows the gate's judgement on the words; words that it was seen to judge can be stored."""
        by, row = staff_of(self, request), _row(object_id)
        stores = "store" in request.POST
        initial = {**EditForm.of(_kept(row)), "seen": _version_seen(request) or row.version}
        form = EditForm(request.POST or None, initial=initial, stores=stores)
        stale = _is_stale(form, row, request)
        context: dict[str, Any] = {}
        if form.is_valid() and not stale:
            unchanged = form.cleaned_data["judged"] == form.digest
            if stores and unchanged:
                if (stored := self._stored(row, by, form)) is not None:
                    text = _("Stored as attempt %(number)s: it is in force now.") % {"number": _kept(stored).number}
                    return self._decided(request, stored, text)
            else:
                context = {"changed": stores, **_judged(row, form)}
        return self._page(request, "edit.html", _("Write this reflection anew"), form, row, context, stale)

    def _stored(self, row: ReflectionRow, by: User, form: EditForm) -> ReflectionRow | None:
        reason, seen = form.cleaned_data["reason"], form.cleaned_data["seen"]
        try:
            return reflection_edit(reflection_id=row.pk, by=by, reason=reason, seen=seen, **form.words)
        except ReviewRefused as refusal:
            form.add_error(None, refusal.message)
            return None

    def _decided(self, request: HttpRequest, row: ReflectionRow, done: str | Promise) -> HttpResponse:
        """Back to its page, with a message."""
        if row.review == Review.APPROVED and not row.in_force:
            done = _("It is on record. It changes nothing: nobody known here is behind the plan.")
        self.message_user(request, str(done), messages.SUCCESS)
        return redirect(page_url(row))

    def _page(
        self,
        request: HttpRequest,
        template: str,
        title: str | Promise,
        form: forms.Form,
        row: ReflectionRow,
        more: dict[str, Any],
        stale: bool,
    ) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "form": form,
            "back": page_url(row),
            "reflection": row,
            "attempt": row.kept,
            "who": name_planned_for(row.evaluation.plan),
            "language": row.language,
            "stale": stale,
            **more,
        }
        status = 409 if stale or form.non_field_errors() else 422 if form.errors else 200
        return TemplateResponse(request, f"admin/reflection/reflection/{template}", context, status=status)


def _row(object_id: UUID) -> ReflectionRow:
    rows = ReflectionRow.objects.select_related("kept__by", "evaluation__plan__user").filter(pk=object_id)
    row = (
        rows.defer("evaluation__execution_result")
        .prefetch_related("evaluation__plan__steps", "evaluation__plan__criteria")
        .first()
    )
    if row is None or row.kept is None:
        raise Http404
    return row


def _kept(row: ReflectionRow) -> Attempt:
    assert row.kept is not None
    return row.kept


def _version_seen(request: HttpRequest) -> int | None:
    """The version that the reviewer saw on the page before; None where none is named."""
    text = request.GET.get("seen", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else None


def _is_stale(form: ReviewForm, row: ReflectionRow, request: HttpRequest) -> bool:
    """Whether it was reviewed after this reviewer saw it."""
    sent = form["seen"].data if form.is_bound else _version_seen(request)
    return sent not in (None, "") and str(sent) != str(row.version)


def _force_of(row: ReflectionRow) -> dict[str, Any]:
    """The adjustments that a decision sets or withdraws, and those that cannot be executed."""
    proposed = [AdjustmentProposed(**values) for values in _kept(row).adjustments]
    executed = [adjustment for adjustment in proposed if adjustment.adjustment is not None and adjustment.fault is None]
    return {"executed": executed, "left_out": [adjustment for adjustment in proposed if adjustment not in executed]}


def _judged(row: ReflectionRow, form: EditForm) -> dict[str, Any]:
    """The gate's judgement on the words, and the diffs of their adjustments."""
    words = form.words
    written = reflection_of(row).replaced(
        analysis=words["analysis"],
        learning=words["learning"],
        strategy_adjustments=words["adjustments"],
        adjustments=adjustments_read(words["adjustments"]),
        patterns_identified=words["patterns"],
        author=Author.STAFF,
    )
    validation = gate_for(row)(written)
    strategy = Strategy(plan_of(row.evaluation.plan))
    return {
        "validation": validation,
        "decision": DECISION_LABELS[validation.decision],
        "metrics": metric_views(validation.metrics),
        "adjustments": adjustment_views(written.adjustments, strategy),
        "digest": form.digest,
    }
