"""How the questions of a version would fare: pages for authors, before a learner meets them. Nothing is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import monotonic
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from core.pages.htmx import is_htmx
from core.pages.markup import markdown
from lesson_engine.authoring.pages import author_page, shows_only, version_or_404
from lesson_engine.explanations import NOT_SURE
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion
from lesson_engine.player.outline import Outline
from lesson_engine.services.answering import AskEmbedder
from lesson_engine.trial import (
    QuestionTrial,
    Try,
    WarningKind,
    is_tried,
    question_trial,
    suggestion_text,
    warning_text,
)

SECONDS: Final = 5.0
"""After which a page of a version begins no other question; one takes about a second the first time."""
TRIED_AT_ONCE: Final = 20
"""Questions of a page at most."""
_TEMPLATE = "lessonversion/trial"
_MADE_OF: Final[dict[str, str | Promise]] = {
    "accepted": gettext_lazy("accepted answer, left out"),
    "example": gettext_lazy("example of a misconception, left out"),
    "capitals": gettext_lazy("accepted answer in capitals"),
    "no_accents": gettext_lazy("accepted answer without accents"),
    "slip": gettext_lazy("accepted answer with a slip of the keyboard"),
    "no_stop": gettext_lazy("accepted answer without its full stop"),
    "denied": gettext_lazy("accepted answer, denied"),
}
_ZONES: Final[dict[str, str | Promise]] = {
    "sure_right": pgettext_lazy("verdict", "Right"),
    "sure_partly": pgettext_lazy("verdict", "Partly right"),
    "sure_wrong": pgettext_lazy("verdict", "Wrong"),
    "not_sure": NOT_SURE,
    "not_graded": pgettext_lazy("verdict", "Not an answer"),
}
_EXPECTED: Final = {"right": _ZONES["sure_right"], "wrong": _ZONES["sure_wrong"]}


@dataclass(frozen=True)
class TryView:
    """A try with its facts in words."""

    tried: Try
    made_of: str | Promise
    expected: str | Promise
    found: str | Promise


@dataclass(frozen=True)
class QuestionView:
    """A question with its trial; `warnings` are sentences, each with what to do, the strongest first."""

    code: str
    question: SafeString
    trial: QuestionTrial
    warnings: tuple[tuple[str, str], ...]

    @property
    def tries(self) -> list[TryView]:
        """Those first that did not come out as expected."""
        by_outcome = ("opposite", "unclear", "as_expected")
        ordered = sorted(self.trial.tries, key=lambda tried: by_outcome.index(tried.outcome))
        return [
            TryView(tried, _MADE_OF[tried.made_of], _EXPECTED[tried.expected], _ZONES[tried.zone]) for tried in ordered
        ]

    @property
    def counts(self) -> dict[str, int]:
        """How many tries came out as expected, unclear, or as the opposite."""
        outcomes = [tried.outcome for tried in self.trial.tries]
        return {outcome: outcomes.count(outcome) for outcome in ("as_expected", "unclear", "opposite")}


@shows_only
def version_trial(request: HttpRequest, version_id: int) -> HttpResponse:
    """The questions from `from` on, those with the strongest warnings first, and a link to the next ones."""
    version = version_or_404(version_id)
    outline = outline_of(version.pk)
    codes = [code for code in outline.asks if is_tried(outline.ask(code))]
    start = _start(request.GET.get("from", ""), len(codes))
    views = list(_questions(outline, version.pk, codes[start : start + TRIED_AT_ONCE]))
    end = start + len(views)
    bounds = {"first": start + 1, "last": end, "total": len(codes), "next": end if end < len(codes) else None}
    title = _("How it would fare: %(title)s, version %(number)s") % {"title": version.title, "number": version.number}
    context = {"version": version, "questions": sorted(views, key=_urgency), **bounds}
    return author_page(request, LessonVersion, _TEMPLATE, title, context)


@shows_only
def version_question_trial(request: HttpRequest, version_id: int, code: str) -> HttpResponse:
    """One question; for htmx only the part with its trial, which the preview shows."""
    version = version_or_404(version_id)
    outline = outline_of(version.pk)
    if code not in outline.asks or not is_tried(outline.ask(code)):
        raise Http404
    context: dict[str, Any] = {"version": version, "questions": [_question(outline, version.pk, code)]}
    if is_htmx(request):
        return render(request, f"admin/lesson_engine/{_TEMPLATE}.html#trials", context)
    title = _("How it would fare: %(code)s") % {"code": code}
    return author_page(request, LessonVersion, _TEMPLATE, title, {**context, "alone": True})


@lru_cache(maxsize=512)
def trial_of(version_id: int, code: str) -> QuestionTrial:
    """A version never changes, and the grader not before the process ends."""
    outline = outline_of(version_id)
    ask, language = outline.ask(code), outline.lesson.meta.language
    return question_trial(ask, language=language, embed=AskEmbedder(ask), vocabulary=outline.vocabulary)


def _questions(outline: Outline, version_id: int, codes: Sequence[str]) -> Iterator[QuestionView]:
    """As many of the questions as there is time for, at least the first."""
    begun = monotonic()
    for code in codes:
        yield _question(outline, version_id, code)
        if monotonic() - begun > SECONDS:
            break


def _question(outline: Outline, version_id: int, code: str) -> QuestionView:
    trial = trial_of(version_id, code)
    warnings = tuple((warning_text(warning), suggestion_text(warning)) for warning in trial.warnings)
    return QuestionView(code, markdown(outline.ask(code).question), trial, warnings)


def _urgency(view: QuestionView) -> tuple[int, int]:
    """By the strongest warning, then by how many there are; questions without warnings last."""
    ranks = [warning.kind.rank for warning in view.trial.warnings]
    return min(ranks, default=len(WarningKind)), -len(ranks)


def _start(text: str, total: int) -> int:
    """Where a page begins: a number as sent, within the questions there are; else at the first."""
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0
    return number if number < total else 0
