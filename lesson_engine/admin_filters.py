"""What lists of the administration are narrowed by, each together with any other."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.admin_tools import AnyAdmin, Lookups, ValueFilter
from lesson_engine.models import Course, Lesson, QuestionReport

LISTED = 100

if TYPE_CHECKING:
    from django.contrib.admin.views.main import ChangeList

    _Sessions = QuerySet[Any]


class LessonFilter(ValueFilter):
    """By slug; also one that is not among those listed, when a link leads here."""

    title, parameter_name = _("lesson"), "lesson"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        slugs = Lesson.objects.order_by("slug").values_list("slug", flat=True)[:LISTED]
        return [(slug, slug) for slug in slugs]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(lesson__slug=value) if value else queryset


class CourseFilter(ValueFilter):
    """By the course that the lesson belongs to."""

    title, parameter_name = _("course"), "course"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return list(Course.objects.order_by("title").values_list("slug", "title")[:LISTED])

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(lesson__places__course__slug=value) if value else queryset


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

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(lesson_version__lesson__slug=value) if value else queryset


class ReportStateFilter(ValueFilter):
    """Open ones unless something else is asked for: the list is a queue."""

    title, parameter_name = _("state"), "state"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [*QuestionReport.State.choices, ("all", _("All"))]

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
    title, parameter_name = _("reason"), "kind"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return list(QuestionReport.Kind.choices)


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
            if given := params.pop(name, None):
                self.used_parameters[name] = given[-1]
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


def _day(given: str) -> date | None:
    try:
        return parse_date(given)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
