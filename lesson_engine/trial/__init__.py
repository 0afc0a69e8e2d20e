"""How a question would fare before a learner meets it: the author's own texts, tried on the grader. Pure."""

from .judging import is_tried, question_trial
from .results import QuestionTrial, TrialWarning, Try, WarningKind
from .words import suggestion_text, warning_text

__all__ = [
    "QuestionTrial",
    "TrialWarning",
    "Try",
    "WarningKind",
    "is_tried",
    "question_trial",
    "suggestion_text",
    "warning_text",
]
