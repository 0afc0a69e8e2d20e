"""Filters of the lists of the consult. None asks a whole table for its values."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import F, Model, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.admin.tools import AnyAdmin, Lookups, ValueFilter
from routing.models import CONFIDENCE_LABELS, DOMAIN_LABELS, MODE_LABELS, PHASES, AuditEntry, LabelledExample
from routing.understanding.flags import KNOWN_FLAGS

LANGUAGES: dict[str, Promise] = {"es": _("Spanish"), "en": _("English")}


class _OneOf(ValueFilter):
    """One of the values of a column; any other value in the address is ignored."""

    labels: ClassVar[Mapping[Any, Any]]
    lookup: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(str(value), label) for value, label in self.labels.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value is None or value not in map(str, self.labels):
            return queryset
        return queryset.filter(**{self.lookup: [value] if self.lookup.endswith("__contains") else value})


def _one_of(title: Any, lookup: str, labels: Mapping[Any, Any], parameter: str = "") -> type[_OneOf]:
    """A filter by a column, which names the parameter where none is given; `__contains` for one with several values."""
    values = {"title": title, "parameter_name": parameter or lookup, "lookup": lookup, "labels": labels}
    return type(f"{(parameter or lookup).title()}Filter", (_OneOf,), values)


_PLAN_FLAGS = {name: flag.title for name, flag in KNOWN_FLAGS.items() if "plan" in flag.seen_on}
ConfidenceFilter = _one_of(_("confidence"), "confidence", CONFIDENCE_LABELS)
ModeFilter = _one_of(_("mode"), "mode", MODE_LABELS)
LanguageFilter = _one_of(_("language"), "question__language", LANGUAGES, "language")
PhaseFilter = _one_of(_("phase"), "phase", {phase: str(phase) for phase in PHASES})
DomainFilter = _one_of(_("domain"), "domains__contains", DOMAIN_LABELS, "domain")
FlagFilter = _one_of(_("flag"), "flags__contains", _PLAN_FLAGS, "flag")
StatusFilter = _one_of(_("status"), "status", dict(AuditEntry.Status.choices))
ExampleStateFilter = _one_of(_("state"), "state", dict(LabelledExample.State.choices))
SaidDomainFilter = _one_of(_("is about"), "domain", DOMAIN_LABELS)


class CorrectedFilter(admin.SimpleListFilter):
    """By whether a plan was corrected or is a correction."""

    title, parameter_name = _("corrected"), "corrected"
    _CONDITIONS: ClassVar = {
        "yes": Q(corrected_by__isnull=False),
        "correction": Q(corrects__isnull=False),
        "no": Q(corrected_by__isnull=True, corrects__isnull=True),
    }

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [("yes", _("Corrected")), ("correction", _("Corrects another")), ("no", _("Neither"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        condition = self._CONDITIONS.get(self.value() or "")
        return queryset.filter(condition) if condition else queryset


class AgeFilter(admin.SimpleListFilter):
    """By time; a date hierarchy would read every row to find the years."""

    title, parameter_name = _("time"), "hours"
    _HOURS: ClassVar = {"1": _("Last hour"), "24": _("Last day"), "168": _("Last 7 days"), "720": _("Last 30 days")}

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return list(self._HOURS.items())

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        if value not in self._HOURS:
            return queryset
        column = "timestamp" if queryset.model is AuditEntry else "created_at"
        return queryset.filter(**{f"{column}__gte": timezone.now() - timedelta(hours=int(str(value)))})


def chain_conditions(prefix: str = "") -> dict[str, Q]:
    """The conditions of the states of a chain; `prefix` leads to its head."""
    broken, length, verified = f"{prefix}broken_at", f"{prefix}length", f"{prefix}verified_length"
    never = f"{prefix}verified_at__isnull"
    return {
        "broken": Q(**{f"{broken}__isnull": False}),
        "never": Q(**{broken: None, never: True}),
        "due": Q(**{broken: None, never: False, f"{length}__gt": F(verified)}),
        "whole": Q(**{broken: None, never: False, length: F(verified)}),
    }


class ChainStateFilter(admin.SimpleListFilter):
    """By the outcome of the last check of a chain."""

    title, parameter_name = _("chain"), "state"

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [
            ("broken", pgettext_lazy("chain", "Broken")),
            ("never", capfirst(_("never checked so far"))),
            ("due", _("Grown since the last check")),
            ("whole", pgettext_lazy("chain", "Whole")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        model: type[Model] = queryset.model
        condition = chain_conditions("chain__" if model is AuditEntry else "").get(self.value() or "")
        return queryset.filter(condition) if condition is not None else queryset
