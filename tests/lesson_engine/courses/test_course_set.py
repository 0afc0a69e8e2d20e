import pytest

from lesson_engine.errors import CourseRefused
from lesson_engine.models import Course, CourseLesson
from lesson_engine.services.courses import course_order, course_set
from tests.lesson_engine.services.threads import at_once


def order(course: Course) -> list[tuple[int, str]]:
    return list(course.places.order_by("position").values_list("position", "lesson__slug"))


def test_a_course_has_its_lessons_in_the_given_order(course: Course) -> None:
    assert order(course) == [(1, "water"), (2, "air"), (3, "light")]


def test_setting_it_again_changes_nothing(course: Course) -> None:
    before = list(CourseLesson.objects.values_list("pk", flat=True))
    again = course_set(
        slug="plants", title="Plants", language="en", summary="Three.", lessons=["water", "air", "light"]
    )
    assert again == course
    assert list(CourseLesson.objects.values_list("pk", flat=True)) == before


def test_another_order_and_other_words_take_the_place_of_the_old(course: Course) -> None:
    course_set(slug="plants", title="Leaves", language="en", summary="Two.", lessons=["light", "water"])
    course.refresh_from_db()
    assert (course.title, course.summary) == ("Leaves", "Two.")
    assert order(course) == [(1, "light"), (2, "water")]


def test_lessons_may_change_places(course: Course) -> None:
    course_order(course=course, lessons=["air", "water", "light"])
    assert order(course) == [(1, "air"), (2, "water"), (3, "light")]


@pytest.mark.parametrize(
    ("lessons", "faults"),
    [
        (["air", "fire"], ['lessons[1]: no lesson has the slug "fire"; import it first']),
        (["air", "light", "air"], ['lessons[2]: "air" stands there twice']),
        (["fire", "air", "air"], ['lessons[0]: no lesson has the slug "fire"; import it first', 'lessons[2]: "air"']),
    ],
)
def test_what_is_refused_changes_nothing(course: Course, lessons: list[str], faults: list[str]) -> None:
    with pytest.raises(CourseRefused) as refused:
        course_set(slug="plants", title="Other", language="en", summary="Other.", lessons=lessons)
    assert all(str(told).startswith(fault) for told, fault in zip(refused.value.faults, faults, strict=True))
    with pytest.raises(CourseRefused):
        course_order(course=course, lessons=lessons)
    course.refresh_from_db()
    assert (course.title, len(order(course))) == ("Plants", 3)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_leave_one_of_the_two_orders(course: Course) -> None:
    wanted = [["air", "water", "light"], ["light", "air"]]
    at_once([lambda slugs=slugs: course_order(course=course, lessons=slugs) for slugs in wanted])  # type: ignore[misc]
    assert [slug for _, slug in order(course)] in wanted
