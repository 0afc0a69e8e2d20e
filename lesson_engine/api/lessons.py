"""Lessons, before they are taken."""

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.models import Scope
from core.api import ApiView, Page, operation
from lesson_engine import selectors
from lesson_engine.api.conditional import answer_unless_known
from lesson_engine.api.examples import LESSON, LESSON_SUMMARY
from lesson_engine.api.lesson_values import lesson_detail, lesson_summary
from lesson_engine.api_contracts import LessonDetail, LessonsQuery, LessonSummary
from lesson_engine.errors import LessonNotFound
from lesson_engine.models import Lesson

TAG = "Lessons"


class LessonsView(ApiView):
    """The lessons on offer."""

    required_scopes = {"GET": Scope.LESSONS_READ}

    @operation(
        id="lesson_list",
        summary="List the lessons",
        tag=TAG,
        response=Page[LessonSummary],
        query=LessonsQuery,
        example={"items": [LESSON_SUMMARY], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Every lesson that can be started, by its slug, each in the version that a new session gets."""
        query = self.query(LessonsQuery)
        return self.page(query, selectors.lessons_on_offer(query.language), lesson_summary, ordering="slug")


class LessonView(ApiView):
    """One lesson."""

    required_scopes = {"GET": Scope.LESSONS_READ}

    @operation(
        id="lesson_read",
        summary="Read a lesson's description",
        tag=TAG,
        response=LessonDetail,
        problems=[LessonNotFound.code],
        conditional=True,
        example=LESSON,
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """What the lesson is about, its path, and what its questions exercise.

        Its texts come step by step in a session; what its questions expect never comes before they are answered.
        """
        return answer_unless_known(self, lesson_detail(lesson_or_refuse(slug)))


def lesson_or_refuse(slug: str) -> Lesson:
    """The lesson on offer under this slug, with its current version. Raises `LessonNotFound`."""
    lesson = selectors.lessons_on_offer().filter(slug=slug).first()
    if lesson is None:
        raise LessonNotFound("There is no lesson of this name to be started.")
    return lesson
