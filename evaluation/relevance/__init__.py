"""How relevant a result is to its task, without asking a model. docs/relevance.md has the method and the figures."""

from .score import relevance_of, relevance_weighed

__all__ = ("relevance_of", "relevance_weighed")
