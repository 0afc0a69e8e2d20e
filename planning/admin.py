"""The plan cache in the administration: what is in it, how often it served, and taking an entry out."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.staff.access import staff_of
from core.admin.tools import AnyAdmin, Lookups, ReadOnlyAdmin, ReasonForm, is_list, link, moment
from planning.cache import evict
from planning.models import CachedPlan
from planning.selectors import name_planned_for


class StateFilter(admin.SimpleListFilter):
    title, parameter_name = _("state"), "state"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("serves", _("may serve")), ("quarantined", _("quarantined")), ("expired", _("expired"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[CachedPlan]) -> QuerySet[CachedPlan]:
        now = timezone.now()
        if self.value() == "quarantined":
            return queryset.filter(quarantined_at__isnull=False)
        if self.value() == "expired":
            return queryset.filter(expires_at__lte=now)
        return queryset.filter(quarantined_at=None, expires_at__gt=now) if self.value() == "serves" else queryset


@admin.register(CachedPlan)
class CachedPlanAdmin(ReadOnlyAdmin):
    """Plans that may serve similar tasks of the same person, for an hour."""

    list_display = ("expires", "task_short", "state", "hits", "hit", "who")
    list_display_links = ("task_short",)
    list_filter = (StateFilter,)
    ordering = ("-id",)
    sortable_by = ()
    fields = (
        *("task", "task_type", "language", "who", "state", "hits", "last_hit_at"),
        *("created_at", "expires_at", "quarantined_at", "embedder", "facts_shown"),
    )
    readonly_fields = fields
    change_form_template = "admin/planning/cachedplan/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[CachedPlan]:
        """With the task of its plan and whom it is for, and without what is long and not shown."""
        rows = super().get_queryset(request).select_related("plan__user")
        hidden = {"embedding", "facts"} if is_list(request) else {"embedding"}
        shown = (field.name for field in self.opts.fields if field.name not in hidden)
        return rows.only(*shown, "plan__task", "plan__owner", "plan__user__username")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.evict_page)
        return [path("<int:object_id>/evict/", view, name="planning_cachedplan_evict"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: CachedPlan) -> dict[str, Any]:
        return {"evict_url": reverse("admin:planning_cachedplan_evict", args=[obj.pk])}

    @admin.display(description=_("task"))
    def task_short(self, entry: CachedPlan) -> str:
        return str(entry)

    @admin.display(description=_("task"))
    def task(self, entry: CachedPlan) -> str:
        return link(reverse("admin:planning_plan_change", args=[entry.plan_id]), str(entry.plan))

    @admin.display(description=_("for"))
    def who(self, entry: CachedPlan) -> str:
        return name_planned_for(entry.plan)

    @admin.display(description=_("state"))
    def state(self, entry: CachedPlan) -> str | Promise:
        if entry.quarantined_at is not None:
            return pgettext_lazy("cached plan", "quarantined")
        expired = entry.expires_at <= timezone.now()
        return pgettext_lazy("cached plan", "expired") if expired else pgettext_lazy("cached plan", "may serve")

    @admin.display(description=_("last hit"))
    def hit(self, entry: CachedPlan) -> str:
        return moment(entry.last_hit_at) if entry.last_hit_at else ""

    @admin.display(description=_("expires"))
    def expires(self, entry: CachedPlan) -> str:
        return moment(entry.expires_at)

    @admin.display(description=_("must agree"))
    def facts_shown(self, entry: CachedPlan) -> str:
        """In the canonical forms of the data files, which are what is compared."""
        facts = [(name, values) for name, values in entry.facts.items() if values]
        return "; ".join(f"{name}: {', '.join(map(str, values))}" for name, values in facts)

    def evict_page(self, request: HttpRequest, object_id: int) -> HttpResponse:
        """Asks for the reason, and takes the entry out."""
        by = staff_of(self, request)
        entry = self.get_queryset(request).filter(pk=object_id).first()
        if entry is None:
            raise Http404
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            if evict(entry_id=entry.pk, by=by, reason=form.cleaned_data["reason"]):
                self.message_user(request, _("The plan serves no other task any more."), messages.SUCCESS)
            else:
                self.message_user(request, _("It had gone from the cache already."), messages.WARNING)
            return redirect("admin:planning_cachedplan_changelist")
        context = {
            **self.admin_site.each_context(request),
            "title": _("Take this plan out of the cache?"),
            "opts": self.opts,
            "form": form,
            "entry": entry,
            "back": reverse("admin:planning_cachedplan_change", args=[entry.pk]),
        }
        template = "admin/planning/cachedplan/evict.html"
        return TemplateResponse(request, template, context, status=422 if form.errors else 200)
