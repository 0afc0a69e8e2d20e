"""Pages of the admin for authors: publish, retire, compare, and how answers fared."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from core.pages.markup import markdown
from lesson_engine.authoring.answer_statistics import MOST_SESSIONS, MOST_TURNS, AskStatistics, Scope, answer_statistics
from lesson_engine.authoring.comparison.compare import compare
from lesson_engine.authoring.pages import (
    asks_first,
    author_of,
    author_page,
    shows_only,
    state_of,
    version_or_404,
    with_state,
)
from lesson_engine.errors import LessonMovedOn
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, LessonVersion, Session
from lesson_engine.player.outline import Outline
from lesson_engine.services.lessons import lesson_publish, lesson_retire

VERSIONS_LISTED = 200
SESSIONS_COUNTED = 1_000


@asks_first
def publish(request: HttpRequest, version_id: int) -> HttpResponse:
    """Asks first, and says what it means for learners."""
    version = version_or_404(version_id)
    if request.method == "POST":
        try:
            done = lesson_publish(version=version, by=author_of(request), seen=_seen(request))
        except LessonMovedOn:
            return _ask_again(request)
        names = {"number": version.number, "slug": version.lesson.slug}
        if done is None:
            messages.info(request, _("Version %(number)s of %(slug)s was published already.") % names)
        else:
            messages.success(request, _("Version %(number)s of %(slug)s is what learners get now.") % names)
        return redirect("admin:lesson_engine_lessonversion_change", version.pk)
    context = {"version": version, "lesson": version.lesson, **_under_way(version.lesson)}
    return author_page(request, LessonVersion, "lessonversion/publish", _("Publish this version?"), context)


@asks_first
def retire(request: HttpRequest, lesson_id: int) -> HttpResponse:
    """Asks first, and says what it means for learners."""
    lesson = _lesson(lesson_id)
    if request.method == "POST":
        try:
            done = lesson_retire(lesson=lesson, by=author_of(request), seen=_seen(request))
        except LessonMovedOn:
            return _ask_again(request)
        if done is None:
            messages.info(request, _("No session of %(slug)s could begin anyway.") % {"slug": lesson.slug})
        else:
            messages.success(
                request, _("The lesson %(slug)s is retired: no session begins any more.") % {"slug": lesson.slug}
            )
        return redirect("admin:lesson_engine_lesson_change", lesson.pk)
    context = {"lesson": lesson, **_under_way(lesson)}
    return author_page(request, Lesson, "lesson/retire", _("Retire this lesson?"), context)


@shows_only
def comparison(request: HttpRequest, lesson_id: int) -> HttpResponse:
    """Two versions step by step: by default from what learners get now to the latest one."""
    lesson = _lesson(lesson_id)
    listed = list(with_state(lesson.versions.defer("source", "summary")).order_by("-number")[:VERSIONS_LISTED])
    if not listed:
        raise Http404
    by_number = {str(version.number): version for version in listed}
    new = by_number.get(request.GET.get("new", ""), listed[0])
    current = next((version for version in listed if version.pk == lesson.current_id and version != new), None)
    earlier = next((version for version in listed if version.number < new.number), new)
    old = by_number.get(request.GET.get("old", ""), current or earlier)
    context = {
        "lesson": lesson,
        "versions": [(version, state_of(version).label) for version in listed],
        "old": old,
        "new": new,
        "comparison": compare(outline_of(old.pk), outline_of(new.pk)),
    }
    return author_page(request, Lesson, "lesson/compare", _("Compare two versions"), context)


@shows_only
def version_answers(request: HttpRequest, version_id: int) -> HttpResponse:
    """How answers to each question of a version fared."""
    version = version_or_404(version_id)
    title = _("How answers fared: %(title)s, version %(number)s") % {"title": version.title, "number": version.number}
    return _answers(request, LessonVersion, "version", version.pk, version, title)


@shows_only
def lesson_answers(request: HttpRequest, lesson_id: int) -> HttpResponse:
    """The same over all versions of a lesson, each question as the latest version asks it."""
    lesson = _lesson(lesson_id)
    latest = lesson.versions.defer("source", "summary").order_by("-number").first()
    if latest is None:
        raise Http404
    title = _("How answers fared: %(slug)s, all versions") % {"slug": lesson.slug}
    return _answers(request, Lesson, "lesson", lesson.pk, latest, title)


@dataclass(frozen=True)
class QuestionView:
    """A question with its numbers. `question` is empty where the version does not ask it."""

    question: str
    numbers: AskStatistics
    shares: tuple[tuple[str, float, float], ...]


def _answers(
    request: HttpRequest, model: type[Any], scope: Scope, pk: int, version: LessonVersion, title: str
) -> HttpResponse:
    statistics, outline = answer_statistics(scope, pk), outline_of(version.pk)
    codes = [*outline.asks, *sorted(set(statistics.asks) - set(outline.asks))]
    context = {
        "version": version,
        "scope": scope,
        "statistics": statistics,
        "asks": [_question(outline, statistics.asks.get(code) or AskStatistics(code)) for code in codes],
        "bounded": statistics.turns >= MOST_TURNS or statistics.sessions >= MOST_SESSIONS,
    }
    return author_page(request, model, "answers", title, context)


def _question(outline: Outline, numbers: AskStatistics) -> QuestionView:
    question = markdown(outline.ask(numbers.code).question) if numbers.code in outline.asks else ""
    shares, begin = [], 0.0
    for name in ("accepted", "partial", "rejected", "not_gradable", "doubtful"):
        width = round(100 * getattr(numbers, name) / numbers.answers, 2) if numbers.answers else 0
        shares.append((name, begin, width))
        begin += width
    return QuestionView(question, numbers, tuple(shares))


def _seen(request: HttpRequest) -> int | None:
    """The number of the version that was current when the page was shown, 0 for none."""
    number = request.POST.get("seen", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 10 else None


def _ask_again(request: HttpRequest) -> HttpResponse:
    messages.warning(request, _("Somebody else has published or retired this lesson since. Nothing was done."))
    return HttpResponseRedirect(request.path)


def _under_way(lesson: Lesson) -> dict[str, int]:
    """How many sessions stay where they are, counted no further than is worth saying."""
    sessions = Session.objects.filter(lesson=lesson, status=Session.Status.ACTIVE).order_by()
    return {"sessions": sessions[:SESSIONS_COUNTED].count(), "most": SESSIONS_COUNTED}


def _lesson(lesson_id: int) -> Lesson:
    lessons = Lesson.objects.select_related("current").defer("current__source", "current__summary")
    if (lesson := lessons.filter(pk=lesson_id).first()) is None:
        raise Http404
    return lesson
