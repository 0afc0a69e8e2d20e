"""An ASK of the lesson file: the question, what counts as an answer, and the help the author wrote for it.

Source: design.md, "Lesson JSON v1".
"""

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from core.contracts import Contract

from .fields import Code, Line, Markdown


def _reasonable(value: Decimal) -> Decimal:
    # Exact arithmetic with 1e999999999 takes all memory there is.
    exponent = value.as_tuple().exponent
    if not isinstance(exponent, int) or exponent < -30 or value.adjusted() > 30:
        raise ValueError("expected a finite number below 1e30 with at most 30 decimals")
    return value


Number = Annotated[Decimal, AfterValidator(_reasonable)]
"""A number that can be computed with exactly."""

Phrases = Annotated[tuple[Line, ...], Field(min_length=1, max_length=100)]
"""Ways to say one thing; the first is the one shown to learners."""


class OpenAnswer(Contract):
    """An answer in the learner's own words, judged by meaning."""

    kind: Literal["open"]
    accepted: Phrases
    keyword_groups: tuple[Phrases, ...] = Field(
        default=(), description="Ideas the answer must contain, each as the words that may express it."
    )


class DefinitionAnswer(Contract):
    """What a term means, in the learner's own words."""

    kind: Literal["definition"]
    term: Line
    accepted: Phrases
    keyword_groups: tuple[Phrases, ...] = Field(
        default=(), description="Ideas the definition must contain, each as the words that may express it."
    )


class ListAnswer(Contract):
    """Several things in any order, each given with its synonyms."""

    kind: Literal["list"]
    items: tuple[Phrases, ...] = Field(min_length=1, max_length=50)
    required: int | None = Field(default=None, ge=1, description="How many of the items suffice; all when absent.")

    @model_validator(mode="after")
    def _required_can_be_met(self) -> "ListAnswer":
        if self.required is not None and self.required > len(self.items):
            raise ValueError(f"required is {self.required}, but there are only {len(self.items)} items")
        return self


class ProcedureAnswer(Contract):
    """Steps that must come in this order, each given with its synonyms."""

    kind: Literal["procedure"]
    steps: tuple[Phrases, ...] = Field(min_length=2, max_length=30)


class NumericAnswer(Contract):
    """A quantity. `value` may be a number or text such as "3/4"; `tolerance` is absolute, in the unit of `value`."""

    kind: Literal["numeric"]
    value: Number | Annotated[str, Field(pattern=r"^-?[0-9]{1,30}/[1-9][0-9]{0,29}$")]
    tolerance: Annotated[Number, Field(ge=0)] = Decimal(0)
    unit: str | None = Field(
        default=None, min_length=1, max_length=40, description="As pint spells it; none: a bare number."
    )
    unit_required: bool = Field(
        default=False, description="Whether a bare number without its unit is only partly right."
    )

    @property
    def exact(self) -> Fraction:
        """The value without rounding."""
        return Fraction(self.value)


class Choice(Contract):
    """One of the offered answers."""

    code: Code
    text: Line
    correct: bool = False
    feedback: Markdown | None = None


class _Choices(Contract):
    choices: tuple[Choice, ...] = Field(min_length=2, max_length=20)

    @model_validator(mode="after")
    def _codes_are_unique(self) -> "_Choices":
        codes = [choice.code for choice in self.choices]
        if doubled := sorted({code for code in codes if codes.count(code) > 1}):
            raise ValueError(f"choice codes must be unique; {', '.join(doubled)} is used twice")
        if not any(choice.correct for choice in self.choices):
            raise ValueError("no accepted answer: at least one choice must have correct: true")
        return self


class ChoiceAnswer(_Choices):
    """Exactly one of the choices is right."""

    kind: Literal["choice"]

    @model_validator(mode="after")
    def _one_is_correct(self) -> "ChoiceAnswer":
        if sum(choice.correct for choice in self.choices) > 1:
            raise ValueError("a choice has one correct answer; use multi_choice for several")
        return self


class MultiChoiceAnswer(_Choices):
    """All right choices, and no others, are to be picked."""

    kind: Literal["multi_choice"]


Answer = Annotated[
    OpenAnswer | DefinitionAnswer | ListAnswer | ProcedureAnswer | NumericAnswer | ChoiceAnswer | MultiChoiceAnswer,
    Field(discriminator="kind"),
]


class MicroStep(Contract):
    """A short detour the planner may insert after a wrong answer; it belongs to its ASK and vanishes with the cycle."""

    code: Code
    title: Line | None = None
    body: Markdown


class Misconception(Contract):
    """A known wrong idea, recognised by its examples, with the author's reply and where to go from there."""

    code: Code
    examples: Phrases
    feedback: Markdown
    goto: Code | None = Field(default=None, description="Another ASK of the same cycle.")
    micro_step: Code | None = Field(default=None, description="A micro-step of this ASK.")


class Feedback(Contract):
    """What the author says after an answer; what is left out falls back to a general sentence."""

    accept: Markdown | None = None
    partial: Markdown | None = None
    reject: Markdown | None = None
    reveal: Markdown | None = Field(default=None, description="Shown with the answer once the attempts are used.")


class Ask(Contract):
    """A question with everything needed to judge its answers and to help."""

    type: Literal["ASK"]
    code: Code
    question: Markdown
    objective: Line
    answer: Answer
    hints: tuple[Markdown, ...] = Field(default=(), max_length=10)
    misconceptions: tuple[Misconception, ...] = Field(default=(), max_length=50)
    feedback: Feedback = Feedback()
    skills: tuple[Code, ...] = Field(default=(), max_length=50)
    difficulty: int = Field(default=2, ge=1, le=5)
    micro_steps: tuple[MicroStep, ...] = Field(default=(), max_length=10)
