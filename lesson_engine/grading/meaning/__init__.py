"""Whether an answer in one's own words is right: a network over the answer and all that is known of its question."""

from .inputs import texts_to_embed
from .judging import Judgement, judge

__all__ = ["Judgement", "judge", "texts_to_embed"]
