"""Lessons and their versions in the admin. A version never changes; pages here decide what learners get of it."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from accounts.staff import staff_required
from core.admin_tools import BoundedCount, ReadOnlyAdmin, is_list, link
from lesson_engine import author_views, preview_views, upload_views
from lesson_engine.admin_filters import LessonFilter
from lesson_engine.catalogue import outline_of
from lesson_engine.lesson_overview import lesson_overview
from lesson_engine.models import Lesson, LessonVersion, Publication, Session
from lesson_engine.version_states import state_of, with_state

PUBLICATIONS_LISTED = 50

if TYPE_CHECKING:
    _Inline = admin.TabularInline[Any, Any]
else:  # generic for the type checker only
    _Inline = admin.TabularInline


class VersionInline(_Inline):
    """The versions of a lesson, each linked to its page."""

    model = LessonVersion
    fields = readonly_fields = ("number", "state", "language", "steps", "questions", "imported_at", "uploader")
    ordering = ("-number",)
    show_change_link = True
    can_delete = False
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[LessonVersion]:
        queryset: QuerySet[LessonVersion] = super().get_queryset(request).select_related("uploaded_by")
        return with_state(queryset).defer("source", "summary")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True  # on the page of a lesson, for whoever may see that

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description=_("state"))
    def state(self, version: LessonVersion) -> str:
        return str(state_of(version).label)

    @admin.display(description=_("uploaded by"))
    def uploader(self, version: LessonVersion) -> str | Promise:
        return _uploader(version)


class _AuthorsAdmin(ReadOnlyAdmin):
    """Rows that nobody edits, and pages beside them where authors act."""

    def author_path(self, route: str, view: Any, name: str) -> URLPattern:
        """The address of a page for authors; others are shown the way, learners are refused."""
        guarded = staff_required(self.admin_site.admin_view(view))
        return path(route, guarded, name=f"lesson_engine_{self.opts.model_name}_{name}")


@admin.register(Lesson)
class LessonAdmin(_AuthorsAdmin):
    list_display = ("slug", "current_title", "state", "versions", "sessions")
    ordering = ("slug",)
    sortable_by = ()
    search_fields = ("slug", "current__title")
    fields = readonly_fields = ("slug", "state", "sessions")
    inlines = (VersionInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Lesson]:
        queryset: QuerySet[Lesson] = super().get_queryset(request).select_related("current")
        return queryset.defer("current__source", "current__summary").annotate(
            version_count=BoundedCount(LessonVersion.objects.filter(lesson=OuterRef("pk"))),
            session_count=BoundedCount(Session.objects.filter(lesson=OuterRef("pk"))),
            was_published=Exists(Publication.objects.filter(lesson=OuterRef("pk"))),
        )

    def get_urls(self) -> list[URLPattern]:
        return [
            self.author_path("<int:lesson_id>/retire/", author_views.retire, "retire"),
            self.author_path("<int:lesson_id>/compare/", author_views.comparison, "compare"),
            self.author_path("<int:lesson_id>/answers/", author_views.lesson_answers, "answers"),
            *super().get_urls(),
        ]

    def page_context(self, request: HttpRequest, obj: Lesson) -> dict[str, Any]:
        return {"publications": _publications(lesson=obj)}

    @admin.display(description=_("title"))
    def current_title(self, lesson: Lesson) -> str:
        return lesson.current.title if lesson.current else ""

    @admin.display(description=_("state"))
    def state(self, lesson: Any) -> str | Promise:
        if lesson.current:
            return _("version %(number)s is published") % {"number": lesson.current.number}
        return pgettext_lazy("lesson", "retired") if lesson.was_published else _("only drafts")

    @admin.display(description=_("versions"))
    def versions(self, lesson: Any) -> str:
        return _filtered("lessonversion", lesson.slug, lesson.version_count)

    @admin.display(description=_("sessions"))
    def sessions(self, lesson: Any) -> str:
        return _filtered("session", lesson.slug, lesson.session_count)


@admin.register(LessonVersion)
class LessonVersionAdmin(_AuthorsAdmin):
    list_display = ("title", "lesson", "number", "state", "language", "steps", "questions", "imported_at")
    list_filter = (LessonFilter,)
    list_select_related = ("lesson",)
    ordering = ("-id",)
    sortable_by = ()
    search_fields = ("title", "sha256__exact")
    search_help_text = _("Words of the title, or a whole SHA-256")
    fields = readonly_fields = (
        *("lesson", "number", "title", "summary", "language", "extent", "imported_at", "uploader", "sha256", "file"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[LessonVersion]:
        queryset = with_state(super().get_queryset(request))
        if is_list(request):
            return queryset.defer("source", "summary")
        return queryset.select_related("uploaded_by").defer("source")

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.download)
        return [
            path("<int:version_id>/file/", view, name="lesson_engine_lessonversion_file"),
            self.author_path("upload/", upload_views.upload, "upload"),
            self.author_path("<int:version_id>/publish/", author_views.publish, "publish"),
            self.author_path("<int:version_id>/answers/", author_views.version_answers, "answers"),
            self.author_path("<int:version_id>/preview/", preview_views.preview, "preview"),
            self.author_path("<int:version_id>/preview/<slug:action>/", preview_views.preview_action, "preview_action"),
            *super().get_urls(),
        ]

    def page_context(self, request: HttpRequest, obj: LessonVersion) -> dict[str, Any]:
        return {
            "overview": lesson_overview(outline_of(obj.pk)),
            "publications": _publications(version=obj),
            "state": state_of(obj).value,
        }

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

    @admin.display(description=_("state"))
    def state(self, version: LessonVersion) -> str:
        return str(state_of(version).label)

    @admin.display(description=_("extent"))
    def extent(self, version: LessonVersion) -> str:
        counts = {"steps": version.steps, "n": version.questions}
        return (
            ngettext("%(steps)s steps with %(n)s question", "%(steps)s steps with %(n)s questions", counts["n"])
            % counts
        )

    @admin.display(description=_("uploaded by"))
    def uploader(self, version: LessonVersion) -> str | Promise:
        return _uploader(version)

    @admin.display(description=_("file"))
    def file(self, version: LessonVersion) -> str:
        url = reverse("admin:lesson_engine_lessonversion_file", args=[version.pk])
        return link(url, _("Download, byte for byte as it was uploaded"))


def _uploader(version: LessonVersion) -> str | Promise:
    return version.uploaded_by.get_username() if version.uploaded_by else _("a command")


def _publications(**of: Any) -> QuerySet[Publication]:
    """What was published and retired, the latest first."""
    rows = Publication.objects.filter(**of).select_related("version", "by").defer("version__source", "version__summary")
    return rows.order_by("-pk")[:PUBLICATIONS_LISTED]


def _filtered(model: str, slug: str, count: int) -> str:
    return link(f"{reverse(f'admin:lesson_engine_{model}_changelist')}?lesson={slug}", str(count))
