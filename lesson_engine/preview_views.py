"""The player's page over a preview. The session's page has an address for each action; so has this one."""

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import Truncator
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.htmx import render_part
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Ask
from lesson_engine.errors import ActionNotPossible
from lesson_engine.goals_view import goals_tried
from lesson_engine.models import LessonVersion, Mode
from lesson_engine.player.outline import Outline, Place
from lesson_engine.presenter import PreviewBar, Typed, player_page
from lesson_engine.preview import (
    Preview,
    PreviewRefused,
    preview_act,
    preview_answer,
    preview_begin,
    preview_budget,
    preview_jump,
    preview_opened,
    preview_sealed,
    preview_set_mode,
)
from lesson_engine.results_view import results_view
from lesson_engine.selectors import voided_codes
from lesson_engine.step_names import step_name
from lesson_engine.submissions import Submission, submission

STEPS_LISTED = 1_000
_KEPT_IN_THE_FIELD = ("hint", "mode")


@require_http_methods(["GET", "HEAD"])
def preview(request: HttpRequest, version_id: int) -> HttpResponse:
    """The first step."""
    version = _version(version_id)
    outline = outline_of(version.pk)
    return _page(request, version, outline, _begin(request, outline, version))


@require_http_methods(["GET", "HEAD", "POST"])
def preview_action(request: HttpRequest, version_id: int, action: str) -> HttpResponse:
    """What came of an action. Whoever opens or shares its address is led to the beginning."""
    if action not in _ACTIONS:
        raise Http404
    if request.method != "POST":
        return redirect("admin:lesson_engine_lessonversion_preview", version_id)
    version = _version(version_id)
    outline = outline_of(version.pk)
    author = cast(User, request.user).pk
    try:
        before = preview_opened(request.POST.get("state", ""), version_id=version.pk, author_id=author)
    except PreviewRefused:
        fresh = _begin(request, outline, version)
        return _page(request, version, outline, fresh, problem="preview")
    sent = submission(request.POST)
    typed = Typed(sent.ask_code, sent.values)
    try:
        after = _ACTIONS[action](request, outline, before, sent)
    except (ActionNotPossible, IndexError, ValueError):
        return _page(request, version, outline, before, problem="stale", typed=typed)
    if action in _KEPT_IN_THE_FIELD and sent.values:
        return _page(request, version, outline, after, typed=typed)
    return _page(request, version, outline, after, answered=sent.values if action == "answers" else ())


def _answered(request: HttpRequest, outline: Outline, before: Preview, sent: Submission) -> Preview:
    return preview_answer(outline, before, sent.reply(outline.lesson.meta.language))


def _moded(request: HttpRequest, outline: Outline, before: Preview, sent: Submission) -> Preview:
    return preview_set_mode(before, Mode(request.POST.get("mode", "")))


def _jumped(request: HttpRequest, outline: Outline, before: Preview, sent: Submission) -> Preview:
    return preview_jump(outline, before, int(request.POST.get("step", "")))


def _simple(action: str) -> Callable[[HttpRequest, Outline, Preview, Submission], Preview]:
    return lambda request, outline, before, sent: preview_act(outline, before, action)


_ACTIONS: dict[str, Callable[[HttpRequest, Outline, Preview, Submission], Preview]] = {
    "answers": _answered,
    "mode": _moded,
    "jump": _jumped,
    **{action: _simple(action) for action in ("continue", "hint", "skip", "report")},
}


def _version(version_id: int) -> LessonVersion:
    version = LessonVersion.objects.select_related("lesson").defer("source", "summary").filter(pk=version_id).first()
    if version is None:
        raise Http404
    return version


def _begin(request: HttpRequest, outline: Outline, version: LessonVersion) -> Preview:
    author = cast(User, request.user).pk
    return preview_begin(outline, version_id=version.pk, author_id=author, voided=voided_codes(version.pk))


def _page(
    request: HttpRequest,
    version: LessonVersion,
    outline: Outline,
    shown: Preview,
    *,
    problem: str = "",
    typed: Typed | None = None,
    answered: tuple[str, ...] = (),
) -> HttpResponse:
    verdict = shown.state.notice.verdict if shown.state.notice else None
    page = player_page(
        shown.session(),
        outline,
        shown.state,
        preview_budget(outline.lesson),
        typed=typed,
        answered=answered if verdict and not verdict.no_attempt else (),
        problem=problem,
    )
    page = replace(
        page,
        address=reverse("admin:lesson_engine_lessonversion_preview", args=[version.pk]),
        preview=PreviewBar(version, preview_sealed(shown), _steps(outline), shown.state.cursor),
    )
    if shown.state.phase != "finished":
        context = {"page": page, "goals": goals_tried(outline, shown.state)}
        return render_part(request, "lesson_engine/player.html", "player", context)
    results, goals = results_view(outline, shown.state), goals_tried(outline, shown.state)
    context = {"page": page, "results": results, "goals": goals}
    return render_part(request, "lesson_engine/finished.html", "player", context)


def _steps(outline: Outline) -> tuple[tuple[str, tuple[tuple[int, str], ...]], ...]:
    """Where one can jump to: the steps of each moment by their index in the lesson."""
    listed = outline.places[:STEPS_LISTED]
    return tuple(
        (moment.title, tuple((place.index, _step(place)) for place in listed if place.moment == at))
        for at, moment in enumerate(outline.lesson.moments)
    )


def _step(place: Place) -> str:
    step = place.step
    title = step.code if isinstance(step, Ask) else step.title or Truncator(step.body or "").words(6)
    return f"{place.index + 1}. {step_name(step.type)}: {title}"
