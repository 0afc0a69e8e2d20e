"""Reads of courses, and of what one learner did in the lessons of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from uuid import UUID

from lesson_engine.models import Course, CourseLesson, QuestionReport, Session


@dataclass(frozen=True)
class CourseOnOffer:
    """A course, and which lessons of it can be started."""

    course: Course
    lesson_ids: tuple[int, ...]


def courses_on_offer() -> list[CourseOnOffer]:
    """Every course with at least one lesson on offer, by title. One query."""
    places = CourseLesson.objects.filter(lesson__current__isnull=False).select_related("course")
    rows = places.order_by("course__title", "course_id", "position")
    by_course = ((course, [place.lesson_id for place in group]) for course, group in groupby(rows, lambda p: p.course))
    return [CourseOnOffer(course, tuple(ids)) for course, ids in by_course]


def places_of(course: Course) -> list[CourseLesson]:
    """The lessons of a course in order, also the retired ones; each with its current version without the file."""
    places = course.places.select_related("lesson__current").order_by("position")
    return list(places.defer("lesson__current__source", "lesson__current__summary"))


def reports_decided(sessions: Iterable[Session]) -> frozenset[tuple[UUID, str]]:
    """Session and question of the reports after which staff keep the question."""
    decided = QuestionReport.objects.filter(session__in=list(sessions), state=QuestionReport.State.DISMISSED)
    return frozenset(decided.values_list("session_id", "ask_code"))
