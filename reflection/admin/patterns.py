"""Patterns in the administration: each with its figures and its episodes."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from core.admin.tools import ROWS_SHOWN, ReadOnlyAdmin, is_list, moment
from core.contracts import uuid_of
from reflection.admin.filters import DomainFilter, PatternStateFilter
from reflection.admin.values import episodes_named, pattern_view
from reflection.models import Pattern
from reflection.patterns import pattern_recounted
from reflection.selectors import episodes_of, pattern_of

_SHOWN = 100


@admin.register(Pattern)
class PatternAdmin(ReadOnlyAdmin):
    list_display = ("validated", "text_short", "state", "seen", "confidence_shown", "lower_shown", "domain", "user")
    list_display_links = ("text_short",)
    list_filter = (PatternStateFilter, DomainFilter)
    list_select_related = ("user",)
    ordering = ("-validated_at",)
    sortable_by = ()
    search_fields = ("domain__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("A user's whole name, a pattern's whole id, or words of the latest 10,000")
    fields = readonly_fields = ("user", "domain", "language", "since", "validated")
    change_form_template = "admin/reflection/pattern/change_form.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pattern]:
        rows: QuerySet[Pattern] = super().get_queryset(request).select_related("user")
        return rows.defer("condition") if is_list(request) else rows

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Pattern], search_term: str
    ) -> tuple[QuerySet[Pattern], bool]:
        """By user or id, each by its index; else by words, in the latest rows alone."""
        term = search_term.strip().replace("\0", "")
        if not term:
            return queryset, False
        if (pattern_id := uuid_of(term)) is not None:
            return queryset.filter(pk=pattern_id), False
        person = User.objects.filter(username__iexact=term).values_list("pk", flat=True).first()
        if person is not None:
            return queryset.filter(user_id=person), False
        latest = Pattern.objects.order_by("-validated_at").values("pk")[:ROWS_SHOWN]
        return queryset.filter(Q(text__icontains=term) | Q(outcome__icontains=term), pk__in=latest), False

    def page_context(self, request: HttpRequest, obj: Pattern) -> dict[str, Any]:
        stored = pattern_of(obj)
        now = pattern_recounted(stored, episodes_of(obj.user_id, obj.domain))
        shown = stored.model_copy(update={"episodes": now.episodes, "contrary_episodes": now.contrary_episodes})
        figures = (stored.support, stored.contrary, stored.total)
        return {
            "title": _("Pattern"),
            "subtitle": Truncator(obj.text).chars(_SHOWN),
            "pattern": pattern_view(shown, episodes_named(obj.user_id, [shown]), in_attempt=False),
            "language": obj.language,
            "now": now if (now.support, now.contrary, now.total) != figures else None,
        }

    @admin.display(description=_("pattern"))
    def text_short(self, pattern: Pattern) -> str:
        return Truncator(pattern.text).chars(_SHOWN)

    @admin.display(description=_("seen in"))
    def seen(self, pattern: Pattern) -> str:
        words = pgettext_lazy("episodes", "%(support)s of %(total)s")
        return words % {"support": pattern.support, "total": pattern.total}

    @admin.display(description=_("confidence"))
    def confidence_shown(self, pattern: Pattern) -> str:
        return number_format(round(pattern.confidence, 2), 2)

    @admin.display(description=_("lower bound"))
    def lower_shown(self, pattern: Pattern) -> str:
        return number_format(round(pattern.lower_bound, 2), 2)

    @admin.display(description=_("since"))
    def since(self, pattern: Pattern) -> str:
        return moment(pattern.created_at)

    @admin.display(description=_("last validated"))
    def validated(self, pattern: Pattern) -> str:
        return moment(pattern.validated_at)
