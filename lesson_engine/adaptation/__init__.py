"""The bounded planner: from a judged answer to at most one safe move. Source: spec/3; design.md, "A turn"."""

from .deviation import DeviationPolicy, detect_topic_deviation, reply_deviation
from .planner import plan_adaptation
from .rules import apply_adapt_command, validate_adapt_command

__all__ = [
    "DeviationPolicy",
    "apply_adapt_command",
    "detect_topic_deviation",
    "plan_adaptation",
    "reply_deviation",
    "validate_adapt_command",
]
