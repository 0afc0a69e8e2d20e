"""The one door to every model. Nothing else in the project can ask one. Source: design.md, "Money"."""

from .model import Model, atexts_embed, texts_embed
from .values import Message, Reply, Structured

__all__ = ("Message", "Model", "Reply", "Structured", "atexts_embed", "texts_embed")
