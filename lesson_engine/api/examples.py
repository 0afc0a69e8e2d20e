"""Examples for the documentation page: values of the contracts, so that they cannot say what the API would not."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from core.contracts import Contract
from gateway.contracts import BudgetMode
from lesson_engine.api.texts import formatted
from lesson_engine.api_contracts import (
    AskedQuestion,
    LastTurn,
    LastVerdict,
    LessonDetail,
    LessonMoment,
    LessonSkill,
    LessonSummary,
    Progress,
    ProgressMoment,
    SessionBudget,
    SessionDetail,
    SessionLesson,
    SessionSpent,
    SessionSummary,
    ShownStep,
    TurnRecord,
    TurnVerdict,
)
from lesson_engine.contracts import TopicDeviation, VerdictResult

_BEGUN = datetime(2026, 1, 1, 12, tzinfo=UTC)
_LATER = _BEGUN + timedelta(minutes=2)
_LESSON = LessonSummary(
    slug="fotosintesis",
    title="Fotosíntesis: comida hecha de luz y aire",
    language="es",
    summary="De dónde sale la masa de un árbol y qué ocurre dentro de una hoja.",
    version=1,
    sha256="9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    steps=31,
    questions=16,
)
_READING = ShownStep(
    type="CONTENT",
    name="Reading",
    title="Una cadena que empieza en la luz",
    body=formatted("Piensa en tu última comida. El pan fue **trigo**."),
    items=(),
)
_QUESTION = AskedQuestion(
    code="importancia",
    question=formatted("¿Por qué dependen los animales de la fotosíntesis? Da **dos** razones."),
    kind="open",
    control="textarea",
    instruction="In your own words; a sentence or two is enough.",
    unit=None,
    choices=(),
    hints=(formatted("Haz la lista de lo que tu cuerpo necesita **recibir** de fuera."),),
    hints_left=2,
    attempt=1,
    attempts=3,
    material=(_READING,),
    reread=False,
)
_VERDICT = LastVerdict(
    result=VerdictResult.PARTIAL,
    rule="open.keywords",
    words="Your answer was compared with the ideas that the author expects in it.",
    score=0.55,
    grader="1",
    misconception=None,
    deviation=TopicDeviation.ON_TOPIC,
)
_PARTLY_RIGHT = LastTurn(
    question="importancia",
    outcome="open",
    reported=False,
    reviewed=False,
    headline="You're on the right track: part of it is right.",
    verdict=_VERDICT,
    message=formatted("Vas bien. Falta la otra razón."),
    by_author=True,
    explanation=("1 of the 2 ideas is missing.",),
    expected=None,
    move=None,
)
_SKIPPED = LastTurn(
    question="importancia",
    outcome="skipped",
    reported=False,
    reviewed=False,
    headline="Skipped. Here is the answer.",
    verdict=None,
    message=None,
    by_author=False,
    explanation=(),
    expected=formatted("De la fotosíntesis vienen el alimento de todos y el oxígeno que respiramos."),
    move=None,
)
_PROGRESS = Progress(
    percent=10,
    place="moments[0].steps[3]",
    moments=(
        ProgressMoment(title="Por qué importa", state="current", percent=43),
        ProgressMoment(title="Qué entra y qué sale", state="ahead", percent=0),
    ),
)
_SESSION = SessionDetail(
    id=UUID("6f1c9a52-5d0e-4c53-9a3e-0d6f0a4b7c11"),
    lesson=SessionLesson(slug=_LESSON.slug, title=_LESSON.title, language="es", version=1),
    learner="learner-7",
    plan=UUID("0b0e8c1e-52c7-4a52-8a5e-9a1f0a6f4d11"),
    mode="deterministic",
    status="active",
    version=3,
    phase="reading",
    step=_READING,
    question=None,
    last_turn=None,
    actions=("continue",),
    progress=_PROGRESS,
    budget=SessionBudget(
        limit=100_000_000,
        spent=0,
        held=0,
        left=100_000_000,
        escalations_limit=5,
        escalations_used=0,
        mode=BudgetMode.FULL,
        spent_by_tier=SessionSpent(cheap=0, embed=0, thinker=0),
    ),
    results=None,
    started_at=_BEGUN,
    active_at=_LATER,
    finished_at=None,
)


def _json(value: Contract) -> Any:
    return value.model_dump(mode="json", by_alias=True)


def _with(**changes: Any) -> Any:
    """The session with changes, as JSON."""
    return _json(_SESSION.model_copy(update=changes))


LESSON_SUMMARY = _json(_LESSON)
LESSON = _json(
    LessonDetail(
        **_LESSON.model_dump(),
        objectives=("Explicar por qué la vida de los animales depende de la fotosíntesis.",),
        skills=(LessonSkill(code="dependencia", title="Explicar quién depende de la fotosíntesis y por qué"),),
        moments=(LessonMoment(title="Por qué importa", steps=7, questions=3),),
        attempts=3,
    )
)
READING = _with()
ASKING = _with(phase="asking", step=None, question=_QUESTION, actions=("answer", "hint", "report"), version=4)
JUDGED = _with(
    phase="asking",
    step=None,
    question=_QUESTION.model_copy(update={"attempt": 2}),
    last_turn=_PARTLY_RIGHT,
    actions=("answer", "hint", "report"),
    version=5,
)
CLOSED = _with(
    phase="closed", step=None, question=_QUESTION, last_turn=_SKIPPED, actions=("continue", "report"), version=6
)
SESSION_SUMMARY = _json(
    SessionSummary(
        **{name: getattr(_SESSION, name) for name in SessionSummary.model_fields if name != "percent"}, percent=10
    )
)
TURN = _json(
    TurnRecord(
        version=4,
        kind="answer",
        mode="deterministic",
        question="importancia",
        running=False,
        verdict=TurnVerdict(
            result=VerdictResult.PARTIAL,
            rule="open.keywords",
            score=0.55,
            grader="1",
            doubtful=False,
            no_attempt=False,
            misconception=None,
            deviation=TopicDeviation.ON_TOPIC,
        ),
        explanation=("1 of the 2 ideas is missing.",),
        command=None,
        started_at=_LATER,
        finished_at=_LATER,
    )
)
TURN_OF_STAFF = _json(
    TurnRecord(
        version=5,
        kind="review",
        mode="deterministic",
        question="importancia",
        running=False,
        verdict=None,
        explanation=(),
        command=None,
        started_at=_LATER + timedelta(hours=1),
        finished_at=_LATER + timedelta(hours=1),
    )
)
