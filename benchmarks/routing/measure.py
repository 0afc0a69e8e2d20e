"""Measures the router on messages that neither its packs nor its coefficients were made with.

Beside it, in the same run and on the same embedder, the rule of the well-known semantic routers.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.routing import fit
from benchmarks.routing.data import Clinc, Message, World, own_rows
from benchmarks.routing.floor import Floor, threshold_fitted
from language.detect import language_of
from routing.contracts.reading import Reading
from routing.engine import Classifier
from routing.packs.pack import Pack, pack_read, pack_shipped
from routing.router import Router

_AT_ONCE = 256
_OUTSIDE = 0.18
_TIMED = 400
_CROSS = (("market", "brand", "tax"), ("tax", "transition", "system"), ("growth", "market", "lab"))
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Found(NamedTuple):
    """What a system said of messages: right or not, refused or not, and how sure it was."""

    inside: Flags
    right: Flags
    refused: Flags
    high: Flags
    probability: Floats


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routing", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with clinc150_train_val.json; without it our own questions")
    parser.add_argument("--fit", action="store_true", help="fit confidence on every second row and write it first")
    parser.add_argument("--misses", action="store_true", help="list our own questions that were read wrongly")
    chosen = parser.parse_args()
    if chosen.fit and not chosen.data:
        parser.error("--fit needs --data")
    if chosen.data:
        rows = Clinc.load(chosen.data)
        if chosen.fit:
            fit.written(fit.worlds_of(rows))
            print("fitted; run again to measure\n")
            return
        _public(rows)
    _own(misses=chosen.misses)
    _across()
    _several()


def _public(rows: Clinc) -> None:
    print("CLINC150 rolled up to its ten domains; every second row of validation, the others fitted the coefficients")
    plans: list[tuple[str, dict[str, object]]] = [
        ("all examples", {}),
        ("150 listed as outside", {"listed": 150}),
        ("20 an intent", {"examples": 20, "seed": 21}),
        ("5 an intent", {"examples": 5, "seed": 22}),
        ("without fine labels", {"fine": False}),
        ("three domains", {"examples": 10, "domains": ["banking", "travel", "work"], "seed": 23}),
    ]
    for name, how in plans:
        world = rows.world(name, **how)  # type: ignore[arg-type]  # a table of keywords
        _compared(world, rows.world(name, fitting=True, **how).messages, plot=not how)  # type: ignore[arg-type]


def _own(*, misses: bool) -> None:
    pack = pack_shipped()
    print(f"\n{pack.reference}: questions by somebody who had not seen the pack")
    rows = own_rows("questions")
    outside = [Message(row["message"], None) for row in own_rows("outside")]
    for language in ("en", "es"):
        some = [Message(row["message"], row["domain"]) for row in rows if row["lang"] == language]
        _compared(World(language, pack, some + outside), some[::2] + outside[::2], plot=language == "es")
    _whole_plans([row["message"] for row in rows])
    if misses:
        for row, reading in zip(rows, Classifier(pack).read_many([row["message"] for row in rows]), strict=True):
            if reading.first != row["domain"]:
                print(f"  {row['domain']} read as {reading.first} ({reading.certainty}): {row['message']}")


def _whole_plans(texts: Sequence[str]) -> None:
    """From the message to the query plan: what an asker waits for, but for the database."""
    router = Router()
    router.route("warm")
    spent = []
    for number, text in enumerate(texts[:_TIMED]):
        began = time.perf_counter()
        router.route(f"{text} {number}")
        spent.append((time.perf_counter() - began) * 1_000)
    print(f"  whole plans: median {np.median(spent):.1f} ms, 95th {np.percentile(spent, 95):.1f} ms a message")


def _across() -> None:
    print("\nEnglish examples, Spanish questions, three domains")
    shipped, rows = pack_shipped(), [row for row in own_rows("questions") if row["lang"] == "es"]
    for keys in _CROSS:
        messages = [Message(row["message"], row["domain"]) for row in rows if row["domain"] in keys]
        _compared(World(", ".join(keys), _in_english(shipped, keys), messages), messages[::2])


def _several() -> None:
    print("\nQuestions that need several domains")
    router = Router()
    for name in ("two", "three"):
        rows = own_rows(name)
        chosen = [set(router.route(row["message"]).domains_selected) for row in rows]
        wanted = [set(row["domains"]) for row in rows]
        recall = np.mean([len(one & two) / len(two) for one, two in zip(chosen, wanted, strict=True)])
        precision = np.mean([len(one & two) / len(one) for one, two in zip(chosen, wanted, strict=True)])
        print(f"  {name}: {len(rows)} questions, recall {recall:.3f}, precision {precision:.3f}")


def _in_english(pack: Pack, keys: Sequence[str]) -> Pack:
    domains = {}
    for key in keys:
        examples = {
            label: [text for text in texts if language_of(text) == "en"]
            for label, texts in pack.domain(key).examples.items()
        }
        domains[key] = {"title": key, "examples": {label: texts for label, texts in examples.items() if texts}}
    return pack_read({"pack": "english@1", "domains": domains})


def _compared(world: World, validation: Sequence[Message], *, plot: bool = False) -> None:
    began = time.perf_counter()
    classifier = Classifier(world.pack)
    built = time.perf_counter() - began
    texts = [message.text for message in world.messages]
    parts = [classifier.read_many(texts[start : start + _AT_ONCE]) for start in range(0, len(texts), _AT_ONCE)]
    ours = _found([reading for part in parts for reading in part], world.messages)
    floor = Floor(world.pack)
    cut = threshold_fitted(floor.scores([one.text for one in validation]), floor.keys, validation)
    theirs = _of_floor(floor.scores(texts), floor.keys, world.messages, cut)
    print(f"\n{world.name}: {len(texts)} messages, {int((~ours.inside).sum())} of them outside; built in {built:.1f} s")
    for name, found in (("router", ours), ("floor", theirs)):
        print(f"  {name:7}{_line(found, with_confidence=found is ours)}")
    if plot:
        _reliability(ours)
        _timed(classifier, floor, texts)


def _found(readings: Sequence[Reading], messages: Sequence[Message]) -> Found:
    return Found(
        inside=np.array([message.domain is not None for message in messages]),
        right=np.array([one.first == message.domain for one, message in zip(readings, messages, strict=True)]),
        refused=np.array([one.certainty == "low" for one in readings]),
        high=np.array([one.certainty == "high" for one in readings]),
        probability=np.array([one.probability for one in readings]),
    )


def _of_floor(scores: Floats, keys: Sequence[str], messages: Sequence[Message], cut: float) -> Found:
    named = [keys[place] for place in scores.argmax(axis=1)]
    best = scores.max(axis=1)
    return Found(
        inside=np.array([message.domain is not None for message in messages]),
        right=np.array([one == message.domain for one, message in zip(named, messages, strict=True)]),
        refused=best < cut,
        high=np.zeros(len(best), dtype=bool),
        probability=best,
    )


def _weights(found: Found) -> Floats:
    """As if the usual share of messages was outside."""
    inside, outside = found.inside.sum(), (~found.inside).sum()
    if not outside:
        return np.full(len(found.inside), 1 / inside)
    return np.asarray(np.where(found.inside, (1 - _OUTSIDE) / inside, _OUTSIDE / outside), dtype=np.float64)


def _line(found: Found, *, with_confidence: bool) -> str:
    inside, kept = found.inside, found.right & ~found.refused
    text = f"right {found.right[inside].mean():.3f}, right and not refused {kept[inside].mean():.3f}"
    if not inside.all():
        text += f", out-of-scope recall {found.refused[~inside].mean():.3f}"
    if not with_confidence:
        return text
    weights, high = _weights(found), found.high
    share = float((weights * high).sum())
    right = float((weights * high * found.right).sum() / share) if share else float("nan")
    text += f"; high {share:.2f} of all, {right:.3f} of it right"
    if not inside.all():
        text += f", {high[~inside].mean():.3f} of what is outside"
    return f"{text}; ECE {_ece(found):.3f}"


def _bins(found: Found) -> list[tuple[float, Flags]]:
    return [
        (low, (found.probability >= low) & ((found.probability < low + 0.1) | (low > 0.85)))
        for low in np.arange(0, 1, 0.1)
    ]


def _ece(found: Found) -> float:
    weights = _weights(found)
    gaps = [abs((weights * (found.right - found.probability))[some].sum()) for _, some in _bins(found)]
    return float(sum(gaps))


def _reliability(found: Found) -> None:
    weights = _weights(found)
    print("  said   right  share")
    for _, some in _bins(found):
        if total := weights[some].sum():
            said, right = (float((weights * one)[some].sum() / total) for one in (found.probability, found.right))
            print(f"  {said:.2f}   {right:.2f}   {total:.2f}  {'#' * round(40 * right)}")


def _timed(classifier: Classifier, floor: Floor, texts: Sequence[str]) -> None:
    """One message after the other, warm; embeddings of these messages are remembered, so each is changed a little."""
    for name, read in (("router", classifier.read), ("floor", lambda text: floor.scores([text]))):
        spent = []
        for number, text in enumerate(texts[:_TIMED]):
            began = time.perf_counter()
            read(f"{text} {name} {number}")
            spent.append((time.perf_counter() - began) * 1_000)
        print(f"  {name}: median {np.median(spent):.1f} ms, 95th {np.percentile(spent, 95):.1f} ms a message")
