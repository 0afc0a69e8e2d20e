"""The one form that takes more than the rest of the site does: a lesson file, or its text."""

from io import BytesIO
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import InMemoryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

from lesson_engine.errors import Fault, LessonRefused
from lesson_engine.lesson_file import MAX_BYTES

MAX_PASTED = 1_000_000
"""Bytes of pasted text, as `DATA_UPLOAD_MAX_MEMORY_SIZE` has it for every form; a file may have `MAX_BYTES`."""
_MAX_REQUEST = MAX_BYTES + MAX_PASTED + 100_000


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


def door_open(request: HttpRequest) -> None:
    """Read the form, with bounds of its own. Before anything else reads it, so before the check for its CSRF token.

    Raises `LessonRefused` for one that is too big; then nothing was read of it.
    """
    if int(request.META.get("CONTENT_LENGTH") or 0) > _MAX_REQUEST:
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
