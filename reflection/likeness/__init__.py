"""How a reflection relates to its task and to earlier reflections, from embeddings. Source: RT-010, 1."""

from .novelty import novelty_scored
from .relevance import relevance_scored

__all__ = ("novelty_scored", "relevance_scored")
