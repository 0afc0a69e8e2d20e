"""A finished session on the page."""

from collections.abc import Collection
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
    review: Review


@dataclass(frozen=True)
class ResultsView:
    """The results with what to review in HTML. `undecided` is how many reported questions nobody has decided on yet."""

    results: Results
    review: tuple[ReviewView, ...]
    undecided: int


def results_view(outline: Outline, state: PlayerState, dismissed: Collection[str] = ()) -> ResultsView:
    """The results of a finished session. `dismissed` are the questions of which staff said that they are right."""
    results = results_of(outline, state)
    language = outline.lesson.meta.language
    review = tuple(review_view(review, language, review.ask.code in dismissed) for review in results.review)
    undecided = sum(one.outcome == "reported" and one.ask.code not in dismissed for one in results.review)
    return ResultsView(results, review, undecided)


def review_view(review: Review, language: str, dismissed: bool) -> ReviewView:
    """A question to look at again, with its answer. `dismissed`: the learner reported it, and staff let it stand."""
    decided = _("You reported it. Somebody looked at it, and it stays as it is.")
    attempts = {"attempts": review.attempts}
    accepted = _("Your teacher looked at your answer again and accepted it. It took %(attempts)s attempts.") % attempts
    reason = {
        "mastered": accepted if review.reviewed else _("It took %(attempts)s attempts.") % attempts,
        "skipped": _("You skipped it."),
        "reported": decided if dismissed else _("You reported it."),
        "missed": _("Your teacher looked at your answer again: something was still missing."),
    }.get(review.outcome, _("The answer was shown."))
    return ReviewView(markdown(review.ask.question), markdown(expected_answer(review.ask, language)), reason, review)
