"""Versions of packs in the administration, with the texts and examples of each domain."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pydantic import ValidationError

from core.admin.tools import ROWS_SHOWN, BoundedCount, ReadOnlyAdmin, is_list, moment
from language.detect import language_of
from routing.admin.filters import LANGUAGES
from routing.admin.values import pretty
from routing.models import PackVersion, QueryPlan
from routing.packs.pack import DomainPack, Pack

_EVERY_LANGUAGE = pgettext_lazy("pack", "every language")


@dataclass(frozen=True)
class TextView:
    """A text of a pack with its language; "" is every language."""

    language: str
    name: str | Promise
    text: str


@dataclass(frozen=True)
class DomainView:
    """A domain of a pack. `counts` are examples by language, in the order of `PackView.languages`."""

    key: str
    titles: Sequence[TextView]
    use_when: Sequence[TextView]
    not_when: Sequence[TextView]
    keywords: Sequence[str]
    examples: Mapping[str, Sequence[str]]
    counts: Sequence[int]

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True)
class PackView:
    """A pack as its page shows it. `outside` are sentences that belong to none of its domains."""

    languages: Sequence[str | Promise]
    domains: Sequence[DomainView]
    outside: Mapping[str, Sequence[str]]
    totals: Sequence[int]

    @property
    def total(self) -> int:
        return sum(self.totals)

    @property
    def outside_total(self) -> int:
        return sum(len(sentences) for sentences in self.outside.values())


@admin.register(PackVersion)
class PackVersionAdmin(ReadOnlyAdmin):
    list_display = ("name", "version", "digest_short", "first_used", "plans_made")
    ordering = ("-created_at",)
    sortable_by = ()
    search_fields = ("name__exact", "digest__exact")
    search_help_text = _("A pack's whole name, or its whole SHA-256")
    fields = readonly_fields = ("name", "version", "digest", "first_used", "plans_made")
    change_form_template = "admin/routing/packversion/change_form.html"
    change_list_template = "admin/routing/change_list.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PackVersion]:
        rows: QuerySet[PackVersion] = super().get_queryset(request)
        rows = rows.annotate(plans=BoundedCount(QueryPlan.objects.filter(pack=OuterRef("pk"))))
        return rows.defer("content") if is_list(request) else rows

    def page_context(self, request: HttpRequest, obj: PackVersion) -> dict[str, Any]:
        shown = _shown(obj)
        raw = "" if shown else pretty(obj.content)
        return {"title": _("Pack version"), "subtitle": str(obj), "pack": shown, "raw": raw}

    @admin.display(description=_("SHA-256"))
    def digest_short(self, row: PackVersion) -> str:
        return f"{row.digest[:12]}…"

    @admin.display(description=_("first used"))
    def first_used(self, row: PackVersion) -> str:
        return moment(row.created_at)

    @admin.display(description=_("plans made"))
    def plans_made(self, row: PackVersion) -> int | str | Promise:
        plans: int = row.plans  # type: ignore[attr-defined]  # annotated
        return plans if plans < ROWS_SHOWN else _("%(limit)s or more") % {"limit": ROWS_SHOWN}


def _shown(row: PackVersion) -> PackView | None:
    """The view of a pack; None for one of another form than today's."""
    try:
        pack = Pack.model_validate(row.content)
    except ValidationError:
        return None
    counted = {domain.key: _languages_of(domain) for domain in pack.domains}
    languages = sorted(set().union(*counted.values()))
    domains = [
        DomainView(
            key=domain.key,
            titles=_texts(domain.title),
            use_when=_texts(domain.use_when),
            not_when=_texts(domain.not_when),
            keywords=domain.keywords,
            examples=domain.examples,
            counts=[counted[domain.key][language] for language in languages],
        )
        for domain in pack.domains
    ]
    return PackView(
        languages=[LANGUAGES.get(language, language) for language in languages],
        domains=domains,
        outside=pack.outside,
        totals=[sum(counts[language] for counts in counted.values()) for language in languages],
    )


def _languages_of(domain: DomainPack) -> Counter[str]:
    """The number of examples in each language, as the router tells languages apart."""
    return Counter(_language(text) for sentences in domain.examples.values() for text in sentences)


@lru_cache(maxsize=4096)
def _language(text: str) -> str:
    return language_of(text)


def _texts(texts: Mapping[str, str]) -> list[TextView]:
    return [
        TextView(language, LANGUAGES.get(language, language) if language else _EVERY_LANGUAGE, text)
        for language, text in texts.items()
    ]
