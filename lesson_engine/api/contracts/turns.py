"""The trail of a session: what was done, how it was judged, what was planned. It has no words of the learner."""

from typing import Annotated, Literal

from pydantic import AwareDatetime, Field

from core.contracts import Contract
from lesson_engine.api.contracts.lessons import Count, ModeName
from lesson_engine.contracts import Operation, Provenance, Reason, TopicDeviation, VerdictResult, Zone

ZoneName = Annotated[
    Zone | Literal["self"],
    Field(
        description=(
            "How sure the grader is: right, partly right, wrong, or not sure. `not_graded`: there was nothing to judge."
            " `self`: the learner's own word."
        )
    ),
]
ProvenanceName = Annotated[
    Provenance | None,
    Field(
        description=(
            "Whose word it is: the grader's rules, an answer that staff had judged, a model, or the learner's own"
            " (`self`). Null for verdicts from before this was kept."
        )
    ),
]


class TurnVerdict(Contract):
    """How an answer was judged, and by which rule."""

    result: VerdictResult
    rule: str = Field(description="Name of the rule that decided.", examples=["numeric.value"])
    score: float = Field(ge=0, le=1, description="How right the answer is; 1 is fully.")
    grader: str = Field(description='Version of the grader; "learner" for the learner\'s own word.')
    doubtful: bool = Field(description="The grader is not sure.")
    zone: ZoneName
    provenance: ProvenanceName
    no_attempt: bool = Field(
        description="The reply did not try: it said that it does not know, or asked for the answer."
    )
    misconception: str | None = Field(description="Code of a misunderstanding the author foresaw, when it was one.")
    deviation: TopicDeviation | None = Field(description="Null for the learner's own word.")


class TurnCommand(Contract):
    """What the planner did after an answer."""

    op: Operation
    target: str | None = Field(description="Code of the question a `goto` leads to.")
    reason: Reason | None


class TurnRecord(Contract):
    """One turn of a session."""

    version: Count = Field(description="The version of the session that the turn was made for.")
    kind: Literal[
        "answer", "continue", "hint", "skip", "mode", "report", "void", "review", "compare", "self_assessment"
    ] = Field(
        description=(
            "What was done. `void`: staff withdrew a question, and the session was scored again. `review`: staff said"
            " of an answer to `question` what it is worth, and the session was scored again. `self_assessment`: the"
            " learner compared their last answer with the author's and said whether it is what they meant."
        )
    )
    mode: ModeName
    question: str | None = Field(description="Code of the question that was shown; null at a reading.")
    running: bool = Field(description="Whether the answer is still being judged.")
    verdict: TurnVerdict | None = Field(
        description="Of an answer that was judged, and the learner's own word; null for everything else."
    )
    explanation: tuple[str, ...] = Field(
        description=(
            "What the verdict found, a sentence each, as in `last_turn`: of a question that is still open it tells "
            "nothing that is expected. Empty for everything but answers."
        )
    )
    command: TurnCommand | None = Field(
        description="Null when nothing was planned. In deterministic mode the only one is `reask` in doubt."
    )
    started_at: AwareDatetime
    finished_at: AwareDatetime | None
