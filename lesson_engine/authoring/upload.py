"""Upload a lesson: checked, shown, and stored as a draft when that was asked for.

The one form that takes more than the rest of the site does: a lesson file, or its text.
"""

from io import BytesIO
from typing import Any

from django.contrib import messages
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from lesson_engine.authoring.overview import lesson_overview
from lesson_engine.authoring.pages import asks_first, author_of, author_page
from lesson_engine.errors import Fault, LessonRefused
from lesson_engine.lesson_file.fault_excerpts import fault_views
from lesson_engine.lesson_file.lesson import MAX_BYTES, MAX_FAULTS, lesson_read
from lesson_engine.models import LessonVersion
from lesson_engine.player.outline import Outline
from lesson_engine.selectors import stored_version
from lesson_engine.services.lessons import lesson_upload

MAX_PASTED = 1_000_000
"""Bytes of pasted text, as `DATA_UPLOAD_MAX_MEMORY_SIZE` has it for every form; a file may have `MAX_BYTES`."""
MAX_REQUEST = MAX_BYTES + MAX_PASTED + 100_000
"""Bytes of the whole form; the web server takes no more at its address."""


@csrf_exempt  # a bigger form than elsewhere is read first, then checked
@asks_first
def upload(request: HttpRequest) -> HttpResponse:
    """A lesson file, checked and, if that was asked for, stored. Faults are shown with their JSON."""
    if request.method == "POST":
        try:
            form_read(request)
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
    stored, overview = stored_version(source), lesson_overview(outline)
    return _upload_page(request, checked=outline, overview=overview, known=stored, pasted=pasted)


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


class _LessonFile(FileUploadHandler):
    """Keeps of the first file one byte more than a lesson may have, in memory; what comes after is read and dropped."""

    files = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.files += 1
        if self.files > 1:
            raise SkipFile
        self.kept = BytesIO()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.kept.write(raw_data[: max(0, MAX_BYTES + 1 - self.kept.tell())])

    def file_complete(self, file_size: int) -> InMemoryUploadedFile:
        size = self.kept.tell()
        self.kept.seek(0)
        return InMemoryUploadedFile(
            self.kept, self.field_name, "lesson.json", self.content_type, size, self.charset, self.content_type_extra
        )


def form_read(request: HttpRequest) -> None:
    """Read the form, with bounds of its own. Before anything else reads it, so before the check for its CSRF token.

    Raises `LessonRefused` for one that is too big; then nothing was read of it.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_REQUEST:
        raise _too_big(f"the file has more than {MAX_BYTES:,} bytes, the most that a lesson may have")
    request.upload_handlers = [_LessonFile(request)]
    try:
        request.POST  # noqa: B018 - this is what reads it
    except RequestDataTooBig as error:
        raise _too_big(f"more than {MAX_PASTED:,} bytes were pasted; upload the lesson as a file") from error


def source_sent(request: HttpRequest) -> bytes:
    """The bytes of the file, else of the pasted text as UTF-8 with plain line ends; empty when neither came."""
    file = request.FILES.get("file")
    if file is not None:
        return bytes(file.read())
    # Browsers send every line end as two characters; the file that was pasted had one.
    return request.POST.get("text", "").replace("\r\n", "\n").encode(errors="surrogatepass")


def _too_big(message: str) -> LessonRefused:
    return LessonRefused([Fault(path="$", message=message)])
