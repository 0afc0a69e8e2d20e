"""Verdicts, reviews and agreement as API values. What a verdict is worth is decided elsewhere."""

from collections.abc import Sequence
from dataclasses import asdict

from lesson_engine.api.texts import formatted
from lesson_engine.api.turn_values import turn_verdict
from lesson_engine.api_contracts import (
    AgreementNumbers,
    AgreementReport,
    Explanation,
    JudgedQuestion,
    QuestionAgreement,
    ReviewedSession,
    ReviewMade,
    ReviewOutcome,
    VerdictDetail,
    VerdictItem,
    VerdictLesson,
    VerdictReviewItem,
)
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.expected import reference_answers
from lesson_engine.explanations import Judged, for_staff, rule_in_words
from lesson_engine.models import LessonVersion, Session, Turn, VerdictReview
from lesson_engine.results import outcomes_of
from lesson_engine.reviewed import AgreementRow
from lesson_engine.services.turns import state_of


def verdict_item(turn: Turn, review: VerdictReview | None = None) -> VerdictItem:
    """A judged answer. Needs its words and its session with lesson and version. No query for a version known here."""
    return VerdictItem.model_validate(_common(turn) | {"review": review and review_item(review)})


def verdict_detail(turn: Turn, reviews: Sequence[VerdictReview]) -> VerdictDetail:
    """The same with all reviews, which come the latest first."""
    said = tuple(map(review_item, reviews))
    current = next((one for one in said if one.current), None)
    return VerdictDetail.model_validate(_common(turn) | {"review": current, "reviews": said})


def review_item(review: VerdictReview) -> VerdictReviewItem:
    """Needs who made it."""
    return VerdictReviewItem.model_validate(_made(review) | {"note": review.note, "current": review.current})


def review_outcome(review: VerdictReview, session: Session) -> ReviewOutcome:
    """What the session, as it is now, comes to with the review."""
    outline, state = outline_of(session.lesson_version_id), state_of(session)
    return ReviewOutcome(
        review=ReviewMade.model_validate(_made(review)),
        rescored=review.rescoring_id is not None,
        session=ReviewedSession.model_validate(
            {
                "id": session.pk,
                "version": session.version,
                "outcome": state.record(review.ask_code).outcome,
                **outcomes_of(outline, state).as_data(),
            }
        ),
    )


def agreement_report(graders: Sequence[AgreementRow], questions: Sequence[AgreementRow]) -> AgreementReport:
    """Both kinds of rows."""
    return AgreementReport(
        graders=tuple(AgreementNumbers.model_validate(_numbers(row)) for row in graders),
        questions=tuple(
            QuestionAgreement.model_validate({"lesson": row.lesson, "ask": row.ask_code, **_numbers(row)})
            for row in questions
        ),
    )


def _common(turn: Turn) -> dict[str, object]:
    version = turn.session.lesson_version
    ask = outline_of(version.pk).ask(turn.ask_code)
    said = _answer(turn, ask)
    return {
        "id": turn.pk,
        "session": turn.session_id,
        "turn": turn.version,
        "lesson": _lesson(turn.session, version),
        "question": _question(ask, version.language),
        "answer": said,
        "verdict": turn_verdict(turn),
        "explanation": _explanation(turn, ask, version.language, said or ""),
        "answered_at": turn.started_at,
    }


def _lesson(session: Session, version: LessonVersion) -> VerdictLesson:
    return VerdictLesson(
        slug=session.lesson.slug,
        title=version.title,
        language=version.language,
        version=version.number,
        sha256=version.sha256,
    )


def _question(ask: Ask, language: str) -> JudgedQuestion:
    return JudgedQuestion(
        code=ask.code,
        question=formatted(ask.question),
        objective=ask.objective,
        kind=ask.answer.kind,
        reference_answers=reference_answers(ask, language),
    )


def _answer(turn: Turn, ask: Ask) -> str | None:
    """What was written, or the texts of what was picked; None once it is erased."""
    words = turn.words
    texts = {choice.code: choice.text for choice in getattr(ask.answer, "choices", ())}
    picked = [texts.get(code, code) for code in words.choices or ()]
    return "; ".join(picked) if picked else words.text


def _explanation(turn: Turn, ask: Ask, language: str, said: str) -> Explanation:
    verdict = Verdict.model_validate(turn.verdict)
    found = for_staff(Judged(ask=ask, verdict=verdict, language=language, said=said))
    return Explanation(words=rule_in_words(verdict), found=tuple(line.text for line in found))


def _made(review: VerdictReview) -> dict[str, object]:
    return {
        "id": review.pk,
        "graded": VerdictResult(review.graded),
        "result": VerdictResult(review.result),
        "by": review.by.get_username(),
        "at": review.at,
        "drawn": review.drawn,
    }


def _numbers(row: AgreementRow) -> dict[str, object]:
    return {"grader": row.grader, "doubtful": row.doubtful, "share": row.numbers.share, **asdict(row.numbers)}
