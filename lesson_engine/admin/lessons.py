"""Lessons and their versions in the admin. A version never changes; pages here decide what learners get of it."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from core.admin.tools import AnyInline, BoundedCount, column, is_list, link
from lesson_engine.admin.base import LessonFilter, StaffPagesAdmin
from lesson_engine.authoring import preview, trials, upload
from lesson_engine.authoring import views as author_views
from lesson_engine.authoring.overview import lesson_overview
from lesson_engine.authoring.pages import state_of, with_state
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, LessonVersion, Publication, Session

PUBLICATIONS_LISTED = 50


class _VersionColumns:
    """Columns of both lists of versions."""

    state = column(_("state"), lambda version: str(state_of(version).label))

    uploader = column(
        _("uploaded by"), lambda version: version.uploaded_by.get_username() if version.uploaded_by else _("a command")
    )


class VersionInline(_VersionColumns, AnyInline):
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
        return True  # on the page of a lesson, which has its own permission

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Lesson)
class LessonAdmin(StaffPagesAdmin):
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
            self.staff_path("<int:lesson_id>/retire/", author_views.retire, "retire"),
            self.staff_path("<int:lesson_id>/compare/", author_views.comparison, "compare"),
            self.staff_path("<int:lesson_id>/answers/", author_views.lesson_answers, "answers"),
            *super().get_urls(),
        ]

    def page_context(self, request: HttpRequest, obj: Lesson) -> dict[str, Any]:
        return {"publications": _publications(lesson=obj)}

    current_title = column(_("title"), lambda lesson: lesson.current.title if lesson.current else "")

    @admin.display(description=_("state"))
    def state(self, lesson: Any) -> str | Promise:
        if lesson.current:
            return _("version %(number)s is published") % {"number": lesson.current.number}
        return pgettext_lazy("lesson", "retired") if lesson.was_published else _("only drafts")

    versions = column(_("versions"), lambda lesson: _filtered("lessonversion", lesson.slug, lesson.version_count))

    sessions = column(_("sessions"), lambda lesson: _filtered("session", lesson.slug, lesson.session_count))


@admin.register(LessonVersion)
class LessonVersionAdmin(_VersionColumns, StaffPagesAdmin):
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
            self.staff_path("upload/", upload.upload, "upload"),
            self.staff_path("<int:version_id>/publish/", author_views.publish, "publish"),
            self.staff_path("<int:version_id>/answers/", author_views.version_answers, "answers"),
            self.staff_path("<int:version_id>/trial/", trials.version_trial, "trial"),
            self.staff_path("<int:version_id>/trial/<slug:code>/", trials.version_question_trial, "question_trial"),
            self.staff_path("<int:version_id>/preview/", preview.preview, "preview"),
            self.staff_path("<int:version_id>/preview/<slug:action>/", preview.preview_action, "preview_action"),
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

    @admin.display(description=_("extent"))
    def extent(self, version: LessonVersion) -> str:
        counts = {"steps": version.steps, "n": version.questions}
        return (
            ngettext("%(steps)s steps with %(n)s question", "%(steps)s steps with %(n)s questions", counts["n"])
            % counts
        )

    @admin.display(description=_("file"))
    def file(self, version: LessonVersion) -> str:
        url = reverse("admin:lesson_engine_lessonversion_file", args=[version.pk])
        return link(url, _("Download, byte for byte as it was uploaded"))


def _publications(**of: Any) -> QuerySet[Publication]:
    """What was published and retired, the latest first."""
    rows = Publication.objects.filter(**of).select_related("version", "by").defer("version__source", "version__summary")
    return rows.order_by("-pk")[:PUBLICATIONS_LISTED]


def _filtered(model: str, slug: str, count: int) -> str:
    return link(f"{reverse(f'admin:lesson_engine_{model}_changelist')}?lesson={slug}", str(count))
