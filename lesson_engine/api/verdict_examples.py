"""Examples of verdicts for the documentation page, as values of the contracts."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from core.contracts import Contract
from lesson_engine.agreement import agreement_of
from lesson_engine.api.texts import formatted
from lesson_engine.api.verdict_values import agreement_report
from lesson_engine.api_contracts import (
    Explanation,
    JudgedQuestion,
    ReviewedSession,
    ReviewMade,
    ReviewOutcome,
    TurnVerdict,
    VerdictDetail,
    VerdictItem,
    VerdictLesson,
    VerdictReviewItem,
)
from lesson_engine.contracts import TopicDeviation, VerdictResult
from lesson_engine.reviewed import AgreementRow

_ANSWERED = datetime(2026, 1, 1, 12, 2, tzinfo=UTC)
_SESSION = UUID("6f1c9a52-5d0e-4c53-9a3e-0d6f0a4b7c11")
_REVIEW = ReviewMade(
    id=12,
    graded=VerdictResult.PARTIAL,
    result=VerdictResult.ACCEPT,
    by="staff",
    at=_ANSWERED + timedelta(hours=1),
    drawn=False,
)
_KEPT = VerdictReviewItem(**_REVIEW.model_dump(), note="Both reasons are there, in other words.", current=True)
_VERDICT = VerdictItem(
    id=417,
    session=_SESSION,
    turn=4,
    lesson=VerdictLesson(
        slug="fotosintesis",
        title="Fotosíntesis: comida hecha de luz y aire",
        language="es",
        version=1,
        sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    question=JudgedQuestion(
        code="importancia",
        question=formatted("¿Por qué dependen los animales de la fotosíntesis? Da **dos** razones."),
        objective="Explicar quién depende de la fotosíntesis y por qué",
        kind="open",
        reference_answers=("De la fotosíntesis vienen el alimento de todos y el oxígeno que respiramos.",),
    ),
    answer="Porque comemos plantas, o animales que las comen, y el aire se renueva.",
    verdict=TurnVerdict(
        result=VerdictResult.PARTIAL,
        rule="open.semantic",
        score=0.55,
        grader="2",
        doubtful=True,
        no_attempt=False,
        misconception=None,
        deviation=TopicDeviation.ON_TOPIC,
    ),
    explanation=Explanation(
        words="The meaning of your answer was compared with the answers the author wrote down.",
        found=("An idea was missing: “oxígeno”.",),
    ),
    review=None,
    answered_at=_ANSWERED,
)
_ACCEPT, _PARTIAL, _REJECT = VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT
_SURE = AgreementRow(
    "", "", "2", doubtful=False, numbers=agreement_of({(_ACCEPT, _ACCEPT): 30, (_REJECT, _REJECT): 20})
)
_DOUBTFUL = AgreementRow(
    *("fotosintesis", "importancia", "2"),
    doubtful=True,
    numbers=agreement_of(
        {(_PARTIAL, _PARTIAL): 11, (_PARTIAL, _ACCEPT): 4, (_ACCEPT, _PARTIAL): 2, (_REJECT, _REJECT): 8}
    ),
)


def _json(value: Contract) -> Any:
    return value.model_dump(mode="json", by_alias=True)


VERDICT = _json(_VERDICT)
VERDICT_REVIEWED = _json(
    VerdictDetail.model_validate(
        {**_VERDICT.model_dump(), "review": _KEPT.model_dump(), "reviews": (_KEPT.model_dump(),)}
    )
)
REVIEWED = _json(
    ReviewOutcome(
        review=_REVIEW,
        rescored=True,
        session=ReviewedSession(
            id=_SESSION,
            version=9,
            outcome="mastered",
            questions=16,
            mastered=14,
            shown=1,
            skipped=1,
            reported=0,
            missed=0,
            percent=88,
        ),
    )
)
AGREEMENT = _json(agreement_report([_SURE, replace(_DOUBTFUL, lesson="", ask_code="")], [_DOUBTFUL]))
