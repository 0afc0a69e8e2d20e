"""What pages and lists of the administration share; each filter works together with any other."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.staff.access import staff_required
from core.admin.tools import AnyAdmin, Lookups, ReadOnlyAdmin, ValueFilter, column, link
from lesson_engine.models import Course, Lesson, QuestionReport

LISTED = 100


class StaffPagesAdmin(ReadOnlyAdmin):
    """Rows that are not edited, with pages on which staff act."""

    def staff_path(self, route: str, view: Any, name: str) -> URLPattern:
        """The address of a page for staff; others are sent to sign in, learners are refused."""
        guarded = staff_required(self.admin_site.admin_view(view))
        return path(route, guarded, name=f"lesson_engine_{self.opts.model_name}_{name}")


class QuestionAdmin(StaffPagesAdmin):
    """Rows about a question of a lesson version."""

    list_select_related: ClassVar[Any] = ("lesson_version__lesson", "by")
    sortable_by = ()
    search_fields = ("ask_code__exact",)
    search_help_text = _("A question's whole code")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        queryset: QuerySet[Any] = super().get_queryset(request).select_related(*self.list_select_related)
        return queryset.defer("lesson_version__source", "lesson_version__summary")

    lesson = column(_("lesson"), lambda row: f"{row.lesson_version.lesson.slug} · {row.lesson_version.number}")

    @admin.display(description=_("lesson version"))
    def version(self, row: Any) -> str:
        url = reverse("admin:lesson_engine_lessonversion_change", args=[row.lesson_version_id])
        return link(url, str(row.lesson_version))


if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList


class LessonFilter(ValueFilter):
    """By slug; also one that is not among those listed, when a link leads here."""

    title, parameter_name, column = _("lesson"), "lesson", "lesson__slug"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(slug, slug) for slug in Lesson.objects.order_by("slug").values_list("slug", flat=True)[:LISTED]]


class CourseFilter(ValueFilter):
    """By the course that the lesson belongs to."""

    title, parameter_name, column = _("course"), "course", "lesson__places__course__slug"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return list(Course.objects.order_by("title").values_list("slug", "title")[:LISTED])


class FlagsFilter(admin.ListFilter):
    """What staff look for in sessions. Each choice comes on top of the others; choosing it again takes it away."""

    title = _("what to look at")
    _FLAGS: ClassVar[dict[str, tuple[str | Promise, Q]]] = {
        "doubtful": (_("Verdicts in doubt"), Q(doubtful__gt=0)),
        "dead_ends": (_("Dead ends"), Q(dead_ends__gt=0)),
        "attacks": (_("Answers like attacks"), Q(attacks__gt=0)),
        "reported": (_("Reported questions"), Q(Exists(QuestionReport.objects.filter(session=OuterRef("pk"))))),
    }

    def __init__(
        self, request: HttpRequest, params: dict[str, list[str]], model: type[Any], model_admin: AnyAdmin
    ) -> None:
        super().__init__(request, params, model, model_admin)
        self.used_parameters = {name: params.pop(name)[-1] for name in self._FLAGS if name in params}
        self.wanted = [name for name, value in self.used_parameters.items() if value == "yes"]

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [*self._FLAGS]

    def choices(self, changelist: "ChangeList") -> Iterator[Any]:
        everything = changelist.get_query_string(remove=[*self._FLAGS])
        yield {"selected": not self.wanted, "query_string": everything, "display": _("All")}
        for name, (words, _condition) in self._FLAGS.items():
            wanted = name in self.wanted
            query = changelist.get_query_string(None if wanted else {name: "yes"}, [name] if wanted else None)
            yield {"selected": wanted, "query_string": query, "display": words}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(*(self._FLAGS[name][1] for name in self.wanted))


class VersionLessonFilter(LessonFilter):
    """The same of rows that refer to a version."""

    column = "lesson_version__lesson__slug"


class ReportStateFilter(ValueFilter):
    """Open ones unless something else is asked for: the list is a queue."""

    title, parameter_name = _("state"), "state"
    values = (*QuestionReport.State.choices, ("all", _("All")))

    def choices(self, changelist: "ChangeList") -> Iterator[Any]:
        chosen = self.value() or QuestionReport.State.OPEN.value
        for value, words in self.lookup_choices:
            query = changelist.get_query_string({"state": value})
            yield {"selected": value == chosen, "query_string": query, "display": words}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value() or QuestionReport.State.OPEN.value
        return queryset if value == "all" else queryset.filter(state=value)

    @staticmethod
    def all_wanted(request: HttpRequest) -> bool:
        """Whether the list is of every state."""
        return request.GET.get("state") == "all"


class ReportKindFilter(ValueFilter):
    title, parameter_name, values = _("reason"), "kind", QuestionReport.Kind.choices


class PeriodFilter(admin.ListFilter):
    """By the day a session began: `since` and `until`, both inclusive. What is no date is left out of account."""

    title = _("period")
    template = "admin/lesson_engine/session/period.html"
    _NAMES: ClassVar = ("since", "until")
    _PRESETS: ClassVar[tuple[tuple[str | Promise, int | None], ...]] = (
        (_("Any date"), None),
        (_("Today"), 0),
        (_("Last 7 days"), 6),
        (_("Last 30 days"), 29),
    )

    def __init__(
        self, request: HttpRequest, params: dict[str, list[str]], model: type[Any], model_admin: AnyAdmin
    ) -> None:
        super().__init__(request, params, model, model_admin)
        for name in self._NAMES:
            if values := params.pop(name, None):
                self.used_parameters[name] = values[-1]
        self.since, self.until = (_day(str(self.used_parameters.get(name, ""))) for name in self._NAMES)
        self.others: list[tuple[str, str]] = []

    def has_output(self) -> bool:
        return True

    def expected_parameters(self) -> list[str | None]:
        return [*self._NAMES]

    def choices(self, changelist: "ChangeList") -> Iterator[Any]:
        # For the form with two dates: it must send along what else the list is narrowed by.
        self.others = [
            (name, value)
            for name, values in self.request.GET.lists()
            for value in values
            if name not in (*self._NAMES, "p")
        ]
        today = timezone.localdate()
        for words, days in self._PRESETS:
            start = None if days is None else today - timedelta(days=days)
            new = {} if start is None else {"since": start.isoformat()}
            query = changelist.get_query_string(new, [*self._NAMES])
            yield {"selected": (self.since, self.until) == (start, None), "query_string": query, "display": words}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.since:
            queryset = queryset.filter(started_at__gte=_midnight(self.since))
        if self.until and self.until < date.max:
            queryset = queryset.filter(started_at__lt=_midnight(self.until + timedelta(days=1)))
        return queryset


def _day(text: str) -> date | None:
    try:
        return parse_date(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
