"""Upload a lesson: checked, shown, and stored as a draft when that was asked for."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from lesson_engine.author_pages import asks_first, author_of, author_page
from lesson_engine.errors import LessonRefused
from lesson_engine.fault_excerpts import fault_views
from lesson_engine.lesson_file import MAX_BYTES, MAX_FAULTS, lesson_read
from lesson_engine.lesson_overview import lesson_overview
from lesson_engine.models import LessonVersion
from lesson_engine.player.outline import Outline
from lesson_engine.selectors import stored_version
from lesson_engine.services.lessons import lesson_upload
from lesson_engine.upload_door import MAX_PASTED, door_open, source_sent


@csrf_exempt  # only until its door is open: a bigger form than elsewhere is read here
@asks_first
def upload(request: HttpRequest) -> HttpResponse:
    """A lesson file, checked and, if that was asked for, stored. Faults are shown beside their JSON."""
    if request.method == "POST":
        try:
            door_open(request)
        except LessonRefused as error:
            return _upload_page(request, status=413, faults=fault_views(b"", error.faults))
    return _upload(request)


@csrf_protect
def _upload(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _upload_page(request)
    source = source_sent(request)
    if not source and "file" not in request.FILES:
        return _upload_page(request, status=422, nothing=True)
    pasted = "" if "file" in request.FILES else source.decode(errors="replace")
    try:
        if request.POST.get("action") == "store":
            done = lesson_upload(source=source, by=author_of(request))
            return _stored(request, done.version, created=done.created)
        outline = Outline(lesson_read(source))
    except LessonRefused as error:
        faults = fault_views(source, error.faults)
        return _upload_page(request, status=422, faults=faults, more=len(faults) == MAX_FAULTS, pasted=pasted)
    known = stored_version(source)
    return _upload_page(request, checked=outline, overview=lesson_overview(outline), known=known, pasted=pasted)


def _upload_page(request: HttpRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    limits = {"megabytes": MAX_BYTES // 1_000_000, "pasted_megabytes": MAX_PASTED // 1_000_000}
    context = {**limits, **shown}
    return author_page(request, LessonVersion, "lessonversion/upload", _("Upload a lesson"), context, status=status)


def _stored(request: HttpRequest, version: LessonVersion, *, created: bool) -> HttpResponse:
    names = {"number": version.number, "slug": version.lesson.slug}
    if created:
        text = _("Stored as version %(number)s of %(slug)s, a draft: no learner gets it before it is published.")
        messages.success(request, text % names)
    else:
        messages.info(request, _("Nothing was stored: this is version %(number)s of %(slug)s, byte for byte.") % names)
    return redirect("admin:lesson_engine_lessonversion_change", version.pk)
