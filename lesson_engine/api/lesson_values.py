"""Lessons as API values."""

from lesson_engine.api_contracts import LessonDetail, LessonMoment, LessonSkill, LessonSummary
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Ask, Moment
from lesson_engine.models import Lesson


def lesson_summary(row: Lesson) -> LessonSummary:
    """A lesson on offer in a list; its current version must have been fetched with it."""
    return LessonSummary.model_validate(_common(row))


def lesson_detail(row: Lesson) -> LessonDetail:
    """A lesson on offer before it is taken. Reads the file the first time in a process."""
    assert row.current_id is not None  # on offer
    lesson = outline_of(row.current_id).lesson
    return LessonDetail.model_validate(
        _common(row)
        | {
            "objectives": lesson.meta.objectives,
            "skills": tuple(LessonSkill(code=skill.code, title=skill.title) for skill in lesson.meta.skills),
            "moments": tuple(_moment(moment) for moment in lesson.moments),
            "attempts": lesson.policy.attempts,
        }
    )


def _common(row: Lesson) -> dict[str, object]:
    version = row.current
    assert version is not None  # on offer
    return {
        "slug": row.slug,
        "title": version.title,
        "language": version.language,
        "summary": version.summary,
        "version": version.number,
        "sha256": version.sha256,
        "steps": version.steps,
        "questions": version.questions,
    }


def _moment(moment: Moment) -> LessonMoment:
    questions = sum(isinstance(step, Ask) for step in moment.steps)
    return LessonMoment(title=moment.title, steps=len(moment.steps), questions=questions)
