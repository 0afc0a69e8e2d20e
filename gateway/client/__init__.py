"""The one client of models. Nothing else in the project can ask a model. Source: design.md, "Money"."""

from .model import Model, atexts_embed, texts_embed
from .values import Message, Reply, Structured

__all__ = ("Message", "Model", "Reply", "Structured", "atexts_embed", "texts_embed")
