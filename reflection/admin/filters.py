"""Filters of the lists of reflections and patterns. None asks a whole table for its values."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.admin.tools import AnyAdmin, Lookups, ValueFilter
from planning.selectors import task_types
from reflection.contracts import Author, Decision
from reflection.models import AUTHOR_LABELS, DECISION_LABELS, PATTERN_STATE_LABELS, Reflection, ReflectionReview, Review

WAITS = Q(decision=Decision.ACCEPTED_WITH_WARNINGS, review=Review.NONE)
"""Those that wait for review: the condition of the index `reflection_to_review`."""
_QUEUE, _ALL, _OPEN = "waiting", "all", "none"


def is_queue(request: HttpRequest) -> bool:
    """Whether a list is of what waits for review: as it opens, without a search or another filter."""
    wanted = request.GET.get(ReviewFilter.parameter_name)
    return wanted == _QUEUE or (wanted is None and not request.GET.get("q") and "decision" not in request.GET)


class LabelFilter(ValueFilter):
    """A filter over an enumeration with labels."""

    labels: ClassVar[Mapping[Any, Any]]

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(member.value, label) for member, label in self.labels.items()]


class DecisionFilter(LabelFilter):
    title, parameter_name, labels = _("gate"), "decision", DECISION_LABELS


class ReviewFilter(admin.SimpleListFilter):
    """By the state of review; a list opens with those that wait for it."""

    title, parameter_name = _("review"), "review"

    def __init__(self, request: HttpRequest, params: dict[str, Any], model: Any, model_admin: AnyAdmin) -> None:
        super().__init__(request, params, model, model_admin)
        self._chosen = _QUEUE if is_queue(request) else self.value() or _ALL

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [
            (_QUEUE, pgettext_lazy("reflection", "waits for review")),
            *((value or _OPEN, label) for value, label in Review.choices),
            (_ALL, pgettext_lazy("reflections", "all")),
        ]

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Without the stock "All", which would be the queue."""
        for value, label in self.lookup_choices:
            query = changelist.get_query_string({str(self.parameter_name): value})
            yield {"selected": value == self._chosen, "query_string": query, "display": label}

    def queryset(self, request: HttpRequest, queryset: QuerySet[Reflection]) -> QuerySet[Reflection]:
        if self._chosen == _QUEUE:
            return queryset.filter(WAITS)
        if self._chosen == _OPEN:
            return queryset.filter(review=Review.NONE)
        return queryset.filter(review=self._chosen) if self._chosen in Review.values else queryset


class TaskTypeFilter(ValueFilter):
    title, parameter_name = _("task type"), "task_type"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(name, name) for name in task_types()]


class AuthorFilter(LabelFilter):
    """By the author of the attempt that counts."""

    title, parameter_name, labels = _("written by"), "author", AUTHOR_LABELS

    def queryset(self, request: HttpRequest, queryset: QuerySet[Reflection]) -> QuerySet[Reflection]:
        value = self.value()
        if value == Author.STAFF:  # few, among many: they are found by the reviews that wrote them
            edits = ReflectionReview.objects.filter(action=ReflectionReview.Action.EDIT)
            return queryset.filter(pk__in=edits.values("reflection"))
        return queryset.filter(kept__author=value) if value in set(Author) else queryset


class DomainFilter(TaskTypeFilter):
    parameter_name = "domain"


class PatternStateFilter(LabelFilter):
    title, parameter_name, labels = _("state"), "state", PATTERN_STATE_LABELS
