"""A session as its learner sees it, without the expected answer of a question that is still open."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from core.contracts import Contract
from gateway.contracts import BudgetMode
from lesson_engine.api.contracts.lessons import Count, Formatted, ModeName, Percent, Position, Slug, StatusName
from lesson_engine.contracts import Operation, TopicDeviation, VerdictResult
from lesson_engine.player.state import Outcome, Phase

from .turns import ProvenanceName, ZoneName

Action = Literal["continue", "answer", "hint", "skip", "report", "compare", "self_assessment"]
StepType = Literal[
    "NARRATION",
    "CONTENT",
    "CASE",
    "KEY_CONTENT",
    "KEY_POINTS",
    "KEY_ELEMENTS",
    "TOPICS",
    "EXPECTED_LEARNING",
    "REFLECTION_AREAS",
    "MICRO",
]
QuestionKind = Literal["open", "definition", "list", "procedure", "numeric", "choice", "multi_choice"]
Plan = Annotated[
    UUID | None,
    Field(
        description=(
            "The session's plan in `plans/`: its goals; what came of them is in `plans/{id}/evaluations/`, soon after "
            "the session is finished. Null for a session that was begun without one."
        )
    ),
]


class SessionLesson(Contract):
    """The lesson of a session, in the version on which the session stays."""

    slug: Slug
    title: str
    language: str = Field(description="Language of the lesson's own texts.", examples=["es"])
    version: Position = Field(description="Number of the lesson's version.")


class ShownItem(Contract):
    """One entry of a step that lists things."""

    title: str | None
    body: Formatted


class ShownStep(Contract):
    """A step that is read."""

    type: StepType = Field(description="MICRO is a short detour that the planner put in; the others are the author's.")
    name: str = Field(description="What such a step is called, in the language of the response.", examples=["Reading"])
    title: str | None
    body: Formatted | None
    items: tuple[ShownItem, ...]


class OfferedChoice(Contract):
    """One of the answers to pick from."""

    code: str = Field(description="What an answer sends in `choices`.")
    text: Formatted


class AskedQuestion(Contract):
    """A question with the help given so far."""

    code: str = Field(description="Unique in the lesson.", examples=["ASK_001"])
    question: Formatted
    kind: QuestionKind = Field(description="What sort of answer is expected.")
    control: Literal["text", "textarea", "radio", "checkbox"] = Field(description="The field that suits the answer.")
    instruction: str = Field(description="How to answer, in the language of the response.")
    unit: str | None = Field(description="The unit of the number that is asked for, when it has one.")
    choices: tuple[OfferedChoice, ...] = Field(description="What to pick from; empty for answers that are written.")
    hints: tuple[Formatted, ...] = Field(description="The hints shown so far, in order.")
    hints_left: Count
    attempt: Position = Field(description="Which attempt the next answer is; the last one once the question is closed.")
    attempts: Position = Field(description="Wrong answers after which the answer is shown.")
    material: tuple[ShownStep, ...] = Field(description="The readings before this question, to look at again.")
    reread: bool = Field(description="Whether the planner asks the learner to look at `material` again.")


class LastVerdict(Contract):
    """How the last answer was judged, and by which rule."""

    result: VerdictResult = Field(description="NOT_GRADABLE: empty, unreadable, or not in the form that is asked for.")
    rule: str = Field(description="Name of the rule that decided.", examples=["open.semantic"])
    words: str = Field(description="The rule in a sentence, in the language of the response.")
    score: float = Field(ge=0, le=1, description="How right the answer is; 1 is fully.")
    grader: str = Field(description='Version of the grader; "learner" for the learner\'s own word.')
    zone: ZoneName
    provenance: ProvenanceName
    misconception: str | None = Field(description="Code of a misunderstanding the author foresaw, when it was one.")
    deviation: TopicDeviation = Field(description="How far the answer is from what was asked; wrong is not off topic.")


class PlannedMove(Contract):
    """What the planner did after the last answer; in deterministic mode nothing but `reask` in doubt."""

    op: Operation
    words: str = Field(description="The move as the learner is told, in the language of the response; may be empty.")


class LastTurn(Contract):
    """What the last turn has to tell the learner; after a hint still what was said of the answer before."""

    question: str = Field(description="Code of the question it is about, which need not be the one shown now.")
    outcome: Outcome = Field(
        description=(
            "How that question stands after the turn; anything but open is closed. `missed`: it closed with an answer "
            "that staff found not to be right."
        )
    )
    reported: bool = Field(description="Whether the learner has just said that the question is wrong.")
    reviewed: bool = Field(
        description="Whether staff looked at an answer again since, which changed how the question counts."
    )
    headline: str = Field(description="The outcome in a few words, in the language of the response.")
    verdict: LastVerdict | None = Field(description="Null when the question was not answered, but skipped for example.")
    message: Formatted | None = Field(description="The author's words for this case, or a general sentence.")
    by_author: bool = Field(description="Whether `message` is the author's, in the lesson's language.")
    explanation: tuple[str, ...] = Field(
        description=(
            "What is missing or out of place, a sentence each. Of a question that is open it tells nothing that is "
            "expected; of one that is closed it names what was missing. Nothing quotes the learner."
        )
    )
    expected: Formatted | None = Field(
        description="The expected answer, once the question ended without it, and while it is compared."
    )
    move: PlannedMove | None


class ProgressMoment(Contract):
    """A moment of the lesson and how far it has come."""

    title: str
    state: Literal["done", "current", "ahead"]
    percent: Percent = Field(description="Share of its steps that lie behind.")


class Progress(Contract):
    """Where in the lesson the session stands."""

    percent: Percent
    place: str = Field(description="The shown step by its path in the lesson file.", examples=["moments[0].steps[2]"])
    moments: tuple[ProgressMoment, ...]


class SessionSpent(Contract):
    """What was spent, in micro-cents, by what the models were for."""

    cheap: Count = Field(description="Wording what the tutor says.")
    embed: Count = Field(description="Comparing answers.")
    thinker: Count = Field(description="Second opinions, where the grader was in doubt.")


class SessionBudget(Contract):
    """The session's money, in micro-cents (1e-6 cent), and how often it may escalate to the dearest model.

    It is the server's money, never the learner's.
    """

    limit: Count
    spent: Count
    held: Count = Field(description="Reserved for what is under way.")
    left: Count = Field(description="Limit less spent less held.")
    escalations_limit: Count
    escalations_used: Count
    mode: BudgetMode = Field(
        description=(
            "What the rest allows. `full`: everything; `no_thinker`: no second opinions; `economy`: comparing answers "
            "alone; `deterministic`: no models. By default it changes under 10 cents, under 5 and at 0. It does not "
            "say whether models are configured."
        )
    )
    spent_by_tier: SessionSpent


class SkillScore(Contract):
    """A skill's questions and how they went."""

    title: str
    questions: Count
    mastered: Count = Field(description="How many were answered.")
    at_once: Count = Field(
        description="How many of those at the first attempt, without a hint, and not by the learner's own word."
    )
    by_own_word: Count = Field(
        description="How many of the answered ones by the learner's own word, until staff look.", examples=[1]
    )


class ReviewItem(Contract):
    """A question worth another look."""

    code: str
    question: Formatted
    expected: Formatted = Field(description="The expected answer; every question is closed by now.")
    outcome: Outcome = Field(description="How it ended; `missed` as in `last_turn`.")
    attempts: Count = Field(description="Attempts that were used.")
    reviewed: bool = Field(description="Whether staff looked at its answers again, which changed how it counts.")
    reason: str = Field(description="Why to look again, in the language of the response.")


class SessionResults(Contract):
    """What a finished session came to."""

    questions: Count = Field(description="Without those that staff withdrew.")
    mastered: Count = Field(description="How many of the questions were answered.")
    by_own_word: Count = Field(description="How many of those by the learner's own word, until staff look.")
    reported: Count = Field(description="How many ended with the learner saying that they are wrong.")
    missed: Count = Field(description="How many closed with an answer that staff found not to be right.")
    reviewed: Count = Field(description="How many count otherwise since staff looked at their answers again.")
    voided: Count = Field(description="How many staff withdrew; they count nowhere else.")
    skills: tuple[SkillScore, ...]
    review: tuple[ReviewItem, ...]


class _Session(Contract):
    id: UUID
    lesson: SessionLesson
    learner: str | None = Field(description="The pseudonym of a learner whom you manage; null for your own session.")
    plan: Plan
    mode: ModeName
    status: StatusName
    version: Count = Field(description="Counts the turns. An action names the version that it was made for.")


class SessionSummary(_Session):
    """A session in a list."""

    percent: Percent = Field(description="How far through the lesson.")
    started_at: AwareDatetime
    active_at: AwareDatetime = Field(description="When the last turn was done.")
    finished_at: AwareDatetime | None


class SessionDetail(_Session):
    """A session with everything that its learner may see now."""

    phase: Phase = Field(
        description=(
            "Reading and micro: `step` is to be read. Asking: `question` waits for an answer. Comparing: the grader is "
            "not sure of the last answer, and the learner says whether it is what `expected_answer` says. "
            "Closed: it had its answer; `last_turn` tells. Finished: `results` are there."
        )
    )
    step: ShownStep | None = Field(description="What is to be read now; null before a question and at the end.")
    question: AskedQuestion | None = Field(description="The question that is shown; null while something is read.")
    last_turn: LastTurn | None = Field(description="What the last turn has to tell; null when that is nothing.")
    can_compare: bool = Field(
        description="Whether the grader is not sure of the last answer, and the learner may compare it at once."
    )
    expected_answer: Formatted | None = Field(
        description="The author's answer, while the learner compares theirs with it; null otherwise."
    )
    actions: tuple[Action, ...] = Field(
        description="What may be done now. `answer` includes saying that one does not know."
    )
    progress: Progress
    budget: SessionBudget
    results: SessionResults | None = Field(description="Null until the session is finished.")
    started_at: AwareDatetime
    active_at: AwareDatetime = Field(description="When the last turn was done.")
    finished_at: AwareDatetime | None
