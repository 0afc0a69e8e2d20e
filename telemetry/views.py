"""The pages of telemetry for staff that are not lists of rows. `urls` admits who may enter the admin site."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from core.pages.streaming import BlockStream
from telemetry.board.forms import ExportForm, FiltersForm
from telemetry.board.pages import board_of, board_page, with_charts
from telemetry.exports.formats import CONTENT_TYPES, export_blocks
from telemetry.selectors import audit_state, exports_latest

EXPORTS_LISTED = 50


@require_safe
@with_charts
def dashboard(request: HttpRequest) -> HttpResponse:
    """What learners did, for the filters in the query string."""
    form = FiltersForm(request.GET.dict())
    page = {
        "title": _("Dashboard"),
        "form": form,
        "board": board_of(form.filters),
        "audit": audit_state(),
    }
    return board_page(request, "telemetry/dashboard.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
def exports(request: HttpRequest) -> HttpResponseBase:
    """Who exported what; sent as a form, an export."""
    form = ExportForm(request.POST.dict() if request.method == "POST" else {"form": "jsonl", **request.GET.dict()})
    if request.method == "POST" and form.is_valid():
        return _download(request, form)
    done = exports_latest(EXPORTS_LISTED)
    names = User.objects.in_bulk({event.data["by"] for event in done if event.data["by"] is not None})
    listed = [(event, names.get(event.data["by"]), _in_words(event.data["filters"])) for event in done]
    page = {**admin.site.each_context(request), "title": _("Exports"), "form": form, "exports": listed}
    return TemplateResponse(request, "telemetry/exports.html", page)


def _in_words(filters: dict[str, Any]) -> list[str]:
    lists = {name: ", ".join(value) if isinstance(value, list) else value for name, value in filters.items()}
    return [f"{name}: {value}" for name, value in lists.items()]


def _download(request: HttpRequest, form: ExportForm) -> HttpResponseBase:
    assert isinstance(request.user, User)
    filters, kind = form.filters, form.cleaned_data["form"]
    name = f"events-{filters.since}-{filters.until}.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    blocks = export_blocks(by=request.user.pk, form=kind, filters=filters)
    return BlockStream(blocks, content_type=CONTENT_TYPES[kind], headers=headers)
