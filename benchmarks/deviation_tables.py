"""What was measured of deviation, as tables."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.deviation_data import ROOT, Kind, Known, Pair
from lesson_engine.adaptation import DeviationPolicy, detect_topic_deviation
from lesson_engine.adaptation.deviation_rules import word_ratio, word_ratio_class
from lesson_engine.contracts import TopicDeviation
from lesson_engine.grading import Embed

ON, VAGUE, OFF = TopicDeviation.ON_TOPIC, TopicDeviation.VAGUE, TopicDeviation.OFF_TOPIC
SETS: Final = ("beetle", "scientsbank", "lessons en", "lessons es", "written en", "written es")
KNOWN: Final[tuple[Known, ...]] = ("question", "reference", "objective", "all")
FAR: Final[tuple[Kind, ...]] = ("other module", "other set", "requests", "chatter", "captions", "no attempt")
STRANGE: Final[tuple[Kind, ...]] = ("same module", *FAR)
_ABOUT = """
Each question with ten of its own replies, right or wrong, and half as many of each other kind; the model has seen no
lesson of the part. "known": the question alone, one reference answer as its objective, the objective, or all that the
author wrote. "own": share of its replies that are on topic, and in brackets that are not off-topic; "unusual": the same
of right replies in unusual words. Then the balanced accuracy of on topic or not against replies to other
questions of its module, of other modules of the set and of other sets, against requests to an assistant, small talk,
captions, and replies that are no attempt; against all of these but the first ("far"), for the model and for the
documented rule; and the macro-F1 of the three classes, without the same module.
"""


@dataclass
class Judged:
    """A pair with its class where no model is needed. `probability` comes from cross-validation."""

    pair: Pair
    ruled: TopicDeviation | None
    probability: float = 0.0

    def by_model(self, on_topic: float, vague: float) -> TopicDeviation:
        if self.ruled is not None:
            return self.ruled
        return ON if self.probability >= on_topic else VAGUE if self.probability >= vague else OFF

    def by_words(self) -> TopicDeviation:
        """The documented rule; without an objective it is given the question."""
        return word_ratio_class(word_ratio(self.pair.reply, self.pair.objective or self.pair.asked.question))


def tables(judged: Sequence[Judged], on_topic: float, vague: float) -> Iterator[str]:
    """A line for each set and what is known, with a head and the calibration."""
    yield _ABOUT
    yield f"{'set':<12}{'known':<11}{'own':<14}{'unusual':<14}" + "".join(
        f"{kind:>14}" for kind in (*STRANGE, "far", "by words", "F1")
    )
    for name in SETS:
        for known in KNOWN:
            rows = [one for one in judged if one.pair.asked.set == name and one.pair.known == known]
            if rows:
                yield _line(name, known, rows, on_topic, vague)
    yield f"\nexpected calibration error {_calibration_error(judged):.3f}"


def _line(name: str, known: str, rows: Sequence[Judged], on_topic: float, vague: float) -> str:
    def model(one: Judged) -> TopicDeviation:
        return one.by_model(on_topic, vague)

    own = [one for one in rows if one.pair.on_topic]
    unusual = [one for one in own if one.pair.reply in one.pair.asked.own_words]
    shares = "".join(
        f"{_share(classes, ON):.3f} ({1 - _share(classes, OFF):.3f}) " if classes else " " * 14
        for classes in ([model(one) for one in own], [model(one) for one in unusual])
    )
    figures = [_balanced(rows, (kind,), model) for kind in STRANGE]
    figures += [_balanced(rows, FAR, model), _balanced(rows, FAR, Judged.by_words), _macro_f1(rows, model)]
    return f"{name:<12}{known:<11}{shares}" + "".join(f"{figure:>14.3f}" for figure in figures)


def _share(classes: Sequence[TopicDeviation], wanted: TopicDeviation) -> float:
    return sum(one is wanted for one in classes) / max(1, len(classes))


def _balanced(rows: Sequence[Judged], kinds: Sequence[Kind], judge: Callable[[Judged], TopicDeviation]) -> float:
    """Of the two kinds of reply, each kind of strange one weighing the same."""
    own = _share([judge(one) for one in rows if one.pair.on_topic], ON)
    strange = [[judge(one) for one in rows if one.pair.kind == kind] for kind in kinds]
    return (own + float(np.mean([1 - _share(classes, ON) for classes in strange if classes] or [np.nan]))) / 2


def _macro_f1(rows: Sequence[Judged], judge: Callable[[Judged], TopicDeviation]) -> float:
    found = [(one.pair.wanted, judge(one)) for one in rows if one.pair.kind != "same module"]
    scores = []
    for name in TopicDeviation:
        hits = sum(wanted is name and got is name for wanted, got in found)
        scores.append(2 * hits / max(1, sum((wanted is name) + (got is name) for wanted, got in found)))
    return float(np.mean(scores))


def _calibration_error(judged: Sequence[Judged]) -> float:
    """Mean gap of probability and share in ten bins, both kinds of reply weighing the same."""
    rows = [one for one in judged if one.ruled is None and one.pair.kind not in ("same module", "no attempt")]
    own = np.array([one.pair.on_topic for one in rows])
    weights = np.where(own, 1 / own.sum(), 1 / (~own).sum()) / 2
    probabilities = np.array([one.probability for one in rows])
    bins = np.minimum(9, (probabilities * 10).astype(int))
    gaps = [abs(float((weights * (own - probabilities))[bins == number].sum())) for number in range(10)]
    return sum(gaps)


def other_subjects(embed: Embed) -> Iterator[str]:
    """The shipped model on topics whose texts no model was fitted to: tests/data/topic_replies.json."""
    data = json.loads((ROOT / "tests/data/topic_replies.json").read_text(encoding="utf-8"))
    yield "\nOther subjects, in both languages: balanced accuracy against replies to the other topics and chatter"
    policies: tuple[DeviationPolicy, ...] = ("word_ratio", "semantic")
    for policy in policies:
        for known in (False, True):
            figure = _of_topics(data["topics"], data["strays"], policy, known, embed)
            yield f"{policy:<12}{'answers known' if known else 'question and objective':<24}{figure}"


def _of_topics(
    topics: list[dict[str, Any]], strays: list[str], policy: DeviationPolicy, known: bool, embed: Embed
) -> str:
    def on(topic: dict[str, Any], reply: str) -> bool:
        answers = topic["answers"] if known else ()
        found = detect_topic_deviation(
            reply, topic["question"], topic["objective"], policy=policy, references=answers, embed=embed
        )
        return found is ON

    own = [on(topic, reply) for topic in topics for reply in topic["replies"]]
    others = [
        on(topic, reply)
        for topic in topics
        for reply in (*strays, *(reply for other in topics if other is not topic for reply in other["replies"]))
    ]
    return f"{(np.mean(own) + 1 - np.mean(others)) / 2:.3f} (own replies on topic {np.mean(own):.3f})"
