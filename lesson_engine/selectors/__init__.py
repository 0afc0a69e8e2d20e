"""Reads of the lesson engine."""

import hashlib
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.db.models import CharField, Exists, F, OuterRef, QuerySet
from django.db.models.functions import Cast
from django.utils import timezone

from accounts.models import User
from accounts.selectors import users_seen_by
from evaluation.contracts import CriterionResult
from evaluation.models import CriterionCheck
from evaluation.selectors import check_of
from lesson_engine.contracts import TopicDeviation, Verdict, VerdictResult
from lesson_engine.models import (
    LearnerText,
    Lesson,
    LessonVersion,
    QuestionVoid,
    Session,
    Turn,
    VerdictReview,
)
from lesson_engine.player.histories import answer_in_doubt
from planning.contracts import SuccessCriterion
from planning.models import Criterion

TURNS_PER_PAGE = 200


@dataclass(frozen=True)
class Tried:
    """An answer that was a try at its question: how it was judged, and the answer as the form's fields had it."""

    verdict: Verdict
    deviation: TopicDeviation
    values: tuple[str, ...]


@dataclass(frozen=True)
class LessonCard:
    """A lesson on offer, and the viewer's latest session of it, if there is one."""

    version: LessonVersion
    session: Session | None


def lesson_cards(latest: Mapping[int, Session]) -> list[LessonCard]:
    """Every lesson with a current version, by title, with the viewer's latest session of it. One query."""
    return [LessonCard(version, latest.get(version.lesson_id)) for version in current_versions().order_by("title")]


def current_versions() -> QuerySet[LessonVersion]:
    """The version of each lesson that new sessions get, without the file's bytes."""
    return LessonVersion.objects.filter(lesson__current=F("pk")).select_related("lesson").defer("source")


def lessons_on_offer(language: str | None = None) -> QuerySet[Lesson]:
    """The lessons that can be started, in all languages or one, with their current versions without their bytes."""
    lessons = Lesson.objects.filter(current__isnull=False).select_related("current").defer("current__source")
    return lessons.filter(current__language=language) if language else lessons


def voided_codes(version_id: int) -> frozenset[str]:
    """The questions of a version that staff withdrew."""
    voids = QuestionVoid.objects.filter(lesson_version_id=version_id)
    return frozenset(voids.values_list("ask_code", flat=True))


def stored_version(source: bytes) -> LessonVersion | None:
    """The version that a lesson file with exactly these bytes became, with its lesson; None when it never came."""
    digest = hashlib.sha256(source).hexdigest()
    return LessonVersion.objects.select_related("lesson__current").filter(sha256=digest).first()


def latest_sessions(
    user: User, lesson_ids: Collection[int] | None = None, *, with_state: bool = False
) -> dict[int, Session]:
    """The user's session of each lesson that was active last, by lesson, with lesson and version. One query.

    Of all lessons when none are named, the retired ones as well.
    """
    mine = Session.objects.filter(user=user).exclude(status=Session.Status.SET_ASIDE)
    if lesson_ids is not None:
        mine = mine.filter(lesson_id__in=lesson_ids)
    latest = mine.order_by("lesson_id", "-active_at").distinct("lesson_id").select_related("lesson", "lesson_version")
    slim = latest.defer("lesson_version__source", "lesson_version__summary", *([] if with_state else ["state"]))
    return {session.lesson_id: session for session in slim}


def latest_session_by_slug(user: User, slug: str) -> Session | None:
    """The same by the lesson's slug, also of a lesson that was retired since."""
    mine = Session.objects.filter(user=user, lesson__slug=slug).exclude(status=Session.Status.SET_ASIDE)
    return mine.defer("state").order_by("-active_at").first()


def session_of(user: User, session_id: uuid.UUID) -> Session:
    """The user's own session, with its lesson and user. Raises `Session.DoesNotExist`, also for another user's."""
    session = Session.objects.select_related("lesson").get(pk=session_id, user=user)
    session.user = user  # known already: no query for more of them than their id
    return session


def sessions_seen_by(user: User) -> QuerySet[Session]:
    """The user's own sessions and those of the learners that they manage, with lesson, version and learner.

    Without those of learners who were erased. `plan_id` is that of the session's plan; None without one.
    """
    sessions = Session.objects.filter(user__in=users_seen_by(user))
    joined = sessions.select_related("lesson", "lesson_version", "user").defer("lesson_version__source")
    return joined.annotate(plan_id=F("goals__plan"))


def session_keys_seen_by(user: User) -> QuerySet[Any, Any]:
    """The ids, as text, of the sessions the user may see: what their budgets are known by."""
    return sessions_seen_by(user).annotate(text=Cast("pk", CharField())).values("text")


def sessions_listed(
    user: User, *, status: str | None = None, lesson: str | None = None, learner: str | None = None
) -> QuerySet[Session]:
    """Sessions the user may see, of a status, a lesson's slug, a learner's pseudonym where these are given.

    Without the state, but for the place of the shown step as `cursor`; None at the first.
    """
    wanted = {"status": status, "lesson__slug": lesson, "user__pseudonym": learner}
    conditions = {name: value for name, value in wanted.items() if value is not None}
    return sessions_seen_by(user).filter(**conditions).annotate(cursor=F("state__cursor")).defer("state")


def turns_of(session: Session) -> QuerySet[Turn]:
    """The turns of a session in order, without the words of its learner."""
    return Turn.objects.filter(session=session).order_by("version")


def last_answer(session: Session, ask_code: str) -> tuple[str, ...]:
    """The last answer to a question, as the form's fields had it; empty when it was erased or there is none."""
    words = LearnerText.objects.filter(turn__in=_answers(session, ask_code)).order_by("-turn__version").first()
    return _values(words) if words else ()


def answer_compared(session: Session, ask_code: str) -> Turn:
    """The answer that is compared with the author's: the last one in doubt. Raises `Turn.DoesNotExist` where nothing
    was answered. One query.
    """
    turns = list(_answers(session, ask_code).select_related("words").order_by("version"))
    if not turns:
        raise Turn.DoesNotExist
    return answer_in_doubt(turns) or turns[-1]


def compared_try(session: Session, ask_code: str) -> Tried:
    """The answer that is compared. Raises as `answer_compared`."""
    return _tried(answer_compared(session, ask_code))


def last_try(session: Session, ask_code: str) -> Tried | None:
    """The last answer to a question that tried to answer it; None where none did, or it was erased. One query."""
    tries = (
        _answers(session, ask_code)
        .exclude(result=VerdictResult.NOT_GRADABLE)
        .exclude(verdict__contains={"no_attempt": True})
    )
    turn = tries.filter(words__erased_at=None).select_related("words").order_by("-version").first()
    return _tried(turn) if turn else None


def _tried(turn: Turn) -> Tried:
    return Tried(Verdict.model_validate(turn.verdict), TopicDeviation(turn.deviation), _values(turn.words))


def _answers(session: Session, ask_code: str) -> QuerySet[Turn]:
    return Turn.objects.filter(session=session, ask_code=ask_code, kind=Turn.Kind.ANSWER, state=Turn.State.DONE)


def _values(words: LearnerText) -> tuple[str, ...]:
    """As the form's fields had them; none once they are erased."""
    if words.text is None:
        return ()
    return tuple(words.choices or ()) or (words.text,)


def turn_running(session: Session) -> Turn | None:
    """The session's answer that is still being judged, if there is one."""
    return Turn.objects.filter(session=session, version=session.version, state=Turn.State.RUNNING).first()


def turns_abandoned(*, limit: int) -> list[Turn]:
    """Running turns whose lease is over, the oldest first."""
    overdue = Turn.objects.filter(Turn.lease_over(timezone.now()))
    return list(overdue.order_by("lease_until")[:limit])


def voids_waiting(*, limit: int) -> list[QuestionVoid]:
    """Withdrawn questions whose sessions are still to be re-scored and that no worker has leased, the oldest first."""
    waiting = QuestionVoid.objects.filter(state=QuestionVoid.State.RUNNING, lease_until__lte=timezone.now())
    return list(waiting.select_related("lesson_version", "by").defer("lesson_version__source").order_by("pk")[:limit])


@dataclass(frozen=True)
class TurnsPage:
    """The turns of a session from version `start` on, and those before them as far as they moved the session.

    `voided` are the questions that were withdrawn before the session began, `reviews` all that staff said of its
    answers, the oldest first; none where that concerns no turn up to the end of the page.
    """

    page: int
    pages: int
    start: int
    earlier: tuple[Turn, ...]
    turns: tuple[Turn, ...]
    voided: frozenset[str] = frozenset()
    reviews: tuple[VerdictReview, ...] = ()


def session_turns_page(session: Session, page: int) -> TurnsPage:
    """A page of a session's turns in order, with the learner's words; the nearest page for one that is not there.

    Two queries, one where questions were withdrawn, and one where answers were reviewed. A session's version is the
    number of its turns, so nothing is counted. `earlier` comes without words and without changes of mode, of which
    there is no end: the others are bounded by the lesson, and by the reviews.
    """
    pages = max(1, ceil(session.version / TURNS_PER_PAGE))
    page = min(max(1, page), pages)
    start = (page - 1) * TURNS_PER_PAGE
    turns = Turn.objects.filter(session_id=session.pk).order_by("version")
    earlier = turns.filter(version__lt=start).exclude(kind=Turn.Kind.MODE)
    marked = turns.annotate(looked_at=Exists(VerdictReview.objects.filter(turn=OuterRef("pk"))))
    rows = marked.filter(version__gte=start).select_related("words")[: TURNS_PER_PAGE + 1]  # one may still be running
    shown = tuple(rows) if page == pages else tuple(rows)[:TURNS_PER_PAGE]
    before = tuple(earlier)
    scored = any(turn.kind == Turn.Kind.REVIEW for turn in (*before, *shown))
    reviews = _reviews_of(session) if scored or any(turn.looked_at for turn in shown) else ()
    return TurnsPage(page, pages, start, before, shown, _voided_before(session), reviews)


def _reviews_of(session: Session) -> tuple[VerdictReview, ...]:
    """All reviews of its answers, each with its author and the turn that it made."""
    mine = VerdictReview.objects.filter(turn__session_id=session.pk)
    return tuple(mine.select_related("by", "rescoring").order_by("pk"))


def _voided_before(session: Session) -> frozenset[str]:
    """What is withdrawn in the session's state and came by no turn was withdrawn when it began."""
    asks = session.state.get("asks", {})
    voided = frozenset(code for code, record in asks.items() if record.get("outcome") == "voided")
    if not voided:
        return voided
    turns = Turn.objects.filter(session_id=session.pk, kind=Turn.Kind.VOID)
    return voided.difference(turns.values_list("ask_code", flat=True))


def goals_of(session: Session) -> list[SuccessCriterion]:
    """What the session wants to reach; empty where it has no plan. One query."""
    rows = Criterion.objects.filter(plan__lesson_session__session=session)
    return [SuccessCriterion.from_object(row) for row in rows]


def goals_checked(session: Session) -> list[CriterionResult] | None:
    """What came of the session's goals; None where they were not evaluated yet. One query."""
    rows = list(CriterionCheck.objects.filter(evaluation__lesson_session__session=session))
    return [check_of(row) for row in rows] or None
