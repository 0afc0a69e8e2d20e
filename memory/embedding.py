"""Texts as vectors of memory: by the local embedder, which is deterministic and free."""

from pgvector import HalfVector

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from gateway.services import texts_embed_locally

EMBEDDER = LOCAL_EMBEDDING_MODEL
QUERY_LENGTH = 2_000


def vector_of(text: str) -> HalfVector:
    """The vector of one text, in half precision. It is not kept: what people do is no text that comes back."""
    return HalfVector(texts_embed_locally([text])[0].tolist())


def query_vector(query: str) -> HalfVector | None:
    """The vector of what is looked for, of its first `QUERY_LENGTH` characters; None where it says nothing."""
    text = query[:QUERY_LENGTH].encode(errors="replace").decode().strip("\0 \t\r\n")
    return vector_of(text) if text else None
