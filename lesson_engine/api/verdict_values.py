"""Verdicts, reviews and agreement as API values. What a verdict is worth is decided elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from core.pages.markup import formatted
from lesson_engine.api.contracts.verdicts import (
    Explanation,
    GroupReviewed,
    JudgedQuestion,
    MemberReviewed,
    ReviewedSession,
    ReviewMade,
    ReviewOutcome,
    ReviewRefusal,
    VerdictDetail,
    VerdictItem,
    VerdictLesson,
    VerdictReplay,
    VerdictReviewItem,
)
from lesson_engine.api.sessions import turn_verdict
from lesson_engine.contracts import Ask, Verdict
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, TurnStillRunning
from lesson_engine.explanations import Judged, for_staff, rule_in_words
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.outcomes.expected import reference_answers
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.player.state import OwnWord
from lesson_engine.player.zones import own_word
from lesson_engine.services.group_reviewing import MemberDecided
from lesson_engine.services.replaying import verdict_replay
from lesson_engine.services.turns import state_of


def verdict_item(turn: Turn, review: VerdictReview | None = None) -> VerdictItem:
    """A judged answer. Needs its words and its session with lesson and version. No query for a version known here."""
    said = _own_word(turn) or _own_word(review)
    return VerdictItem(**_common(turn), own_word=said, review=review_item(review) if review else None)


def verdict_detail(turn: Turn, reviews: Sequence[VerdictReview]) -> VerdictDetail:
    """The same with all reviews, which come the latest first, and graded once more."""
    items = tuple(map(review_item, reviews))
    current = next((item for item in items if item.current), None)
    replay = VerdictReplay.from_object(verdict_replay(turn))
    return VerdictDetail(**_common(turn), own_word=_own_word(turn), review=current, reviews=items, replay=replay)


def _own_word(row: Turn | VerdictReview | None) -> OwnWord | None:
    """What the learner said of the answer, from a row that the workbench selected."""
    result = getattr(row, "own_word", None)
    return own_word(result) if result else None


def review_item(review: VerdictReview) -> VerdictReviewItem:
    """Needs the row's `by`."""
    return VerdictReviewItem.from_object(review, by=review.by.get_username(), takes_back=review.takes_back_id)


def review_outcome(review: VerdictReview, session: Session) -> ReviewOutcome:
    """What the session, as it is now, comes to with the review."""
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    outcomes = outcomes_of(outline, state)
    return ReviewOutcome(
        review=ReviewMade.from_object(review, by=review.by.get_username(), takes_back=review.takes_back_id),
        rescored=review.rescoring_id is not None,
        session=ReviewedSession(
            id=session.pk,
            version=session.version,
            outcome=state.record(review.ask_code).outcome,
            percent=outcomes.percent,
            **asdict(outcomes),
        ),
    )


def group_reviewed(ids: Sequence[int], members: Sequence[MemberDecided]) -> GroupReviewed:
    """What came of each of these ids; one without a member is no verdict. One query."""
    by_id = {member.turn.pk: member for member in members}
    sessions = Session.objects.in_bulk([member.turn.session_id for member in members])
    return GroupReviewed(results=tuple(_member(pk, by_id.get(pk), sessions) for pk in ids))


def _member(pk: int, member: MemberDecided | None, sessions: Mapping[UUID, Session]) -> MemberReviewed:
    if member is None:
        refusal = ReviewRefusal(code="not-found", detail="There is no such verdict.")
        return MemberReviewed(id=pk, stored=False, outcome=None, refusal=refusal)
    if member.review is None:
        return MemberReviewed(id=pk, stored=False, outcome=None, refusal=_refusal(member))
    outcome = review_outcome(member.review, sessions[member.turn.session_id])
    return MemberReviewed(id=pk, stored=member.is_new, outcome=outcome, refusal=None)


def _refusal(member: MemberDecided) -> ReviewRefusal:
    refusal = member.refusal
    # A review names no version; what helps is to send it again.
    code = refusal.code if isinstance(refusal, ReviewedMeanwhile | ActionNotPossible) else TurnStillRunning.code
    return ReviewRefusal.model_validate({"code": code, "detail": str(refusal)})


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
