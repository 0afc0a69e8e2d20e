"""Whether an answer in one's own words is right: a network over the answer and all that is known of its question."""

from .inputs import nearest_to
from .judging import Judgement, judge

__all__ = ["Judgement", "judge", "nearest_to"]
