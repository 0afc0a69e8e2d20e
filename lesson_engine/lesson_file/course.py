"""The file of a course, `andamio.course/1`: what it is called, and its lessons in their order, by slug."""

from typing import Annotated, Literal

from django.conf import settings
from pydantic import AfterValidator, Field, StringConstraints, ValidationError

from core.api.json_text import json_read
from core.contracts import Contract
from lesson_engine.contracts.fields import Language, Line, Slug
from lesson_engine.errors import CourseRefused, Fault

MAX_BYTES = 100_000
MAX_LESSONS = 200


def _offered(language: str) -> str:
    if language not in (offered := [code for code, _ in settings.LANGUAGES]):
        raise ValueError(f"is none of the languages of the pages: {', '.join(offered)}")
    return language


class CourseFile(Contract):
    """A whole course file."""

    format: Literal["andamio.course/1"]
    slug: Slug
    title: Line
    language: Annotated[Language, AfterValidator(_offered)]
    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
    lessons: tuple[Slug, ...] = Field(min_length=1, max_length=MAX_LESSONS)


def course_read(source: bytes) -> CourseFile:
    """Read and check a file. Raises `CourseRefused` with every fault; whether the lessons exist is not asked here."""
    if len(source) > MAX_BYTES:
        raise _refuse(f"the file has more than {MAX_BYTES:,} bytes, the most that a course may have")
    try:
        text = source.decode("utf-8-sig")
        course = CourseFile.model_validate_json(text, strict=True)
        _value, unclear = json_read(text.encode())
    except UnicodeDecodeError as error:
        raise _refuse(f"the file is not UTF-8 text; byte {error.start} cannot be read") from error
    except ValidationError as error:
        faults = [Fault(path=_path(item["loc"]), message=_message(item)) for item in error.errors(include_url=False)]
        raise CourseRefused(faults) from error
    if unclear:
        raise CourseRefused([Fault(path=_path(place), message=message.lower()) for place, message in unclear])
    return course


def _refuse(message: str) -> CourseRefused:
    return CourseRefused([Fault(path="$", message=message)])


def _path(place: tuple[int | str, ...]) -> str:
    written = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return written.removeprefix(".") or "$"


def _message(item: object) -> str:
    kind, message = str(item["type"]), str(item["msg"])  # type: ignore[index]  # Pydantic's own form of an error
    ours = {"missing": "is missing", "extra_forbidden": "is no field of a course"}
    return ours.get(kind) or message.removeprefix("Value error, ")
