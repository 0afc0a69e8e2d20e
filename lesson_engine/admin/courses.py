"""Courses in the admin: staff make them, and put their lessons in order."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Count, ForeignKey, Model, Q, QuerySet
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from core.admin.tools import AnyAdmin, AnyInline, column, is_staff, link
from lesson_engine.models import Course, CourseLesson, Lesson
from lesson_engine.services.courses import course_order

# Django's classes take a type only when they are checked, not when they run.
if TYPE_CHECKING:
    _FormSet = BaseInlineFormSet[Any, Any, Any]
    _Form = ModelForm[Any]
else:
    _FormSet, _Form = BaseInlineFormSet, ModelForm

LAST = 32_767
"""Where a lesson without a number goes; the largest that a position may be."""


class PlaceForm(_Form):
    """A lesson and its number. The numbers only give the order: they may leave gaps, be equal, or be left out."""

    position = forms.IntegerField(label=_("position"), min_value=1, max_value=LAST, required=False)

    class Meta:
        model = CourseLesson
        fields = ("position", "lesson")

    def validate_constraints(self) -> None:
        """Nothing to hold here: lessons that change places are no conflict, and one named twice is refused below."""

    def clean_position(self) -> int:
        return self.cleaned_data["position"] or LAST


class PlaceFormSet(_FormSet):
    """The lessons of a course, which are kept together, in the order of their numbers."""

    def validate_unique(self) -> None:
        chosen = [row["lesson"].slug for row in self._rows()]
        if twice := sorted({slug for slug in chosen if chosen.count(slug) > 1}):
            raise ValidationError(_now("A lesson stands in the course twice: %(slugs)s") % {"slugs": ", ".join(twice)})

    def in_order(self) -> list[str]:
        """Slugs in the order of the numbers; equal ones in that of the form."""
        return [row["lesson"].slug for row in sorted(self._rows(), key=lambda row: row["position"])]

    def _rows(self) -> list[dict[str, Any]]:
        """What stays, as far as it is valid."""
        deleted = self.deleted_forms
        rows = (form.cleaned_data for form in self.forms if form not in deleted and form.is_valid())
        return [row for row in rows if row.get("lesson")]


class _OfStaff:
    """Any of the staff may change it: a course changes nothing of what learners did."""

    def has_module_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_staff(request)

    has_view_permission = has_add_permission = has_change_permission = has_delete_permission = has_module_permission


class PlaceInline(_OfStaff, AnyInline):
    model, form, formset = CourseLesson, PlaceForm, PlaceFormSet
    ordering = ("position",)
    extra = 3
    verbose_name_plural = _("lessons in their order")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CourseLesson]:
        queryset: QuerySet[CourseLesson] = super().get_queryset(request).select_related("lesson")
        return queryset

    def formfield_for_foreignkey(self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any) -> Any:
        """The lessons with their titles, asked for once and not once a row."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "lesson" and field is not None:
            lessons = Lesson.objects.order_by("slug").values_list("pk", "slug", "current__title")
            retired = _now("%(slug)s (not on offer)")
            names = ((pk, f"{slug} · {title}" if title else retired % {"slug": slug}) for pk, slug, title in lessons)
            field.choices = [("", "---------"), *names]
        return field


@admin.register(Course)
class CourseAdmin(_OfStaff, AnyAdmin):
    list_display = ("title", "slug", "language", "path", "page")
    ordering = ("title",)
    search_fields = ("title", "slug")
    fields = ("title", "slug", "language", "summary")
    inlines = (PlaceInline,)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Course]:
        on_offer = Q(places__lesson__current__isnull=False)
        queryset: QuerySet[Course] = super().get_queryset(request)
        return queryset.annotate(place_count=Count("places"), offered=Count("places", filter=on_offer))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """The lessons are set together: row by row, two that change places would be in each other's way."""
        course_order(course=form.instance, lessons=formset.in_order())
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []

    @admin.display(description=_("lessons"))
    def path(self, course: Any) -> str:
        if course.offered == course.place_count:
            return str(course.place_count)
        counts = {"all": course.place_count, "offered": course.offered}
        return _now("%(all)s, of which %(offered)s on offer") % counts

    page = column(
        _("page"), lambda course: link(reverse("lesson_engine:course", args=[course.slug]), _("As learners see it"))
    )
