"""Sessions, to look at: what learners did is not edited by anyone."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.db.models import F, OuterRef, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, ngettext_lazy, pgettext

from core.admin.tools import BoundedCount, ReadOnlyAdmin, column, is_list, link
from gateway.contracts import Budget
from gateway.models import Account
from gateway.selectors import budget_of
from lesson_engine.admin.base import CourseFilter, FlagsFilter, LessonFilter, PeriodFilter
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import QuestionReport, Session
from lesson_engine.selectors import session_turns_page
from lesson_engine.services.sessions import BUDGET_SCOPE
from lesson_engine.timeline.page import timeline
from lesson_engine.timeline.trail import session_questions, session_trail
from planning.models import OUTCOME_LABELS
from telemetry.models import Chain


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("learner", "flags", "lesson_and_version", "progress", "mode", "status", "started_at")
    list_filter = (FlagsFilter, PeriodFilter, CourseFilter, LessonFilter, "mode", "status")
    list_select_related = ("user", "lesson", "lesson_version")
    ordering = ("-started_at",)
    sortable_by = ()
    search_fields = ("user__username__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("A whole user name, or a session's whole id")
    fields = readonly_fields = (
        *("learner", "lesson", "lesson_version", "mode", "status", "outcomes", "flags", "started_at", "active_at"),
        *("finished_at", "turn_count", "plan", "budget", "chain"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """Of the state of many only how each question went; of the version only what is shown of it."""
        queryset: QuerySet[Session] = super().get_queryset(request).select_related(*self.list_select_related)
        slim = queryset.defer("lesson_version__source", "lesson_version__summary")
        planned = slim.annotate(plan_id=F("goals__plan"), plan_outcome=F("goals__plan__outcome"))
        return (slim.defer("state") if is_list(request) else planned).annotate(
            records=F("state__asks"),
            report_count=BoundedCount(QuestionReport.objects.filter(session=OuterRef("pk"))),
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Session], search_term: str
    ) -> tuple[QuerySet[Session], bool]:
        """Either an id or a name, never both in one condition: that would read every session."""
        term = search_term.strip()
        if not term:
            return queryset, False
        try:
            return queryset.filter(pk=UUID(term)), False
        except ValueError:
            return queryset.filter(user__username=term), False

    def page_context(self, request: HttpRequest, obj: Session) -> dict[str, Any]:
        number = request.GET.get("page", "")
        page = session_turns_page(obj, int(number) if number.isdecimal() and len(number) < 7 else 1)
        outline = outline_of(obj.lesson_version_id)
        return {"timeline": timeline(outline, page, session_trail(obj, page), session_questions(obj, page))}

    @admin.display(description=_("learner"))
    def learner(self, session: Session) -> str:
        name = session.user.get_username()
        return _("%(name)s (guest)") % {"name": name} if session.user.is_guest else name

    lesson_and_version = column(_("lesson"), lambda session: f"{session.lesson.slug} · {session.lesson_version.number}")

    progress = column(_("progress"), lambda session: _("%(done)s of %(all)s, %(mastered)s right") % _progress(session))

    @admin.display(description=_("progress"))
    def outcomes(self, session: Session) -> str:
        counts = _progress(session)
        text = _("%(done)s of %(all)s questions: %(mastered)s right, %(shown)s shown, %(skipped)s skipped")
        parts = [text % counts]
        if counts["own"]:
            parts.append(_("%(own)s of those right by the learner's own word") % counts)
        if counts["reported"]:
            parts.append(_("%(reported)s reported") % counts)
        if counts["missed"]:
            parts.append(_("%(missed)s not right after a second look") % counts)
        if counts["voided"]:
            parts.append(_("%(voided)s withdrawn and not counted") % counts)
        return ", ".join(parts)

    @admin.display(description=_("to look at"), empty_value="")
    def flags(self, session: Any) -> SafeString:
        counted = (
            (session.doubtful, ngettext_lazy("%(n)s in doubt", "%(n)s in doubt", "n")),
            (session.dead_ends, ngettext_lazy("%(n)s dead end", "%(n)s dead ends", "n")),
            (session.attacks, ngettext_lazy("%(n)s like an attack", "%(n)s like attacks", "n")),
            (session.report_count, ngettext_lazy("%(n)s reported", "%(n)s reported", "n")),
            (_progress(session)["own"], ngettext_lazy("%(n)s by own word", "%(n)s by own word", "n")),
        )
        words = ((text % {"n": count},) for count, text in counted if count)
        return format_html_join(" ", '<span class="flag">{}</span>', words)

    turn_count = column(_("turns"), lambda session: session.version)

    @admin.display(description=_("goals"))
    def plan(self, session: Any) -> str | Promise:
        """A link to the plan, with what came of it."""
        if session.plan_id is None:
            return _("It has none.")
        outcome = OUTCOME_LABELS[session.plan_outcome] if session.plan_outcome else pgettext("plan", "not evaluated")
        return link(reverse("admin:planning_plan_change", args=[session.plan_id]), outcome)

    @admin.display(description=_("budget"))
    def budget(self, session: Session) -> str | Promise:
        try:
            budget = budget_of(BUDGET_SCOPE, str(session.pk))
        except Account.DoesNotExist:
            return _("No account was opened.")
        return link(f"{reverse('admin:gateway_account_changelist')}?q={session.pk}", _budget_text(budget))

    @admin.display(description=_("audit chain"))
    def chain(self, session: Session) -> str:
        """Its length, its state, and when it was last verified."""
        chain = Chain.objects.filter(pk=str(session.pk)).first()
        if chain is None:
            return ""
        state = link(reverse("admin:telemetry_chain_change", args=[chain.pk]), _chain_text(chain))
        events = link(f"{reverse('admin:telemetry_event_changelist')}?q={chain.pk}", _("show its events"))
        return format_html("{} · {}", state, events)


def _progress(session: Any) -> dict[str, int]:
    """Questions of a session by how they ended; `records` is what `SessionAdmin.get_queryset` takes from its state."""
    records = (session.records or {}).values()
    ended = [record.get("outcome", "open") for record in records]
    counts = {name: ended.count(name) for name in ("mastered", "shown", "skipped", "reported", "missed")}
    voided = ended.count("voided")
    more = {
        "done": sum(counts.values()),
        "all": session.lesson_version.questions - voided,
        "voided": voided,
        "own": sum(bool(record.get("by_own_word")) and record.get("outcome") == "mastered" for record in records),
    }
    return counts | more


def _budget_text(budget: Budget) -> str:
    text = _("%(left)s of %(limit)s cents left; %(used)s of %(escalations)s escalations used")
    return text % {
        "left": f"{budget.left_cents:g}",
        "limit": f"{budget.limit_cents:g}",
        "used": budget.escalations_used,
        "escalations": budget.escalations_limit,
    }


def _chain_text(chain: Chain) -> str:
    length = ngettext("%(n)s event", "%(n)s events", chain.length) % {"n": chain.length}
    state: str | Promise
    if chain.broken_at is not None:
        state = _("broken at event %(seq)s") % {"seq": chain.broken_at}
    else:
        state = _("grown since the last check") if chain.length > chain.verified_length else _("whole")
    if chain.verified_at is None:
        return f"{length}, {state}; " + _("never checked so far")
    checked = date_format(timezone.localtime(chain.verified_at), "SHORT_DATETIME_FORMAT")
    return f"{length}, {state}; " + _("last good check: %(date)s") % {"date": checked}
