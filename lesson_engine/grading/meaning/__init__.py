"""Whether a reply says what a reference says: features of the two texts and the question, and a model over them."""

from .model import MODEL_VERSION, probability
from .pairs import Comparison, compare, texts_to_embed

__all__ = ["MODEL_VERSION", "Comparison", "compare", "probability", "texts_to_embed"]
