"""How a reflection relates to its task and to earlier reflections, from embeddings. Source: RT-010, 1."""

from .scores import novelty_scored, relevance_scored

__all__ = ("novelty_scored", "relevance_scored")
