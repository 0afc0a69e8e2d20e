"""`python -m benchmarks.reflection_likeness`: whether relevance and novelty of reflections tell apart what they should.

`--fit` writes the calibration anew. It is fitted to two thirds of the tasks of batch 1; the other third, and batch 2,
which was written after everything was fitted, are held out. Batch 3 is what the rules write of planted failures.
"""

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from benchmarks.own_place import own_place
from benchmarks.plans_tables import shares_of, shares_table
from benchmarks.reflection_pairs import Pair, task_pairs, text_pairs

_ABOUT: Final = (
    "Logistic models of whether a reflection is about a task, and whether it repeats another: reflection/likeness"
    " applies them, `python -m benchmarks.reflection_likeness --fit` wrote them, fitted to two thirds of batch 1 of"
    " tests/data/reflection_pairs.jsonl, and the second also to what the rules write (benchmarks/reflection_rules.py)."
)
_WEIGHTS: Final = {"names nothing": 0.4, "task of the field": 0.6}
_NOT_FITTED: Final = "new: other cause beside the old one"
"""What is added is looked at alone, so that the model never sees such a pair."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reflection_likeness", description=__doc__)
    parser.add_argument("--fit", action="store_true", help="write the calibration anew")
    options = parser.parse_args()
    with own_place():
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(*(fit() if options.fit else []), *report(), sep="\n")


@cache
def _text_pairs() -> list[Pair]:
    """As people write and as the rules do."""
    from benchmarks.reflection_rules import rule_pairs

    return [*text_pairs(), *rule_pairs()]


def report() -> list[str]:
    """How many are on the right side of the thresholds of RT-010, by kind."""
    from reflection.likeness import novelty_scored, relevance_scored

    tasks, texts = task_pairs(), _text_pairs()
    relevant = [relevance_scored(one.text, one.other) >= 0.6 for one in tasks]
    repeated = [novelty_scored(one.text, [one.other]) < 0.3 for one in texts]
    return [
        *_table("Relevance: of the task from 0.6 on", tasks, relevant),
        *_table("Novelty: a copy under 0.3", texts, repeated),
    ]


def _table(title: str, pairs: Sequence[Pair], said: Sequence[bool]) -> list[str]:
    right = [one.yes is found for one, found in zip(pairs, said, strict=True)]
    rows = [one._asdict() for one in pairs]
    return shares_table(title, shares_of(rows, right, _groups))


def _groups(row: dict[str, Any]) -> tuple[str, ...]:
    part = "held out" if row["held_out"] else "fitted"
    return f"batch {row['batch']}, {part}", f"{part}: {row['batch']}: {row['kind']}"


def fit() -> list[str]:
    """Write both models anew, and say what they are."""
    from reflection.likeness.scores import FILE, model_of

    data: dict[str, Any] = {"about": _ABOUT, "relevance": _fit_relevance(), "repetition": _fit_repetition()}
    FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    model_of.cache_clear()
    return [f"{name}: {data[name]}" for name in ("relevance", "repetition")]


def _fit_relevance() -> dict[str, Any]:
    from reflection.likeness.scores import relevance_features
    from reflection.likeness.texts import task_read, text_read

    pairs = [one for one in task_pairs() if not one.held_out]
    rows = [relevance_features(text_read(one.text), task_read(one.other)) for one in pairs]
    weights = [next((weight for name, weight in _WEIGHTS.items() if name in one.kind), 1.0) for one in pairs]
    return _fitted(rows, [one.yes for one in pairs], np.array(weights))


def _fit_repetition() -> dict[str, Any]:
    """Kinds weigh by the root of their number: copies that are easy to find are many."""
    from reflection.likeness.scores import repetition_features
    from reflection.likeness.texts import insight_read
    from reflection.likeness.vectors import texts_embed

    pairs = [one for one in _text_pairs() if not one.held_out and one.kind != _NOT_FITTED]
    counted = Counter(one.kind for one in pairs)
    rows = [repetition_features(*texts_embed([insight_read(one.text), insight_read(one.other)])) for one in pairs]
    weights = [counted[one.kind] ** -0.5 for one in pairs]
    return _fitted(rows, [one.yes for one in pairs], np.array(weights))


def _fitted(rows: Sequence[dict[str, float]], yes: Sequence[bool], weights: Any) -> dict[str, Any]:
    """Both answers weigh the same in all."""
    names, answers = [*rows[0]], np.array(yes)
    weights[answers] *= weights[~answers].sum() / weights[answers].sum()
    weights *= len(weights) / weights.sum()
    features = np.array([[*row.values()] for row in rows])
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(C=1.0, max_iter=5_000)
    model.fit(scaler.transform(features), answers, sample_weight=weights)
    found = model.coef_[0] / scaler.scale_
    return {
        "intercept": round(float(model.intercept_[0] - found @ scaler.mean_), 3),
        "weights": {name: round(float(weight), 3) for name, weight in zip(names, found, strict=True)},
    }


if __name__ == "__main__":
    main()
