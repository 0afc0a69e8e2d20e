"""How well relevance tells results that serve their task from others, and the fit of its calibration.

The weights are fitted to two thirds of the tasks of batch 1; the other third, and batches 2 and 3, are held out from
the fit. Batches 2 and 3 were written after the rules: docs/relevance.md has what they gave before they were looked at.
"""

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.plans_tables import shares_of, shares_table

CASES: Final = Path(__file__).parent.parent / "tests" / "data" / "relevance" / "cases.jsonl"
_PARTS: Final = 3
_ON_TOPIC: Final = frozenset({"match", "other language", "confirmed", "rejected", "rated"})
_OFF_TOPIC: Final = frozenset({"off topic", "quality", "name"})
_CONTRADICTING: Final = frozenset({"place", "date", "amount", "quantity", "negation"})
_CONTRADICTING_WEIGHT, _STRANGER_WEIGHT = 0.4, 0.15
_STRANGERS: Final = 10
"""Results of other tasks that each task is held against when fitting."""
_REGULARISATION: Final = 0.3
_ABOUT: Final = (
    "Logistic model of whether a result is about its task, and what is left of it when the result contradicts the task:"
    " evaluation/relevance/score.py applies it, `python -m benchmarks.plans --fit` wrote the weights, fitted to"
    " tests/data/relevance; people set the factors."
)

Case = dict[str, Any]


def cases_read() -> list[Case]:
    """The labelled cases; `held_out` says that nothing was fitted to it."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    return [{**case, "held_out": case["batch"] > 1 or _part(case["task"]) == 0} for case in cases]


def report() -> list[str]:
    """Accuracy (relevant from 0.5 on) and how many scores are in the band that a person set."""
    from evaluation.relevance import relevance_of

    cases = cases_read()
    scores = [float(relevance_of(case["task"], case["result"])) for case in cases]
    right = [(score >= 0.5) == case["relevant"] for score, case in zip(scores, cases, strict=True)]
    banded = [case["low"] <= score <= case["high"] for score, case in zip(scores, cases, strict=True)]

    shares = shares_of(cases, right, _groups, banded)
    return shares_table("Relevance: relevant from 0.5 on; the aim is over 85 %", shares, "in band")


def _groups(case: Case) -> tuple[str, ...]:
    held = "held out of the fit" if case["held_out"] else "fitted"
    return f"batch {case['batch']}, {held}", f"in {case['lang']}", f"kind: {case['kind']}"


def fit() -> list[str]:
    """Write the weights anew, and say which."""
    from evaluation.relevance import score as calibration

    rows = [*_rows([case for case in cases_read() if not case["held_out"]])]
    names = [*rows[0][0]]
    features = np.array([[*row.values()] for row, _, _ in rows])
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=_REGULARISATION, max_iter=5_000)
    model.fit(scaler.transform(features), [on for _, on, _ in rows], sample_weight=[weight for *_, weight in rows])
    weights = model.coef_[0] / scaler.scale_
    data = {
        "about": _ABOUT,
        "intercept": round(float(model.intercept_[0] - weights @ scaler.mean_), 3),
        "weights": {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)},
        "factors": calibration.factors(),
    }
    calibration.FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    calibration.model.cache_clear()
    return [f"fitted to {len(rows)} pairs: {data['weights']}"]


def _part(task: str) -> int:
    return int(hashlib.sha256(task.encode()).hexdigest(), 16) % _PARTS


def _rows(cases: Sequence[Case]) -> Iterator[tuple[dict[str, float], bool, float]]:
    """Features, whether the result is about the task, and how much the pair weighs.

    Results that contradict their task in a date or a sum are about it, but weigh less; those of strangers are not.
    """
    for case in cases:
        on_topic = case["kind"] in _ON_TOPIC or case["kind"] in _CONTRADICTING
        if on_topic or case["kind"] in _OFF_TOPIC:
            weight = _CONTRADICTING_WEIGHT if case["kind"] in _CONTRADICTING else 1.0
            if features := _features(case["task"], case["result"], on_topic=on_topic):
                yield features, on_topic, weight
    chance, matches = random.Random(1), [case for case in cases if case["kind"] == "match"]
    for task in dict.fromkeys(case["task"] for case in cases):
        for case in chance.sample(matches, _STRANGERS):
            if not _same_thing(task, case["task"]) and (features := _features(task, case["result"], on_topic=False)):
                yield features, False, _STRANGER_WEIGHT


def _same_thing(task: str, other: str) -> bool:
    from evaluation.relevance.request import request_read

    return task == other or bool(set(request_read(task).objects) & set(request_read(other).objects))


def _features(task: str, result: object, *, on_topic: bool) -> dict[str, float]:
    """None for what the rules decide: empty results, and contradictions of what is off the topic."""
    from evaluation.relevance.request import request_read
    from evaluation.relevance.result import content_read
    from evaluation.relevance.score import evidence_of, features_of

    request = request_read(task)
    content = content_read(result, request.words)
    if content.is_empty:
        return {}
    match, met, conflicts = evidence_of(request, content)
    return {} if conflicts and not on_topic else features_of(match, met)
