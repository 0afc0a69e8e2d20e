"""The values of the lesson engine that cross layers, the API and the lesson file."""

from .asks import (
    Answer,
    Ask,
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
from .turns import AdaptCommand, Operation, Reason, Reply, TopicDeviation, Verdict, VerdictResult

__all__ = [
    "AdaptCommand",
    "Answer",
    "Ask",
    "ChoiceAnswer",
    "DefinitionAnswer",
    "Feedback",
    "Item",
    "ItemStep",
    "Lesson",
    "ListAnswer",
    "Meta",
    "MicroStep",
    "Misconception",
    "Moment",
    "MultiChoiceAnswer",
    "NumericAnswer",
    "OpenAnswer",
    "Operation",
    "Policy",
    "ProcedureAnswer",
    "Reason",
    "Reply",
    "Skill",
    "Step",
    "TextStep",
    "TopicDeviation",
    "Verdict",
    "VerdictResult",
]
