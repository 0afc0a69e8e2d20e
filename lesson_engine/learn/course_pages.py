"""What the pages of courses, of what to review, and the home page show, as plain values."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from lesson_engine import selectors
from lesson_engine.learn.results import ReviewView, percent_done, review_view
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Course, LessonVersion, Session
from lesson_engine.outcomes.results import Review, outcomes_of, review_of
from lesson_engine.selectors import LessonCard
from lesson_engine.selectors import courses as course_selectors
from lesson_engine.services.turns import state_of

Standing = Literal["new", "under_way", "finished"]
Sessions = Mapping[int, Session]


@dataclass(frozen=True)
class LessonProgress:
    """A lesson and how far its reader is: `percent` of the steps while under way, `mastered` of `counted` at the end.

    `by_own_word` as in `Outcomes`. The session may be of an earlier version than the one on offer.
    """

    slug: str
    version: LessonVersion
    session: Session | None
    standing: Standing
    percent: int = 0
    mastered: int = 0
    counted: int = 0
    by_own_word: int = 0


@dataclass(frozen=True)
class ReviewGroup:
    """What to look at again in one lesson; `finished`: whether its session is over."""

    title: str
    language: str
    session: Session
    finished: bool
    items: tuple[ReviewView, ...]


@dataclass(frozen=True)
class CoursePage:
    """A course with its reader's progress.

    `next` is where the one button leads: None where everything is finished, or nothing is on offer. `past` are lessons
    that were retired, of which the reader has a session.
    """

    course: Course
    lessons: tuple[LessonProgress, ...]
    past: tuple[LessonProgress, ...]
    next: LessonProgress | None
    review: tuple[ReviewGroup, ...]

    @property
    def done(self) -> int:
        """How many of the lessons on offer are finished."""
        return sum(lesson.standing == "finished" for lesson in self.lessons)

    @property
    def begun(self) -> bool:
        return any(lesson.session for lesson in (*self.lessons, *self.past))


@dataclass(frozen=True)
class CourseCard:
    """A course on the home page: how many lessons it has, and how many of them the reader has finished or begun."""

    course: Course
    lessons: int
    finished: int
    begun: bool


@dataclass(frozen=True)
class HomePage:
    """Courses, lessons, and what the reader has under way, the latest first. `begun`: there is a session at all."""

    courses: tuple[CourseCard, ...]
    cards: tuple[LessonCard, ...]
    under_way: tuple[Session, ...]
    begun: bool


def home_page(user: User | None) -> HomePage:
    """What the home page shows. Two queries, and one more for a known reader."""
    latest = selectors.latest_sessions(user) if user else {}
    courses = [_card(on_offer, latest) for on_offer in course_selectors.courses_on_offer()]
    cards = selectors.lesson_cards(latest)
    running = [session for session in latest.values() if session.status == Session.Status.ACTIVE]
    return HomePage(
        courses=tuple(sorted(courses, key=lambda card: _foreign(card.course.language))),
        cards=tuple(sorted(cards, key=lambda card: _foreign(card.version.language))),
        under_way=tuple(sorted(running, key=lambda session: session.active_at, reverse=True)),
        begun=bool(latest),
    )


def course_page(course: Course, user: User | None) -> CoursePage:
    """A course's page. One query, one more for a known reader, and one for what they reported."""
    places = course_selectors.places_of(course)
    ids = [place.lesson_id for place in places]
    latest = selectors.latest_sessions(user, ids, with_state=True) if user else {}
    on_offer = [(place.lesson, place.lesson.current) for place in places if place.lesson.current]
    retired = [latest[place.lesson_id] for place in places if not place.lesson.current and place.lesson_id in latest]
    lessons = tuple(_progress(lesson.slug, version, latest.get(lesson.pk)) for lesson, version in on_offer)
    return CoursePage(
        course=course,
        lessons=lessons,
        past=tuple(_progress(session.lesson.slug, session.lesson_version, session) for session in retired),
        next=next_lesson(lessons),
        review=review_groups(latest[pk] for pk in ids if pk in latest),
    )


def review_page(user: User) -> tuple[ReviewGroup, ...]:
    """What to look at again in all of the reader's lessons, the latest first. One query, one more for reports."""
    latest = selectors.latest_sessions(user, with_state=True).values()
    return review_groups(sorted(latest, key=lambda session: session.active_at, reverse=True))


def next_lesson(lessons: tuple[LessonProgress, ...]) -> LessonProgress | None:
    """The lesson used last if it is under way; else the first after it, or from the top, that is not finished."""
    used = [(lesson.session.active_at, at) for at, lesson in enumerate(lessons) if lesson.session]
    first = max(used)[1] if used else 0
    return next((lesson for lesson in (*lessons[first:], *lessons[:first]) if lesson.standing != "finished"), None)


def review_groups(sessions: Iterable[Session]) -> tuple[ReviewGroup, ...]:
    """What is worth another look in each of the sessions, those with nothing left out."""
    all_ = [(session, review_of(outline_of(session.lesson_version_id), state_of(session))) for session in sessions]
    pairs = [(session, reviews) for session, reviews in all_ if reviews]
    reported = [session for session, reviews in pairs if any(review.outcome == "reported" for review in reviews)]
    decided = course_selectors.reports_decided(reported) if reported else frozenset()
    return tuple(
        ReviewGroup(
            title=session.lesson_version.title,
            language=session.lesson_version.language,
            session=session,
            finished=session.status == Session.Status.FINISHED,
            items=tuple(_item(item, session, dismissed=(session.pk, item.ask.code) in decided) for item in reviews),
        )
        for session, reviews in pairs
    )


def _item(review: Review, session: Session, *, dismissed: bool) -> ReviewView:
    """Without the answer of a question that is still open."""
    view = review_view(review, session.lesson_version.language, dismissed)
    if review.outcome != "open":
        return view
    reason = _("Still open after %(attempts)s attempts.") % {"attempts": review.attempts}
    return replace(view, expected=None, reason=reason)


def _progress(slug: str, version: LessonVersion, session: Session | None) -> LessonProgress:
    if session is None:
        return LessonProgress(slug, version, None, "new")
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    if session.status != Session.Status.FINISHED:
        return LessonProgress(slug, version, session, "under_way", percent=percent_done(outline, state))
    outcomes = outcomes_of(outline, state)
    return LessonProgress(
        slug,
        version,
        session,
        "finished",
        percent=100,
        mastered=outcomes.mastered,
        counted=outcomes.questions,
        by_own_word=outcomes.by_own_word,
    )


def _card(on_offer: course_selectors.CourseOnOffer, latest: Sessions) -> CourseCard:
    mine = [latest[pk] for pk in on_offer.lesson_ids if pk in latest]
    finished = sum(session.status == Session.Status.FINISHED for session in mine)
    return CourseCard(on_offer.course, len(on_offer.lesson_ids), finished, bool(mine))


def _foreign(language: str) -> bool:
    """What is in the reader's language comes first."""
    return language[:2] != (get_language() or "")[:2]
