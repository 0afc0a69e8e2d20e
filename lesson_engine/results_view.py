"""A finished session on the page."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.markup import markdown
from lesson_engine.expected import expected_answer
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.results import Results, Review, results_of


@dataclass(frozen=True)
class ReviewView:
    """A question to look at again."""

    question: SafeString
    expected: SafeString
    reason: str


@dataclass(frozen=True)
class ResultsView:
    """The results with what to review in HTML."""

    results: Results
    review: tuple[ReviewView, ...]


def results_view(outline: Outline, state: PlayerState) -> ResultsView:
    """The results of a finished session."""
    results = results_of(outline, state)
    return ResultsView(results, tuple(_review(review, outline.lesson.meta.language) for review in results.review))


def _review(review: Review, language: str) -> ReviewView:
    reason = {
        "mastered": _("It took %(attempts)s attempts.") % {"attempts": review.attempts},
        "skipped": _("You skipped it."),
    }.get(review.outcome, _("The answer was shown."))
    return ReviewView(markdown(review.ask.question), markdown(expected_answer(review.ask, language)), reason)
