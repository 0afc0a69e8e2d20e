"""The learner's pages. Each address serves the whole page, or the player alone when htmx asks."""

import hashlib
import json
import uuid
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.csrf import csrf_failure as plain_csrf_failure
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import etag, require_safe

from accounts.models import User
from accounts.views.guests import user_of, user_or_guest
from core.limits.actions import START, TURN, action_count
from core.pages.htmx import action, is_htmx, render_part
from gateway.selectors import budget_of
from lesson_engine import selectors
from lesson_engine.contracts import Lesson
from lesson_engine.errors import ActionNotPossible, KeyReused, LessonRetired, StaleSession, TurnStillRunning
from lesson_engine.explanations.session import earlier_try
from lesson_engine.learn.course_pages import course_page, home_page, review_page
from lesson_engine.learn.player_page import player_page
from lesson_engine.learn.results import goals_planned, goals_shown, questions_dismissed, results_view
from lesson_engine.learn.submissions import Submission, submission
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Course, Mode, Session
from lesson_engine.services import sessions, turns
from lesson_engine.services.questions import question_report
from lesson_engine.services.sessions import BUDGET_SCOPE
from lesson_engine.services.turns import state_of
from lesson_engine.timeline.decisions import decisions_for

Act = Callable[[Session, Submission], Session]


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Every course and lesson, with the reader's progress and what is under way."""
    return render(request, "lesson_engine/home.html", {"page": home_page(user_of(request))})


@require_safe
@never_cache
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """What a lesson is about, and the way in."""
    version = selectors.current_versions().filter(lesson__slug=slug).first()
    user = user_of(request)
    if version is None:
        return _way_back(user, slug)
    content = outline_of(version.pk).lesson
    context = {
        "version": version,
        "content": content,
        "goals": goals_planned(content.policy),
        "session": selectors.latest_sessions(user).get(version.lesson_id) if user else None,
    }
    return render(request, "lesson_engine/lesson.html", context)


@require_safe
@never_cache
def course(request: HttpRequest, slug: str) -> HttpResponse:
    """A course with the reader's progress, and the one button that leads on."""
    row = get_object_or_404(Course, slug=slug)
    return render(request, "lesson_engine/course.html", {"page": course_page(row, user_of(request))})


@require_safe
@never_cache
def review(request: HttpRequest) -> HttpResponse:
    """What is worth another look in everything the reader did."""
    user = user_of(request)
    return render(request, "lesson_engine/review.html", {"groups": review_page(user) if user else ()})


@action("lesson_engine:lesson")
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin or resume. A visitor without an account becomes a guest."""
    version = selectors.current_versions().filter(lesson__slug=slug).first()
    if version is None:
        return _way_back(user_of(request), slug)
    action_count(request, START)
    user = user_or_guest(request)
    try:
        session = sessions.session_start(user=user, lesson=version.lesson)
    except LessonRetired:
        return _way_back(user, slug)
    return redirect("lesson_engine:session", session.pk)


def _way_back(user: User | None, slug: str) -> HttpResponse:
    """To the reader's session of a lesson that is no longer on offer. Raises `Http404` without one."""
    own = selectors.latest_session_by_slug(user, slug) if user else None
    if own is None:
        raise Http404
    return redirect("lesson_engine:session", own.pk)


@require_safe
@never_cache
def session(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The player at the session's step, or its result."""
    own = _own(request, session_id)
    running = selectors.turn_running(own)
    if running and turns.turn_take_up(turn=running):  # left behind by a process that was killed
        own, running = _own(request, session_id), None
    return _player(request, own, problem="running" if running else "")


@action("lesson_engine:session")
def answer(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    def act(own: Session, sent: Submission) -> Session:
        reply = sent.reply(outline_of(own.lesson_version_id).lesson.meta.language)
        return turns.session_answer(session=own, version=sent.version, key=sent.key, reply=reply)

    return _after(request, session_id, act)


@action("lesson_engine:session")
def proceed(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    return _after(request, session_id, _plainly(turns.session_continue))


@action("lesson_engine:session")
def hint(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Show the next hint; what was typed so far stays."""
    return _after(request, session_id, _plainly(turns.session_hint), keep=True)


@action("lesson_engine:session")
def skip(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    return _after(request, session_id, _plainly(turns.session_skip))


@action("lesson_engine:session")
def compare(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Show the author's answer beside the last one, of which the grader is not sure."""
    return _after(request, session_id, _plainly(turns.session_compare))


@action("lesson_engine:session")
def self_assess(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Take the learner's own word on the answer that they compared."""

    def act(own: Session, sent: Submission) -> Session:
        if sent.word is None:
            raise ActionNotPossible("One of yes, partly and no is needed.")
        return turns.session_self_assess(session=own, version=sent.version, key=sent.key, word=sent.word)

    return _after(request, session_id, act)


@action("lesson_engine:session")
def report(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    def act(own: Session, sent: Submission) -> Session:
        assert sent.kind is not None  # read as a report
        return question_report(session=own, version=sent.version, key=sent.key, kind=sent.kind, comment=sent.comment)

    return _after(request, session_id, act, reports=True)


@action("lesson_engine:session")
def mode(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Switch between deterministic and adaptive; what was typed so far stays."""
    wanted = request.POST.get("mode", "")
    if wanted not in Mode.values:
        return _player(request, _own(request, session_id), status=422)

    def act(own: Session, sent: Submission) -> Session:
        return turns.session_set_mode(session=own, mode=Mode(wanted), key=sent.key)

    return _after(request, session_id, act, keep=True)


@cache
def lesson_schema_etag() -> str:
    """It changes with a release only."""
    digest = hashlib.sha256(json.dumps(Lesson.model_json_schema(), sort_keys=True).encode()).hexdigest()
    return f'"{digest[:32]}"'


@require_safe
@cache_control(public=True, max_age=86_400)
@etag(lambda _: lesson_schema_etag())
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of lesson files, generated from the model that reads them."""
    return JsonResponse(Lesson.model_json_schema(), content_type="application/schema+json")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form from before signing in: the player anew, with what was typed. Another site's form gets Django's refusal.

    The browser itself says where a form comes from; one that does not say is refused.
    """
    match = request.resolver_match
    user = user_of(request)
    if match and user and "session_id" in match.kwargs and request.headers.get("Sec-Fetch-Site") == "same-origin":
        typed = submission(request.POST, reports=match.url_name == "report")
        return _player(request, _own(request, match.kwargs["session_id"]), problem="expired", typed=typed)
    return plain_csrf_failure(request, reason)


def _plainly(service: Callable[..., Session]) -> Act:
    """An action for which the form says nothing more than which click it was."""
    return lambda own, sent: service(session=own, version=sent.version, key=sent.key)


def _after(
    request: HttpRequest, session_id: uuid.UUID, act: Act, *, keep: bool = False, reports: bool = False
) -> HttpResponse:
    """The page after an action; `keep` leaves what was typed in its field, `reports` is for that of a wrong question.

    An action that came too late did nothing: the fresh state is shown, with what was typed.
    """
    own, sent = _own(request, session_id), submission(request.POST, reports=reports)
    action_count(request, TURN)
    try:
        own = act(own, sent)
    except (StaleSession, ActionNotPossible, KeyReused):
        return _player(request, _own(request, own.pk), problem="stale", typed=sent)
    except TurnStillRunning:
        return _player(request, _own(request, own.pk), problem="running", typed=sent)
    if keep and sent.values:
        return _player(request, own, typed=sent)
    if not is_htmx(request):
        return redirect("lesson_engine:session", own.pk)
    # A click that was repeated late shows what came since, and that was not answered with these values.
    is_last = own.version == sent.version + 1
    return _player(request, own, answered=sent.values if is_last and not keep and sent.values else None)


def _player(
    request: HttpRequest,
    own: Session,
    *,
    problem: str = "",
    typed: Submission | None = None,
    answered: Sequence[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    outline, state = outline_of(own.lesson_version_id), state_of(own)
    notice = state.notice
    tried = earlier_try(own, state)
    if tried is not None:
        answered = tried.values
    elif notice is None or notice.verdict is None or notice.verdict.no_attempt:
        answered = ()  # "I don't know" is nothing to go on from: the field is empty again
    elif answered is None and (typed is None or state.phase == "comparing"):
        answered = selectors.last_answer(own, notice.ask_code)
    budget = budget_of(BUDGET_SCOPE, str(own.pk))
    page = player_page(
        own,
        outline,
        state,
        budget,
        typed=typed,
        answered=tuple(answered or ()),
        earlier=tried,
        problem=problem,
    )
    context: dict[str, Any] = {
        "page": page,
        "decisions": decisions_for(request, own, budget),
        "goals": goals_shown(own, outline, state),
    }
    if state.phase != "finished":
        return render_part(request, "lesson_engine/player.html", "player", context, status=status)
    context["results"] = results_view(outline, state, questions_dismissed(own, state))
    return render_part(request, "lesson_engine/finished.html", "player", context, status=status)


def _own(request: HttpRequest, session_id: uuid.UUID) -> Session:
    user = user_of(request)
    try:
        if user is not None:
            return selectors.session_of(user, session_id)
    except Session.DoesNotExist:
        pass
    raise Http404
