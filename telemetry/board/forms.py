"""What staff choose on the dashboard and for an export."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from telemetry.panels import Filters, courses

DAYS_AT_FIRST, DAYS_AT_MOST = 30, 3660
MODES: list[tuple[str, str | Promise]] = [
    ("", _("All modes")),
    ("deterministic", _("Deterministic")),
    ("adaptive", _("Adaptive")),
]


class DayField(forms.DateField):
    """A day that the browser lets people pick."""

    widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    default_validators = [MaxValueValidator(date(2999, 12, 31))]


class DaysForm(forms.Form):
    """A range of days. Empty or invalid, it means the last thirty."""

    since = DayField(label=_("From"))
    until = DayField(label=_("To"))

    def __init__(self, data: Mapping[str, str]) -> None:
        chosen = {name: data[name] for name in self.base_fields if data.get(name)}
        super().__init__({**usual_filters().model_dump(mode="json", include={"since", "until"}), **chosen})

    def clean(self) -> dict[str, Any]:
        """Days in order, and not so many that nothing could be seen."""
        cleaned: dict[str, Any] = super().clean() or {}
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day lies before the first one."))
        elif since and until and (until - since).days > DAYS_AT_MOST:
            self.add_error("since", _("At most ten years can be looked at."))
        return cleaned

    @property
    def filters(self) -> Filters:
        """What was chosen, as far as it makes sense."""
        if not self.is_valid():
            return usual_filters()
        return Filters(since=self.cleaned_data["since"], until=self.cleaned_data["until"])

    @property
    def query(self) -> str:
        """What was chosen, as a query string for the other page with these filters."""
        values = self.filters.model_dump(mode="json", exclude={"courses"})
        return urlencode({name: value for name, value in values.items() if value})


class FiltersForm(DaysForm):
    """Course, mode and days. Empty or invalid, it means the last thirty days of everything."""

    course = forms.ChoiceField(label=_("Course or lesson"), required=False)
    mode = forms.ChoiceField(label=_("Mode"), required=False, choices=MODES)
    field_order = ("course", "mode", "since", "until")

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        course, self._courses = self.fields["course"], courses()
        assert isinstance(course, forms.ChoiceField)
        grouped = groupby(self._courses, key=lambda choice: choice.group)
        choices = [(group, [(choice.code, choice.title) for choice in members]) for group, members in grouped]
        course.choices = [("", _("All")), *choices]

    @property
    def filters(self) -> Filters:
        """What was chosen, as far as it makes sense."""
        if not self.is_valid():
            return usual_filters()
        chosen = self.cleaned_data
        courses_meant = next((course.courses for course in self._courses if course.code == chosen["course"]), ())
        return Filters(
            course=chosen["course"],
            courses=courses_meant,
            mode=chosen["mode"],
            since=chosen["since"],
            until=chosen["until"],
        )


class ExportForm(FiltersForm):
    """The same, and in which form the events are wanted."""

    form = forms.ChoiceField(
        label=_("Form"), choices=[("jsonl", _("JSON Lines, as documented")), ("csv", _("CSV, for spreadsheets"))]
    )


def usual_filters() -> Filters:
    """The last thirty days with today, of all courses and modes."""
    today = datetime.now(UTC).date()
    return Filters(since=today - timedelta(days=DAYS_AT_FIRST - 1), until=today)
