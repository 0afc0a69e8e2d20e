"""The layers that small fitted networks are made of, in NumPy, over weights by their names in torch."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import erf, softmax

Floats = npt.NDArray[np.float32]
_LEAST_VARIANCE: Final = 1e-5


@cache
def stored_weights(path: Path) -> tuple["Weights", ...]:
    """The networks of a file, whose arrays are named `<number>/<name>`; read once."""
    with np.load(path, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    numbers = sorted({name.partition("/")[0] for name in arrays})
    return tuple(
        Weights({name.partition("/")[2]: array for name, array in arrays.items() if name.partition("/")[0] == number})
        for number in numbers
    )


class Weights:
    """The weights of one network. Inputs of layers are (..., size)."""

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        self.arrays = arrays

    def __getitem__(self, name: str) -> Floats:
        return self.arrays[name]

    def linear(self, name: str, x: Floats) -> Floats:
        out: Floats = x @ self[f"{name}.weight"].T + self[f"{name}.bias"]
        return out

    def norm(self, name: str, x: Floats) -> Floats:
        """Layer normalisation."""
        centred = x - x.mean(axis=-1, keepdims=True)
        out: Floats = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _LEAST_VARIANCE)
        return out * self[f"{name}.weight"] + self[f"{name}.bias"]

    def two(self, name: str, x: Floats, *, last: int = 3) -> Floats:
        """Two linear layers with a GELU between them; `last` is the number of the second one, 3 behind a dropout."""
        return self.linear(f"{name}.{last}", gelu(self.linear(f"{name}.0", x)))


def gelu(x: Floats) -> Floats:
    out: Floats = (0.5 * x * (1 + erf(x / np.sqrt(2)))).astype(np.float32)
    return out


def attended(query: Floats, key: Floats, value: Floats, bias: Floats, heads: int) -> Floats:
    """Attention of each place to all: queries, keys, values (places, size), biases (heads, places, places)."""
    places, size = query.shape

    def split(x: Floats) -> Floats:
        return x.reshape(places, heads, size // heads).swapaxes(0, 1)

    heed = softmax(split(query) @ split(key).swapaxes(-1, -2) / np.sqrt(size // heads) + bias, axis=-1)
    taken: Floats = (heed @ split(value)).swapaxes(0, 1).reshape(places, size)
    return taken
