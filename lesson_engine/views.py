"""The learner's pages. Each address serves the whole page, or the player alone when htmx asks."""

import uuid
from collections.abc import Callable, Sequence
from typing import TypedDict

from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.services import guest_create
from core.htmx import is_htmx, render_part
from gateway.selectors import budget_of
from lesson_engine import selectors
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Lesson, Reply
from lesson_engine.errors import ActionNotPossible, KeyReused, StaleSession, TurnStillRunning
from lesson_engine.models import Mode, Session
from lesson_engine.presenter import player_page
from lesson_engine.results_view import results_view
from lesson_engine.services import sessions, turns
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import storable

MAX_ANSWER = 4_000
"""Characters of an answer that are read; far beyond "a sentence or two", and bounds the work of grading one."""


@require_safe
@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """Every lesson, with the reader's progress."""
    cards = selectors.lesson_cards(_user(request))
    return render(request, "lesson_engine/home.html", {"cards": cards})


@require_safe
@never_cache
def lesson(request: HttpRequest, slug: str) -> HttpResponse:
    """What a lesson is about, and the way in."""
    version = get_object_or_404(selectors.current_versions(), lesson__slug=slug)
    user = _user(request)
    context = {
        "version": version,
        "content": outline_of(version.pk).lesson,
        "session": selectors.latest_session(user, version.lesson_id) if user else None,
    }
    return render(request, "lesson_engine/lesson.html", context)


@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin or resume. Somebody without an account becomes a guest."""
    version = get_object_or_404(selectors.current_versions(), lesson__slug=slug)
    user = _user(request) or _guest(request)
    session = sessions.session_start(user=user, lesson=version.lesson)
    return redirect("lesson_engine:session", session.pk)


@require_safe
@never_cache
def session(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """The player at the exact step where the session stands, or its result."""
    return _player(request, _own(request, session_id))


@require_POST
def answer(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Judge what was answered."""
    own = _own(request, session_id)
    reply = _reply(request, own)
    return _after(
        request, own, lambda: turns.session_answer(session=own, **_turn(request), reply=reply), typed=_answers(request)
    )


@require_POST
def proceed(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Go on to the next step."""
    own = _own(request, session_id)
    return _after(request, own, lambda: turns.session_continue(session=own, **_turn(request)))


@require_POST
def hint(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Show the next hint; what was typed so far stays."""
    own = _own(request, session_id)
    return _after(
        request, own, lambda: turns.session_hint(session=own, **_turn(request)), typed=_answers(request), keep=True
    )


@require_POST
def skip(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Give up this question and see its answer."""
    own = _own(request, session_id)
    return _after(request, own, lambda: turns.session_skip(session=own, **_turn(request)))


@require_POST
def mode(request: HttpRequest, session_id: uuid.UUID) -> HttpResponse:
    """Switch between deterministic and adaptive; what was typed so far stays."""
    own = _own(request, session_id)
    wanted = request.POST.get("mode", "")
    if wanted not in Mode.values:
        return _player(request, own, status=422)
    key = _turn(request)["key"]
    return _after(
        request,
        own,
        lambda: turns.session_set_mode(session=own, mode=Mode(wanted), key=key),
        typed=_answers(request),
        keep=True,
    )


@require_safe
@cache_control(public=True, max_age=86_400)
def schema(request: HttpRequest) -> HttpResponse:
    """The JSON Schema of lesson files, generated from the model that reads them."""
    return JsonResponse(Lesson.model_json_schema(), content_type="application/schema+json")


class _Turn(TypedDict):
    version: int
    key: str


def _turn(request: HttpRequest) -> _Turn:
    """Which state of the session the browser saw, and the key of this click. What cannot be read is stale."""
    version = request.POST.get("version", "")
    readable = version.isascii() and version.isdigit() and len(version) < 10
    key = storable(request.POST.get("key", ""))[:80]
    return {"version": int(version) if readable else -1, "key": key or uuid.uuid4().hex}


def _answers(request: HttpRequest) -> list[str]:
    return [storable(value[:MAX_ANSWER]) for value in request.POST.getlist("answer")[:50]]


def _reply(request: HttpRequest, own: Session) -> Reply:
    if "dont_know" in request.POST:
        language = outline_of(own.lesson_version_id).lesson.meta.language
        with translation.override(language):
            return Reply(text=translation.gettext("I don't know"))
    values = _answers(request)
    if request.POST.get("form") == "choices":
        return Reply(choices=tuple(values))
    return Reply(text="\n".join(values))


def _after(
    request: HttpRequest, own: Session, act: Callable[[], Session], *, typed: Sequence[str] = (), keep: bool = False
) -> HttpResponse:
    """The page after an action; `keep` leaves what was typed in its field.

    An action that came too late did nothing: the fresh state is shown, with what was typed.
    """
    problem = ""
    try:
        own = act()
    except (StaleSession, ActionNotPossible, KeyReused):
        problem = "stale"
    except TurnStillRunning:
        problem = "running"
    if problem:
        return _player(request, _own(request, own.pk), problem=problem, typed=typed)
    if not is_htmx(request) and not (keep and typed):
        return redirect("lesson_engine:session", own.pk)
    return _player(request, own, typed=typed if keep else (), answered=None if keep else typed)


def _player(
    request: HttpRequest,
    own: Session,
    *,
    problem: str = "",
    typed: Sequence[str] = (),
    answered: Sequence[str] | None = None,
    status: int = 200,
) -> HttpResponse:
    outline, state = outline_of(own.lesson_version_id), state_of(own)
    verdict = state.notice.verdict if state.notice else None
    if verdict is None or verdict.no_attempt:
        answered = ()  # "I don't know" is nothing to go on from: the field is empty again
    elif answered is None and not typed:
        answered = selectors.last_answer(own)
    page = player_page(
        own,
        outline,
        state,
        budget_of("session", str(own.pk)),
        typed=tuple(typed),
        answered=tuple(answered or ()),
        problem=problem,
    )
    if state.phase != "finished":
        return render_part(request, "lesson_engine/player.html", "player", {"page": page}, status=status)
    context = {"page": page, "results": results_view(outline, state)}
    return render_part(request, "lesson_engine/finished.html", "player", context, status=status)


def _own(request: HttpRequest, session_id: uuid.UUID) -> Session:
    user = _user(request)
    try:
        if user is not None:
            return selectors.session_of(user, session_id)
    except Session.DoesNotExist:
        pass
    raise Http404


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _guest(request: HttpRequest) -> User:
    guest = guest_create()
    login(request, guest, backend="django.contrib.auth.backends.ModelBackend")
    return guest
