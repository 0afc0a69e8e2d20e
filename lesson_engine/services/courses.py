"""What happens to courses: they are set as a file or a person has them."""

from collections.abc import Sequence

from django.db import transaction

from lesson_engine.errors import CourseRefused, Fault
from lesson_engine.lesson_file.course import course_read
from lesson_engine.models import Course, CourseLesson, Lesson


def course_import(*, source: bytes, give_way: bool = False) -> Course | None:
    """Set a course as its file has it. Raises `CourseRefused` with every fault; then nothing is stored.

    With `give_way` a course that is there already stays as it is, and None comes back: staff may have changed it.
    """
    file = course_read(source)
    with transaction.atomic():
        if give_way and Course.objects.filter(slug=file.slug).exists():
            return None
        return course_set(**file.model_dump(exclude={"format"}))


def course_set(*, slug: str, title: str, language: str, summary: str, lessons: Sequence[str]) -> Course:
    """Store the course of this slug; the same again changes nothing.

    `lessons` are slugs in their order. They may be retired or drafts: learners see them once they are on offer. Raises
    `CourseRefused` for one that no lesson has or that is there twice; then nothing is stored. Two at once wait
    for each other.
    """
    with transaction.atomic():
        values = {"title": title, "language": language, "summary": summary}
        course, _ = Course.objects.select_for_update().update_or_create(slug=slug, defaults=values)
        _order(course, lessons)
    return course


def course_order(*, course: Course, lessons: Sequence[str]) -> None:
    """Give the course these lessons, by slug, in this order. Raises as `course_set`."""
    with transaction.atomic():
        Course.objects.select_for_update().get(pk=course.pk)
        _order(course, lessons)


def _order(course: Course, slugs: Sequence[str]) -> None:
    ids = dict(Lesson.objects.filter(slug__in=slugs).values_list("slug", "pk"))
    if faults := [fault for at, slug in enumerate(slugs) if (fault := _fault(slugs, at, exists=slug in ids))]:
        raise CourseRefused(faults)
    wanted = [ids[slug] for slug in slugs]
    if wanted == list(course.places.order_by("position").values_list("lesson_id", flat=True)):
        return
    course.places.all().delete()
    places = (CourseLesson(course=course, lesson_id=pk, position=at) for at, pk in enumerate(wanted, start=1))
    CourseLesson.objects.bulk_create(places)


def _fault(slugs: Sequence[str], at: int, *, exists: bool) -> Fault | None:
    if not exists:
        return Fault(path=f"lessons[{at}]", message=f'no lesson has the slug "{slugs[at]}"; import it first')
    if slugs[at] in slugs[:at]:
        return Fault(path=f"lessons[{at}]", message=f'"{slugs[at]}" stands there twice')
    return None
