"""Lessons and sessions, to look at. Lessons come by `import_lesson`; what learners did is not edited by anyone."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import F, OuterRef, QuerySet
from django.forms import Media
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from core.admin_tools import AnyAdmin, BoundedCount, Lookups, ReadOnlyAdmin, ValueFilter, is_list, link
from gateway.contracts import Budget
from gateway.models import Account
from gateway.selectors import budget_of
from lesson_engine.catalogue import outline_of
from lesson_engine.lesson_overview import lesson_overview
from lesson_engine.models import Lesson, LessonVersion, Session
from lesson_engine.selectors import session_turns_page
from lesson_engine.services.sessions import BUDGET_SCOPE
from lesson_engine.timeline import timeline
from telemetry.selectors import events_of

LESSONS_LISTED = 100

if TYPE_CHECKING:
    _Inline = admin.TabularInline[Any, Any]
else:  # generic for the type checker only
    _Inline = admin.TabularInline


class _StyledAdmin(ReadOnlyAdmin):
    @property
    def media(self) -> Media:
        return super().media + Media(css={"all": ["andamio/admin.css"]})


class LessonFilter(ValueFilter):
    """By slug; also one that is not among those listed, when a link leads here."""

    title, parameter_name = _("lesson"), "lesson"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        slugs = Lesson.objects.order_by("slug").values_list("slug", flat=True)[:LESSONS_LISTED]
        return [(slug, slug) for slug in slugs]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        return queryset.filter(lesson__slug=value) if value else queryset


class VersionInline(_Inline):
    """The versions of a lesson, each linked to its page."""

    model = LessonVersion
    fields = readonly_fields = ("number", "language", "steps", "questions", "imported_at")
    ordering = ("-number",)
    show_change_link = True
    can_delete = False
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[LessonVersion]:
        queryset: QuerySet[LessonVersion] = super().get_queryset(request)
        return queryset.defer("source", "summary")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # on the page of a lesson, for whoever may see that

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Lesson)
class LessonAdmin(_StyledAdmin):
    list_display = ("slug", "current_title", "current_number", "versions", "sessions")
    ordering = ("slug",)
    sortable_by = ()
    search_fields = ("slug", "current__title")
    fields = readonly_fields = ("slug", "current", "sessions")
    inlines = (VersionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Lesson]:
        queryset: QuerySet[Lesson] = super().get_queryset(request).select_related("current")
        return queryset.defer("current__source", "current__summary").annotate(
            version_count=BoundedCount(LessonVersion.objects.filter(lesson=OuterRef("pk"))),
            session_count=BoundedCount(Session.objects.filter(lesson=OuterRef("pk"))),
        )

    @admin.display(description=_("title"))
    def current_title(self, lesson: Lesson) -> str:
        return lesson.current.title if lesson.current else ""

    @admin.display(description=_("current version"))
    def current_number(self, lesson: Lesson) -> int | None:
        return lesson.current.number if lesson.current else None

    @admin.display(description=_("versions"))
    def versions(self, lesson: Any) -> str:
        return _filtered("lessonversion", lesson.slug, lesson.version_count)

    @admin.display(description=_("sessions"))
    def sessions(self, lesson: Any) -> str:
        return _filtered("session", lesson.slug, lesson.session_count)


@admin.register(LessonVersion)
class LessonVersionAdmin(_StyledAdmin):
    list_display = ("title", "lesson", "number", "language", "steps", "questions", "imported_at")
    list_filter = (LessonFilter,)
    list_select_related = ("lesson",)
    ordering = ("-id",)
    sortable_by = ()
    search_fields = ("title", "sha256__exact")
    search_help_text = _("Words of the title, or a whole SHA-256")
    fields = readonly_fields = (
        *("lesson", "number", "title", "language", "summary", "steps", "questions", "imported_at", "sha256", "file"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[LessonVersion]:
        queryset: QuerySet[LessonVersion] = super().get_queryset(request).select_related("lesson")
        return queryset.defer("source", "summary") if is_list(request) else queryset.defer("source")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.download)
        return [path("<int:version_id>/file/", view, name="lesson_engine_lessonversion_file"), *super().get_urls()]

    def page_context(self, request: HttpRequest, obj: LessonVersion) -> dict[str, Any]:
        return {"overview": lesson_overview(outline_of(obj.pk))}

    def download(self, request: HttpRequest, version_id: int) -> HttpResponse:
        """The bytes as they were uploaded."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        version = LessonVersion.objects.select_related("lesson").filter(pk=version_id).first()
        if version is None:
            raise Http404
        name = f"{version.lesson.slug}-{version.number}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return HttpResponse(bytes(version.source), content_type="application/json", headers=headers)

    @admin.display(description=_("file"))
    def file(self, version: LessonVersion) -> str:
        url = reverse("admin:lesson_engine_lessonversion_file", args=[version.pk])
        return link(url, _("Download, byte for byte as it was uploaded"))


@admin.register(Session)
class SessionAdmin(_StyledAdmin):
    list_display = ("learner", "lesson", "version_number", "mode", "status", "progress", "active_at")
    list_filter = (LessonFilter, "mode", "status")
    list_select_related = ("user", "lesson", "lesson_version")
    ordering = ("-started_at",)
    sortable_by = ()
    search_fields = ("user__username__exact",)  # what is searched is decided in get_search_results
    search_help_text = _("A whole user name, or a session's whole id")
    fields = readonly_fields = (
        *("learner", "lesson", "lesson_version", "mode", "status", "outcomes", "started_at", "active_at"),
        *("finished_at", "turn_count", "budget", "chain"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Session]:
        """Of the state only how each question went; of the version only what is shown of it."""
        queryset: QuerySet[Session] = super().get_queryset(request).select_related(*self.list_select_related)
        slim = queryset.defer("state", "lesson_version__source", "lesson_version__summary")
        return slim.annotate(records=F("state__asks"))

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
        asked = request.GET.get("page", "")
        turns = session_turns_page(obj, int(asked) if asked.isdecimal() and len(asked) < 7 else 1)
        return {"timeline": timeline(outline_of(obj.lesson_version_id), turns)}

    @admin.display(description=_("learner"))
    def learner(self, session: Session) -> str:
        name = session.user.get_username()
        return _("%(name)s (guest)") % {"name": name} if session.user.is_guest else name

    @admin.display(description=_("version"))
    def version_number(self, session: Session) -> int:
        return session.lesson_version.number

    @admin.display(description=_("progress"))
    def progress(self, session: Session) -> str:
        return _("%(done)s of %(all)s, %(mastered)s right") % _progress(session)

    @admin.display(description=_("progress"))
    def outcomes(self, session: Session) -> str:
        text = _("%(done)s of %(all)s questions: %(mastered)s right, %(shown)s shown, %(skipped)s skipped")
        return text % _progress(session)

    @admin.display(description=_("turns"))
    def turn_count(self, session: Session) -> int:
        return session.version

    @admin.display(description=_("budget"))
    def budget(self, session: Session) -> str | Promise:
        try:
            budget = budget_of(BUDGET_SCOPE, str(session.pk))
        except Account.DoesNotExist:
            return _("No account was opened.")
        return link(f"{reverse('admin:gateway_account_changelist')}?q={session.pk}", _budget_in_words(budget))

    @admin.display(description=_("audit chain"))
    def chain(self, session: Session) -> str:
        length = events_of(str(session.pk)).values_list("seq", flat=True).last() or 0
        return link(
            f"{reverse('admin:telemetry_event_changelist')}?q={session.pk}",
            ngettext("%(n)s event", "%(n)s events", length) % {"n": length},
        )


def _progress(session: Any) -> dict[str, int]:
    """Questions of a session by how they ended; `records` is what `SessionAdmin.get_queryset` takes from its state."""
    ended = [record.get("outcome", "open") for record in (session.records or {}).values()]
    counts = {name: ended.count(name) for name in ("mastered", "shown", "skipped")}
    return {"done": sum(counts.values()), "all": session.lesson_version.questions, **counts}


def _budget_in_words(budget: Budget) -> str:
    text = _("%(left)s of %(limit)s cents left; %(used)s of %(escalations)s escalations used")
    return text % {
        "left": f"{budget.left_cents:g}",
        "limit": f"{budget.limit_cents:g}",
        "used": budget.escalations_used,
        "escalations": budget.escalations_limit,
    }


def _filtered(model: str, slug: str, count: int) -> str:
    return link(f"{reverse(f'admin:lesson_engine_{model}_changelist')}?lesson={slug}", str(count))
