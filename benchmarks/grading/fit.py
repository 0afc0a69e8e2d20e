"""Fits the network that judges answers, and calibrates it on lessons that the fit has not seen.

    python -m pip install torch
    python -m benchmarks.grading.fit --data FOLDER [--epochs 8]

About one lesson in six is left out (and modules of SciEntsBank and questions of BEETLE with them); what the network
says of these makes the calibration and the cuts that are stored with it.
"""

import argparse
import math
import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from benchmarks.grading.calibrate import calibrated, cuts, naming_cut, slope_and_offsets, write
from benchmarks.grading.data import (
    NOT_RIGHT,
    PARTLY,
    PUBLIC,
    RIGHT,
    WRONG,
    Row,
    bundled_rows,
    pair_rows,
    public_rows,
    written_rows,
)  # fmt: skip
from benchmarks.grading.made import COPY, made_rows
from benchmarks.grading.measure import macro_f1
from benchmarks.grading.network import Network, batch_of
from benchmarks.grading.splits import left_out
from lesson_engine.grading.meaning import inputs
from lesson_engine.grading.meaning.inputs import Inputs, Kind, Segment, authored_segments, reply_segment

BATCH, RATE, WARM, DECAY = 32, 1e-3, 200, 0.05
SAYS = 1.0
"""What naming misconceptions counts beside the result."""
WITH_EXAMPLES, FEWER_RIGHT, NO_IDEAS, FEWER_WRONG = 0.35, 0.25, 0.25, 0.2
"""How often a row is seen with other answers that are labelled, and with less of what its author wrote."""
EXAMPLES = (1, 2, 3, 5, 8)
CLOSE = ("right_close", "near_right", "near_partial", "near_wrong")
"""Kinds of answers that differ from an accepted one by little, or from a wrong one."""
NOT_FORESEEN = ("plausible_wrong",)
"""Kinds of wrong answers that say none of the misconceptions."""


def remember_vectors() -> None:
    """Keep the vectors of every text, answers too: a fit reads each many times."""
    inputs._vectors = inputs._kept_vectors = inputs._vectors_of_late = cache(inputs._vectors)


@dataclass(frozen=True)
class Seen:
    """A row as it is shown once."""

    row: Row
    inputs: Inputs


class Reader:
    """Reads each text once: a fit shows it many times."""

    def __init__(self) -> None:
        self._authored: dict[int, tuple[Segment, ...]] = {}
        self._answers: dict[int, Segment] = {}

    def seen(self, row: Row, chance: random.Random | None, others: Sequence[Row] = ()) -> Seen:
        """The inputs of a row. With `chance`, now and then beside labelled answers of `others`, and with less of what
        its author wrote; else beside all of `others`.
        """
        answer = self._answer(row)
        shown = [
            segment
            for segment in self._of_author(row)
            if segment.words.words != answer.words.words or segment.kind is Kind.QUESTION or row.kind == COPY
        ]
        if chance is not None:
            shown = _fewer(shown, chance)
            most = chance.choice(EXAMPLES) if chance.random() < WITH_EXAMPLES else 0
            others = chance.sample(others, min(len(others), most))
        shown += [self._example(other) for other in others if other.answer != row.answer]
        return Seen(row, inputs.assemble(answer, shown))

    def _answer(self, row: Row) -> Segment:
        if id(row) not in self._answers:
            self._answers[id(row)] = reply_segment(row.ask, row.answer, row.language, row.vocabulary)
        return self._answers[id(row)]

    def _of_author(self, row: Row) -> tuple[Segment, ...]:
        if id(row.ask) not in self._authored:
            self._authored[id(row.ask)] = authored_segments(row.ask, row.language, row.vocabulary)
        return self._authored[id(row.ask)]

    def _example(self, row: Row) -> Segment:
        return replace(self._answer(row), kind=(Kind.RIGHT, Kind.PARTLY, Kind.WRONG)[row.label])


def _fewer(segments: list[Segment], chance: random.Random) -> list[Segment]:
    def some(kind: Kind, often: float, least: int) -> list[Segment]:
        own = [segment for segment in segments if segment.kind is kind]
        if len(own) > least and chance.random() < often:
            own = chance.sample(own, chance.randrange(least, len(own)))
        return own

    kept = [segment for segment in segments if segment.kind is Kind.QUESTION]
    ideas = [] if chance.random() < NO_IDEAS else [segment for segment in segments if segment.kind is Kind.IDEAS]
    return [*kept, *some(Kind.RIGHT, FEWER_RIGHT, 1), *some(Kind.WRONG, FEWER_WRONG, 0), *ideas]


def batches(
    rows: Sequence[Row], reader: Reader, chance: random.Random | None, siblings: dict[str, list[Row]] | None = None
) -> Iterator[list[Seen]]:
    """Rows of about one length together."""
    order = list(rows)
    if chance is not None:
        chance.shuffle(order)
    for start in range(0, len(order), BATCH * 16):
        chunk = [
            reader.seen(row, chance, (siblings or {}).get(row.question, ()))
            for row in order[start : start + BATCH * 16]
        ]
        chunk.sort(key=lambda one: len(one.inputs.kinds))
        grouped = [chunk[at : at + BATCH] for at in range(0, len(chunk), BATCH)]
        if chance is not None:
            chance.shuffle(grouped)
        yield from grouped


def loss_of(network: Network, batch: Sequence[Seen]) -> Tensor:
    """What the results and the misconceptions named cost."""
    results, says = network(batch_of([one.inputs for one in batch]))
    labels = torch.tensor([one.row.label for one in batch])
    weights = torch.tensor([one.row.weight for one in batch])
    odds = functional.log_softmax(results, -1)
    told = -odds.gather(1, labels.clamp(max=WRONG)[:, None])[:, 0]
    losses = torch.where(labels == NOT_RIGHT, -torch.logsumexp(odds[:, PARTLY:], 1), told)
    loss = (losses * weights).sum() / weights.sum()
    if wanted := [
        (at, head, float(segment.code == one.row.misconception))
        for at, one in enumerate(batch)
        if one.row.label in (RIGHT, PARTLY) or one.row.misconception is not None or one.row.kind in NOT_FORESEEN
        for segment, head in zip(one.inputs.segments, one.inputs.heads, strict=True)
        if segment.code is not None
    ]:
        at, heads, named = zip(*wanted, strict=True)
        said = says[list(at), list(heads)]
        loss = loss + SAYS * functional.binary_cross_entropy_with_logits(said, torch.tensor(named))
    return loss


@dataclass(frozen=True)
class Said:
    """What a network says of rows: (rows, 3) probabilities, and of each row the misconceptions' codes with theirs."""

    results: Any
    named: list[dict[str, float]]


def said_of(
    network: Network, rows: Sequence[Row], reader: Reader, examples: dict[str, list[Row]] | None = None
) -> Said:
    network.eval()
    results, named = np.zeros((len(rows), 3)), [dict[str, float]() for _ in rows]
    places = {id(row): at for at, row in enumerate(rows)}
    with torch.inference_mode():
        for batch in batches(rows, reader, None, examples):
            odds, says = network(batch_of([one.inputs for one in batch]))
            shares, chances = odds.softmax(-1).numpy(), says.sigmoid().numpy()
            for at, one in enumerate(batch):
                place = places[id(one.row)]
                results[place] = shares[at]
                for segment, head in zip(one.inputs.segments, one.inputs.heads, strict=True):
                    if segment.code is not None:
                        most = max(named[place].get(segment.code, 0.0), float(chances[at, head]))
                        named[place][segment.code] = most
    return Said(results, named)


def fitted(
    draw: Callable[[random.Random], list[Row]],
    reader: Reader,
    *,
    epochs: int,
    seed: int,
    rate: float,
    start: Path | None,
    report: Any,
) -> Network:
    """The network after `epochs` rounds over the rows that `draw` gives; `report` is called with it after each."""
    torch.manual_seed(seed)
    chance, network = random.Random(seed), Network()
    if start is not None:
        network.load_state_dict(torch.load(start))
    siblings: dict[str, list[Row]] = defaultdict(list)
    for row in draw(random.Random(seed)):
        if row.label != NOT_RIGHT and row.dataset != "pawsx" and not row.is_made:
            siblings[row.question].append(row)
    steps, step, begun = epochs * math.ceil(len(draw(random.Random(seed))) / BATCH), 0, time.time()
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=DECAY)
    rounds: list[dict[str, Tensor]] = []
    for epoch in range(epochs):
        network.train()
        total, rows = 0.0, draw(chance)
        for batch in batches(rows, reader, chance, siblings):
            step += 1
            fades = 0.05 + 0.95 * (1 + math.cos(math.pi * step / steps)) / 2
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1, step / WARM) * fades
            loss = loss_of(network, batch)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
        rounds = [*rounds[-1:], {name: weights.clone() for name, weights in network.state_dict().items()}]
        print(f"epoch {epoch + 1}: loss {total * BATCH / len(rows):.3f}, {time.time() - begun:.0f} s", flush=True)
        report(network)
    # Averaged weights judge better than those of either round (Izmailov et al. 2018).
    network.load_state_dict({name: sum(each[name] for each in rounds) / len(rounds) for name in rounds[0]})
    return network


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grading fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with grading/, similarity/ and lessons/")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--start", type=Path, help="weights to begin with")
    parser.add_argument("--keep", type=Path, required=True, help="where the weights are written after each round")
    parser.add_argument("--close", type=float, default=1.0, help="what an answer close to an accepted one counts")
    chosen = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("THREADS", "2")))
    remember_vectors()
    reader = Reader()
    written, bundled, public = written_rows(), bundled_rows(), public_rows(chosen.data)
    unseen = left_out([*written, *public])
    known = [row for row in (*written, *bundled) if row.lesson not in unseen]
    known = [replace(row, weight=chosen.close) if row.kind in CLOSE else row for row in known]
    made, pairs = made_rows(known), [replace(row, weight=0.5) for row in pair_rows(chosen.data)]
    of_public = [row for row in public if row.lesson not in unseen]
    tests = {
        "lessons left out": [row for row in written if row.lesson in unseen],
        **{name: [row for row in public if row.lesson in unseen and row.dataset == name] for name in PUBLIC},
    }
    print(f"{len(known):,} answers of lessons, {len(made):,} made of them, {len(of_public):,} of public sets")

    def draw(chance: random.Random) -> list[Row]:
        """Everything that people wrote, and a part of what was made of it."""
        return [*known, *of_public, *chance.sample(made, len(made) // 3), *chance.sample(pairs, len(pairs) // 3)]

    def report(network: Network) -> None:
        torch.save(network.state_dict(), chosen.keep)
        for name, rows in tests.items():
            print(f"  {name:18}", figures(rows, said_of(network, rows, reader)), flush=True)

    network = fitted(
        draw, reader, epochs=chosen.epochs, seed=chosen.seed, rate=chosen.rate, start=chosen.start, report=report
    )
    rows = [row for own in tests.values() for row in own]
    calibrate(network, rows, said_of(network, rows, reader))


def calibrate(network: Network, rows: Sequence[Row], said: Said) -> None:
    """Write the version's files: the weights, the calibration, and the cuts by our own lessons, close answers apart."""
    odds = np.log(said.results + 1e-9)
    slope, offsets = slope_and_offsets(odds, rows)
    own = np.array([row.dataset == "written" and row.kind not in CLOSE for row in rows])
    shares, labels = calibrated(odds, slope, offsets)[own], np.array([row.label for row in rows])[own]
    found = cuts(shares, labels)
    mine = [(row, named) for row, named, is_own in zip(rows, said.named, own, strict=True) if is_own]
    says = naming_cut([row for row, _ in mine], [named for _, named in mine], found.zones(shares) == WRONG)
    told = {"slope": round(slope, 4), "offsets": [round(one, 4) for one in offsets]}
    write([network], {**told, **asdict(found), "says": says})


def figures(rows: Sequence[Row], said: Said) -> str:
    """Agreement, and how well right is ranked above the rest, in a line."""
    labels = np.array([row.label for row in rows])
    right = said.results[:, RIGHT]
    words = [
        f"{len(rows):5} answers",
        f"right above the rest {_ranked(right[labels == RIGHT], right[labels != RIGHT])}",
    ]
    if (labels != NOT_RIGHT).all():
        words.append(f"agreement {(said.results.argmax(1) == labels).mean():.3f}")
    for kind in sorted({row.kind for row in rows if row.label == WRONG and row.kind}):
        of_kind = np.array([row.kind == kind for row in rows]) & (labels == WRONG)
        words.append(f"above {kind} {_ranked(right[labels == RIGHT], right[of_kind])}")
    if rows[0].dataset in PUBLIC:
        best = max((macro_f1(labels == RIGHT, right >= cut), cut) for cut in np.arange(0.2, 0.8, 0.02))
        words.append(f"two-way macro-F1 {best[0]:.3f} at {best[1]:.2f}")
    return "; ".join(words)


def _ranked(ours: Any, theirs: Any) -> str:
    """Area under the curve."""
    return f"{((ours[:, None] > theirs).mean() + (ours[:, None] == theirs).mean() / 2):.3f}"
