"""The type of a task by its meaning: a linear model over the local embedding of the sentence.

Its coefficients are fitted on the examples and rules of `data/types.json` by `python -m benchmarks.task_types --fit`,
with the utterances of CLINC150 (CC BY 3.0) that are no tasks of these types as what "general" is. Without a file that
fits the types, nothing is known by meaning, and a test fails.
"""

from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from gateway.services import texts_embed_locally
from planning.understanding.vocabulary import DATA

FILE: Final = DATA / "types_meaning.npz"


class Model(NamedTuple):
    """A row of coefficients for each type, and what embedder they are for."""

    names: tuple[str, ...]
    coefficients: NDArray[np.float32]
    offsets: NDArray[np.float32]
    embedder: str


@cache
def model_read() -> Model | None:
    """The model, None where there is none for the embedder in use."""
    if not FILE.exists():
        return None
    with np.load(FILE, allow_pickle=False) as arrays:
        model = Model(
            tuple(str(name) for name in arrays["names"]),
            arrays["coefficients"].astype(np.float32),
            arrays["offsets"].astype(np.float32),
            str(arrays["embedder"]),
        )
    return model if model.embedder == LOCAL_EMBEDDING_MODEL else None


@lru_cache(maxsize=256)
def _scores(text: str) -> NDArray[Any]:
    model = model_read()
    assert model is not None
    return np.asarray(model.coefficients @ texts_embed_locally([text])[0] + model.offsets)


def type_probabilities(text: str) -> dict[str, float]:
    """Each type with the probability that the sentence is a task of it; all together 1. Empty without a model."""
    model = model_read()
    if model is None:
        return {}
    scores = _scores(text.lower())
    shares = np.exp(scores - scores.max())
    return dict(zip(model.names, (shares / shares.sum()).tolist(), strict=True))
