"""`python -m benchmarks.analyze --fit`: fits the networks that read questions, on `questions/`, and stores them.

With a folder of nvBench its charts are learnt from too, but for the databases that are held out. It needs torch, which
is no part of the project's environment: `pip install torch`, a build for processors is enough.
"""

import random
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from analysis.requirements import network as stored
from analysis.requirements.inputs import inputs_of
from benchmarks.analyze import scores
from benchmarks.analyze.batches import batch_of
from benchmarks.analyze.charts_corpus import ChartRow, chart_rows
from benchmarks.analyze.corpus import rows_read, sets_known, variants_of
from benchmarks.analyze.examples import Example, columns_shuffled, example_of
from benchmarks.analyze.losses import charts_loss, questions_loss
from benchmarks.analyze.network import Network, Settings
from benchmarks.analyze.wanted import wanted_of

VARIANTS: Final = 2
"""Tables with other headers over which each question is learnt too."""
EPOCHS: Final = 18
_BATCH: Final = 48
_RATE, _WARMING, _DECAY, _MOMENTS = 1.5e-3, 0.15, 0.02, (0.9, 0.98)
_GRADIENT: Final = 1.0
_SORTED: Final = 12
"""Batches whose questions are sorted by length together."""
_CHARTS_EVERY: Final = 2
"""Batches of questions for one of charts."""
_SHOWN_EVERY: Final = 5


def fit(data: Path | None, *, held_out: Collection[str] = (), networks: int = 1, epochs: int = EPOCHS) -> None:
    """Fit that many networks on all sets but those held out, store them, and print how they do on what is held out."""
    questions = questions_learnt([name for name in sets_known() if name not in held_out])
    charts = chart_rows(data) if data else []
    of_charts = [example_of(inputs_of(row.question, row.schema), row.wanted) for row in charts if not row.is_held_out]
    print(f"{len(questions):,} questions and {len(of_charts):,} charts are learnt", flush=True)
    fitted = [network_fitted(questions, of_charts, seed=seed, epochs=epochs) for seed in range(networks)]
    networks_write(fitted)
    _report(held_out, [row for row in charts if row.is_held_out])


def questions_learnt(sets: Sequence[str]) -> list[list[Example]]:
    """The examples of each question: over its own table, and over that with other headers."""
    questions = []
    for row in rows_read(sets):
        examples = []
        for variant in (row, *variants_of(row, VARIANTS)):
            inputs = inputs_of(variant.question, variant.schema)
            examples.append(example_of(inputs, wanted_of(variant, inputs)))
        questions.append(examples)
    return questions


def network_fitted(
    questions: Sequence[Sequence[Example]], charts: Sequence[Example], *, seed: int, epochs: int
) -> Network:
    """A network that has seen each question once an epoch, each time over any of its tables."""
    torch.manual_seed(seed)
    dice = random.Random(seed)
    network = Network(questions[0][0], Settings())
    optimizer = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY, betas=_MOMENTS)
    steps = epochs * len(_by_length(questions, dice))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, _RATE, total_steps=steps + 1, pct_start=_WARMING)
    for epoch in range(epochs):
        total = 0.0
        for number, places in enumerate(_by_length(questions, dice)):
            chosen = [dice.choice(questions[at]) for at in places]
            batch = batch_of(chosen)
            loss = questions_loss(network(batch), batch)
            if charts and number % _CHARTS_EVERY == 0:
                sample = dice.sample(charts, min(_BATCH, len(charts)))
                others = batch_of([columns_shuffled(chart, dice) for chart in sample])
                loss = loss + charts_loss(network(others), others)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(network.parameters(), _GRADIENT)
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
        if epoch % _SHOWN_EVERY == 0 or epoch == epochs - 1:
            print(f"network {seed}, epoch {epoch + 1}: loss {total / len(questions):.2f}", flush=True)
    return network


def _by_length(questions: Sequence[Sequence[Example]], dice: random.Random) -> list[list[int]]:
    """All questions in batches of about one length, which take half as long as mixed ones; both orders are chance."""
    order = dice.sample(range(len(questions)), len(questions))
    batches = []
    for start in range(0, len(order), _BATCH * _SORTED):
        near = sorted(order[start : start + _BATCH * _SORTED], key=lambda at: len(questions[at][0].words))
        batches += [near[at : at + _BATCH] for at in range(0, len(near), _BATCH)]
    dice.shuffle(batches)
    return batches


def networks_write(networks: Sequence[Network]) -> None:
    """Store the weights of all networks where the product reads them."""
    arrays = {
        f"{number}/{name}": weights.numpy().astype(np.float16)
        for number, network in enumerate(networks)
        for name, weights in network.state_dict().items()
    }
    np.savez_compressed(stored.FILE, allow_pickle=False, **arrays)
    stored.networks.cache_clear()


def _report(held_out: Collection[str], charts: Sequence[ChartRow]) -> None:
    for name in held_out:
        rows = ((row, inputs_of(row.question, row.schema)) for row in rows_read([name]))
        scores.report(name, ((inputs, wanted_of(row, inputs)) for row, inputs in rows))
    if charts:
        title = "nvBench, databases held out"
        inputs = (inputs_of(row.question, row.schema).without_meanings() for row in charts)
        scores.report(title, zip(inputs, [row.wanted for row in charts], strict=True))
