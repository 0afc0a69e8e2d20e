"""Lessons, before they are taken."""

from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from accounts.models import Scope
from core.api.base import ApiView, Page, operation
from lesson_engine import selectors
from lesson_engine.api.actions import answer_unless_known
from lesson_engine.api.contracts.lessons import LessonDetail, LessonMoment, LessonSummary
from lesson_engine.api.contracts.requests import LessonsQuery
from lesson_engine.api.examples import LESSON, LESSON_SUMMARY
from lesson_engine.contracts import Ask
from lesson_engine.errors import LessonNotFound
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson

TAG = "Lessons"


class LessonsView(ApiView):
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
        lesson = selectors.lessons_on_offer().filter(slug=slug).first()
        if lesson is None:
            raise LessonNotFound("There is no lesson of this name to be started.")
        return answer_unless_known(self, lesson_detail(lesson))


def lesson_summary(row: Lesson) -> LessonSummary:
    """A lesson on offer in a list; its current version must have been fetched with it."""
    return LessonSummary.from_object(row.current, **_names(row))


def lesson_detail(row: Lesson) -> LessonDetail:
    """A lesson on offer before it is taken. Reads the file the first time in a process."""
    assert row.current_id is not None  # on offer
    lesson = outline_of(row.current_id).lesson
    moments = [
        LessonMoment(
            title=moment.title,
            steps=len(moment.steps),
            questions=sum(isinstance(step, Ask) for step in moment.steps),
        )
        for moment in lesson.moments
    ]
    return LessonDetail.from_object(
        row.current,
        objectives=lesson.meta.objectives,
        skills=lesson.meta.skills,
        moments=moments,
        attempts=lesson.policy.attempts,
        **_names(row),
    )


def _names(row: Lesson) -> dict[str, Any]:
    assert row.current is not None  # on offer
    return {"slug": row.slug, "version": row.current.number}
