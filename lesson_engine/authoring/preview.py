"""Playing a version as a learner would, without leaving traces: the state of the player travels in the page itself.

The same player and the same grading as in a session, but for what staff said of earlier answers: the author sees what
the lesson itself does. Nothing is stored. The value is signed, so that an author plays only what they were given, and
it expires.
"""

import uuid
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.text import Truncator
from pydantic import ValidationError

from core.contracts import Contract
from core.pages.htmx import render_part
from gateway.contracts import MICROCENTS, Budget
from lesson_engine.authoring.pages import asks_first, author_of, shows_only, version_or_404
from lesson_engine.contracts import Ask, Lesson, Reply
from lesson_engine.errors import ActionNotPossible
from lesson_engine.learn.player_page import PreviewBar, player_page
from lesson_engine.learn.results import goals_tried, results_view
from lesson_engine.learn.submissions import Submission, submission
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, Mode, Session
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import OwnWord, PlayerState
from lesson_engine.player.step_names import step_name
from lesson_engine.selectors import voided_codes
from lesson_engine.services.answering import judge
from lesson_engine.services.sessions import budget_limits
from lesson_engine.trial import is_tried

LASTS = timedelta(hours=12)
_SALT = "lesson_engine.preview"
STEPS_LISTED = 1_000
_ACTIONS = ("answers", "mode", "jump", "continue", "hint", "skip", "report", "compare", "self-assessment")
_KEPT_IN_THE_FIELD = ("hint", "mode")


class PreviewRefused(Exception):
    """The value of a preview that was changed, is too old, or was given for another version or author."""


class Preview(Contract):
    """An author's state in a version; `turn` counts what they did, `answered` is what they answered last."""

    id: uuid.UUID
    version_id: int
    author_id: int
    mode: Mode = Mode.DETERMINISTIC
    turn: int = 0
    answered: tuple[str, ...] = ()
    state: PlayerState

    def session(self) -> Session:
        """What the player's page shows of a session; it is never saved."""
        over = self.state.phase == "finished"
        status = Session.Status.FINISHED if over else Session.Status.ACTIVE
        return Session(id=self.id, mode=self.mode, version=self.turn, status=status)


def preview_begin(outline: Outline, *, version_id: int, author_id: int, voided: Iterable[str] = ()) -> Preview:
    """At the first step; `voided` are the questions that were withdrawn, which are not asked."""
    state = machine.begin(outline, voided)
    return Preview(id=uuid.uuid4(), version_id=version_id, author_id=author_id, state=state)


def preview_sealed(preview: Preview) -> str:
    """The preview as a text that only we can make."""
    data = preview.model_dump(mode="json", exclude_defaults=True)
    return TimestampSigner(salt=_SALT).sign_object(data, compress=True)


def preview_opened(sealed: str, *, version_id: int, author_id: int) -> Preview:
    """Raises `PreviewRefused` for what is not this author's preview of this version, or older than `LASTS`."""
    try:
        preview = Preview.model_validate(TimestampSigner(salt=_SALT).unsign_object(sealed, max_age=LASTS))
    except (BadSignature, ValidationError) as error:  # the latter: the player has changed since
        raise PreviewRefused("This preview cannot be read any more.") from error
    if (preview.version_id, preview.author_id) != (version_id, author_id):
        raise PreviewRefused("This preview is of another version or somebody else's.")
    return preview


def preview_act(outline: Outline, preview: Preview, action: str) -> Preview:
    """An action without words. Raises `ActionNotPossible` where the session's page would not offer it."""
    change = {
        "continue": machine.proceed,
        "hint": machine.show_hint,
        "skip": machine.skip,
        "report": machine.report,
        "compare": machine.compare,
    }[action]
    return _moved(preview, change(outline, preview.state))


def preview_answer(outline: Outline, preview: Preview, reply: Reply) -> Preview:
    """Judge a reply as a session without examples does. Raises `ActionNotPossible` where no answer is awaited."""
    machine.require_answer_awaited(preview.state)
    after = _moved(preview, judge(outline, preview.state, preview.mode, reply).state)
    return after.model_copy(update={"answered": reply.choices or (reply.text,)})


def preview_self_assess(outline: Outline, preview: Preview, word: OwnWord | None) -> Preview:
    """Take the author's word on the answer that they compared. Raises `ActionNotPossible` where nothing is compared."""
    if word is None:
        raise ActionNotPossible("One of yes, partly and no is needed.")
    return _moved(preview, machine.self_assess(outline, preview.state, word))


def preview_set_mode(preview: Preview, mode: Mode) -> Preview:
    return preview.model_copy(update={"mode": mode, "turn": preview.turn + 1})


def preview_jump(outline: Outline, preview: Preview, index: int) -> Preview:
    """Go to any step. Raises `IndexError` for one that there is not."""
    return _moved(preview, machine.arrive_at(outline, preview.state, index))


def preview_budget(lesson: Lesson) -> Budget:
    """What a session would begin with."""
    limits = budget_limits(lesson.policy)
    return Budget(
        limit=limits.cents * MICROCENTS,
        spent=0,
        held=0,
        escalations_limit=limits.escalations,
        escalations_used=0,
        thinker_floor=limits.thinker_floor_cents * MICROCENTS,
        economy_floor=limits.economy_floor_cents * MICROCENTS,
    )


def _moved(preview: Preview, state: PlayerState) -> Preview:
    return preview.model_copy(update={"state": state, "turn": preview.turn + 1})


@shows_only
def preview(request: HttpRequest, version_id: int) -> HttpResponse:
    version = version_or_404(version_id)
    outline = outline_of(version.pk)
    return _page(request, version, outline, _begin(request, outline, version))


@asks_first
def preview_action(request: HttpRequest, version_id: int, action: str) -> HttpResponse:
    """What came of an action. A request that only opens its address is led to the beginning."""
    if action not in _ACTIONS:
        raise Http404
    if request.method != "POST":
        return redirect("admin:lesson_engine_lessonversion_preview", version_id)
    version = version_or_404(version_id)
    outline = outline_of(version.pk)
    try:
        before = preview_opened(request.POST.get("state", ""), version_id=version.pk, author_id=author_of(request).pk)
    except PreviewRefused:
        fresh = _begin(request, outline, version)
        return _page(request, version, outline, fresh, problem="preview")
    sent = submission(request.POST)
    try:
        after = _act(request, outline, before, sent, action)
    except (ActionNotPossible, IndexError, ValueError):
        return _page(request, version, outline, before, problem="stale", typed=sent)
    if action in _KEPT_IN_THE_FIELD and sent.values:
        return _page(request, version, outline, after, typed=sent)
    return _page(request, version, outline, after)


def _act(request: HttpRequest, outline: Outline, before: Preview, sent: Submission, action: str) -> Preview:
    match action:
        case "answers":
            return preview_answer(outline, before, sent.reply(outline.lesson.meta.language))
        case "mode":
            return preview_set_mode(before, Mode(request.POST.get("mode", "")))
        case "jump":
            return preview_jump(outline, before, int(request.POST.get("step", "")))
        case "self-assessment":
            return preview_self_assess(outline, before, sent.word)
    return preview_act(outline, before, action)


def _begin(request: HttpRequest, outline: Outline, version: LessonVersion) -> Preview:
    author_id = author_of(request).pk
    return preview_begin(outline, version_id=version.pk, author_id=author_id, voided=voided_codes(version.pk))


def _page(
    request: HttpRequest,
    version: LessonVersion,
    outline: Outline,
    shown: Preview,
    *,
    problem: str = "",
    typed: Submission | None = None,
) -> HttpResponse:
    verdict = shown.state.notice.verdict if shown.state.notice else None
    page = player_page(
        shown.session(),
        outline,
        shown.state,
        preview_budget(outline.lesson),
        typed=typed,
        answered=shown.answered if verdict and not verdict.no_attempt else (),
        problem=problem,
    )
    page = replace(
        page,
        address=reverse("admin:lesson_engine_lessonversion_preview", args=[version.pk]),
        preview=PreviewBar(
            version, preview_sealed(shown), _steps(outline), shown.state.cursor, _trial_url(version, outline, shown)
        ),
    )
    context: dict[str, object] = {"page": page, "goals": goals_tried(outline, shown.state)}
    if shown.state.phase != "finished":
        return render_part(request, "lesson_engine/player.html", "player", context)
    context |= {"results": results_view(outline, shown.state)}
    return render_part(request, "lesson_engine/finished.html", "player", context)


def _trial_url(version: LessonVersion, outline: Outline, shown: Preview) -> str:
    ask = machine.current_ask(outline, shown.state)
    if ask is None or not is_tried(ask):
        return ""
    return reverse("admin:lesson_engine_lessonversion_question_trial", args=[version.pk, ask.code])


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
