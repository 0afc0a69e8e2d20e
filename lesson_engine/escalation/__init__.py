"""The thinker's second opinion where the grader is unsure. Source: design.md, "A turn", 1; docs/grading.md."""

from .asking import OPERATION, Escalated, Escalation, WhoPays, escalation_due, second_opinion
from .crosscheck import Crosschecked, contradicts, crosscheck
from .opinion import Opinion
from .prompts import MOST_BYTES, opinion_messages

__all__ = [
    "MOST_BYTES",
    "OPERATION",
    "Crosschecked",
    "Escalated",
    "Escalation",
    "Opinion",
    "WhoPays",
    "contradicts",
    "crosscheck",
    "escalation_due",
    "opinion_messages",
    "second_opinion",
]
