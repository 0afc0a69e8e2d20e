"""The bounded planner: from a judged answer to at most one safe move. Source: spec/3; design.md, "A turn"."""

from .deviation import DeviationPolicy, detect_topic_deviation, judge_topic, reply_deviation, texts_of_topic
from .deviation_model import chatter_texts
from .planner import plan_adaptation
from .rules import apply_adapt_command, validate_adapt_command

__all__ = [
    "DeviationPolicy",
    "apply_adapt_command",
    "chatter_texts",
    "detect_topic_deviation",
    "judge_topic",
    "plan_adaptation",
    "reply_deviation",
    "texts_of_topic",
    "validate_adapt_command",
]
