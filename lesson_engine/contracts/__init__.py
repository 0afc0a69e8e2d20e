"""The values of the lesson engine that cross layers, the API and the lesson file."""

from .asks import (
    Answer,
    Ask,
    Choice,
    ChoiceAnswer,
    DefinitionAnswer,
    Feedback,
    ListAnswer,
    MicroStep,
    Misconception,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
)
from .lesson import Item, ItemStep, Lesson, Meta, Moment, Policy, Skill, Step, TextStep
from .turns import (
    MAX_ANSWER,
    MAX_CHOICES,
    AdaptCommand,
    LabelledAnswer,
    Operation,
    Provenance,
    Reason,
    Reply,
    TopicDeviation,
    Verdict,
    VerdictResult,
    Zone,
)
