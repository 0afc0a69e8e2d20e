"""What lists of the consult are narrowed by. None of it asks a whole table which values there are."""

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

from core.admin_tools import AnyAdmin, Lookups, ValueFilter
from routing.flags import KNOWN_FLAGS
from routing.models import CONFIDENCE_LABELS, DOMAIN_LABELS, MODE_LABELS, PHASES, AuditEntry, LabelledExample

LANGUAGES: dict[str, Promise] = {"es": _("Spanish"), "en": _("English")}


class _OneOf(ValueFilter):
    """One of the values of a column; anything else in the address is as if nothing were asked for."""

    labels: ClassVar[dict[Any, Any]]
    lookup: ClassVar[str]

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [(str(value), label) for value, label in self.labels.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        value = self.value()
        known = value in {str(one) for one in self.labels}
        return queryset.filter(**{self.lookup: self.wanted(str(value))}) if known else queryset

    def wanted(self, value: str) -> Any:
        """What the lookup is given."""
        return value


class ConfidenceFilter(_OneOf):
    """By how sure a plan is."""

    title, parameter_name, lookup, labels = _("confidence"), "confidence", "confidence", CONFIDENCE_LABELS


class ModeFilter(_OneOf):
    """By mode."""

    title, parameter_name, lookup, labels = _("mode"), "mode", "mode", MODE_LABELS


class LanguageFilter(_OneOf):
    """By the language of the question."""

    title, parameter_name, lookup, labels = _("language"), "language", "question__language", LANGUAGES


class PhaseFilter(_OneOf):
    """By the phase that a plan was made in."""

    title, parameter_name, lookup = _("phase"), "phase", "phase"
    labels: ClassVar[dict[Any, Any]] = {phase: str(phase) for phase in PHASES}


class _Holds(_OneOf):
    """One of the values of a column that has several."""

    def wanted(self, value: str) -> list[str]:
        return [value]


class DomainFilter(_Holds):
    """By domain, be it the first of the plan or not."""

    title, parameter_name, lookup, labels = _("domain"), "domain", "domains__contains", DOMAIN_LABELS


class FlagFilter(_Holds):
    """By flag."""

    title, parameter_name, lookup = _("flag"), "flag", "flags__contains"
    labels: ClassVar[dict[Any, Any]] = {
        name: known.title for name, known in KNOWN_FLAGS.items() if "plan" in known.seen_on
    }


class CorrectedFilter(admin.SimpleListFilter):
    """By whether somebody said that a plan is wrong."""

    title, parameter_name = _("corrected"), "corrected"
    _CONDITIONS: ClassVar = {
        "yes": Q(corrected_by__isnull=False),
        "correction": Q(corrects__isnull=False),
        "no": Q(corrected_by__isnull=True, corrects__isnull=True),
    }

    def lookups(self, request: HttpRequest, model_admin: AnyAdmin) -> Lookups:
        return [
            ("yes", _("Corrected")),
            ("correction", _("Corrects another")),
            ("no", _("Neither")),
        ]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        condition = self._CONDITIONS.get(self.value() or "")
        return queryset.filter(condition) if condition else queryset


class AgeFilter(admin.SimpleListFilter):
    """Instead of a date hierarchy, which reads every row to find the years."""

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


class StatusFilter(_OneOf):
    """By how it ended."""

    title, parameter_name, lookup = _("status"), "status", "status"
    labels: ClassVar[dict[Any, Any]] = dict(AuditEntry.Status.choices)


class ExampleStateFilter(_OneOf):
    """By what staff said."""

    title, parameter_name, lookup = _("state"), "state", "state"
    labels: ClassVar[dict[Any, Any]] = dict(LabelledExample.State.choices)


class SaidDomainFilter(_OneOf):
    """By what somebody says a question is about."""

    title, parameter_name, lookup, labels = _("is about"), "domain", "domain", DOMAIN_LABELS


def chain_conditions(prefix: str = "") -> dict[str, Q]:
    """How a chain stands, by its head, which is `prefix` away."""
    broken, length, verified = f"{prefix}broken_at", f"{prefix}length", f"{prefix}verified_length"
    never = f"{prefix}verified_at__isnull"
    return {
        "broken": Q(**{f"{broken}__isnull": False}),
        "never": Q(**{broken: None, never: True}),
        "due": Q(**{broken: None, never: False, f"{length}__gt": F(verified)}),
        "whole": Q(**{broken: None, never: False, length: F(verified)}),
    }


class ChainStateFilter(admin.SimpleListFilter):
    """By what the last check of a chain found."""

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
