"""Verdicts, reviews and agreement as API values. What a verdict is worth is decided elsewhere."""

from collections.abc import Sequence
from typing import Any

from core.pages.markup import formatted
from lesson_engine.api.contracts.verdicts import (
    Explanation,
    JudgedQuestion,
    ReviewedSession,
    ReviewMade,
    ReviewOutcome,
    VerdictDetail,
    VerdictItem,
    VerdictLesson,
    VerdictReviewItem,
)
from lesson_engine.api.sessions import turn_verdict
from lesson_engine.contracts import Ask, Verdict
from lesson_engine.explanations import Judged, for_staff, rule_in_words
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.outcomes.expected import reference_answers
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.services.turns import state_of


def verdict_item(turn: Turn, review: VerdictReview | None = None) -> VerdictItem:
    """A judged answer. Needs its words and its session with lesson and version. No query for a version known here."""
    return VerdictItem(**_common(turn), review=review_item(review) if review else None)


def verdict_detail(turn: Turn, reviews: Sequence[VerdictReview]) -> VerdictDetail:
    """The same with all reviews, which come the latest first."""
    items = tuple(map(review_item, reviews))
    return VerdictDetail(**_common(turn), review=next((item for item in items if item.current), None), reviews=items)


def review_item(review: VerdictReview) -> VerdictReviewItem:
    """Needs the row's `by`."""
    return VerdictReviewItem.from_object(review, by=review.by.get_username())


def review_outcome(review: VerdictReview, session: Session) -> ReviewOutcome:
    """What the session, as it is now, comes to with the review."""
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    return ReviewOutcome(
        review=ReviewMade.from_object(review, by=review.by.get_username()),
        rescored=review.rescoring_id is not None,
        session=ReviewedSession(
            id=session.pk,
            version=session.version,
            outcome=state.record(review.ask_code).outcome,
            **outcomes_of(outline, state).as_data(),
        ),
    )


def _common(turn: Turn) -> dict[str, Any]:
    version = turn.session.lesson_version
    ask = outline_of(version.pk).ask(turn.ask_code)
    verdict = Verdict.model_validate(turn.verdict)
    lines = for_staff(Judged(ask=ask, verdict=verdict, language=version.language))
    return {
        "id": turn.pk,
        "session": turn.session_id,
        "turn": turn.version,
        "lesson": VerdictLesson.from_object(version, slug=turn.session.lesson.slug, version=version.number),
        "question": JudgedQuestion.from_object(
            ask,
            question=formatted(ask.question),
            kind=ask.answer.kind,
            reference_answers=reference_answers(ask, version.language),
        ),
        "answer": _answer(turn, ask),
        "verdict": turn_verdict(turn, verdict),
        "explanation": Explanation(words=rule_in_words(verdict), found=tuple(line.text for line in lines)),
        "answered_at": turn.started_at,
    }


def _answer(turn: Turn, ask: Ask) -> str | None:
    """What was written, or the texts of what was picked; None once it is erased."""
    words = turn.words
    texts = {choice.code: choice.text for choice in getattr(ask.answer, "choices", ())}
    picked = [texts.get(code, code) for code in words.choices or ()]
    return "; ".join(picked) if picked else words.text
