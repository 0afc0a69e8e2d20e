"""Calls to the charged embedder, in batches. The local one, free, is `services.texts_embed_locally`."""

from collections.abc import Iterator, Sequence

import numpy as np

from gateway.client.call import Call, Request, answer
from gateway.client.steps import Steps
from gateway.client.transport import embeddings
from gateway.client.values import texts_tokens_at_most
from gateway.contracts import Vectors
from gateway.errors import ProviderFailed

_TEXTS_AT_ONCE = 128
_TOKENS_AT_ONCE = 100_000


def embedded(call: Call, texts: Sequence[str]) -> Steps[Vectors]:
    """A vector of norm 1 for each text, in order; the same text is asked for once. Raises as `answer`."""
    rows: dict[str, np.ndarray[tuple[int], np.dtype[np.float32]]] = {}
    for batch in _batches(list(dict.fromkeys(texts))):
        call.tried = 0  # each batch is an answer of its own
        reply, candidate = yield from answer(call, _request(batch))
        vectors = np.asarray(reply.vectors, dtype=np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        lengths = {vectors.shape[1], *(len(row) for row in rows.values())}
        if not np.isfinite(vectors).all() or not norms.all() or len(lengths) > 1:
            raise ProviderFailed(f"{candidate.model} gave vectors that are none")
        rows |= dict(zip(batch, vectors / norms, strict=True))
    return np.stack([rows[text] for text in texts]) if texts else np.zeros((0, 0), dtype=np.float32)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        if batch and (len(batch) == _TEXTS_AT_ONCE or texts_tokens_at_most([*batch, text]) > _TOKENS_AT_ONCE):
            yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _request(batch: Sequence[str]) -> Request:
    return Request(
        text="\n".join(batch),
        input_tokens=texts_tokens_at_most(batch),
        output_tokens=0,
        send=lambda leave, seconds, sending: embeddings(leave, batch, seconds, sending),
    )
