"""`python -m benchmarks.plan_cache_fit --data FOLDER`: fits the probability that two tasks may share a plan.

Writes `planning/cache/data/<embedder>-<version>.json`. Pairs that the guard refuses are not part of the fit, nor are
those whose label says neither yes nor no, nor the fifth that is held out.
"""

import argparse
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.plan_cache_data import Pair, own_pairs, public_pairs

_ABOUT: Final = (
    "Logistic model of the probability that the plan of one task may serve another that the guard lets through:"
    " planning/cache/nominating.py applies it, `python -m benchmarks.plan_cache_fit` wrote it. Fitted to STS benchmark"
    " pairs in English and Spanish (CC BY-SA 4.0), GPTCache example pairs (MIT) and tests/data/plans."
)
# False hits among the held-out pairs stay under 1 % with this; at weight 1 they are 0.4 % and hits a fifth fewer.
_PARAPHRASES: Final = 2.5
_OWN: Final = 5.0
_PART: Final = 400


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from planning.cache.nominating import FILE, VERSION

    parser = argparse.ArgumentParser(prog="python -m benchmarks.plan_cache_fit", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    pairs = [one for one in public_pairs(parser.parse_args().data) if one.may_share is not None and not one.held_out]
    pairs += [*own_pairs("paraphrases.jsonl"), *own_pairs("near_misses.jsonl")]
    features, kept = _features(pairs)
    written = {"version": VERSION, "about": _ABOUT, "pairs": len(kept), **_fitted(features, kept)}
    FILE.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    print(FILE, len(kept), "pairs")


def _features(pairs: Sequence[Pair]) -> tuple[list[dict[str, float]], list[Pair]]:
    """Of the pairs that are the model's to judge."""
    from gateway.services import texts_embed_locally
    from planning.cache.guard import relation_of
    from planning.cache.nominating import features_of, is_other_task, without_additions

    features, kept = [], []
    for at in range(0, len(pairs), _PART):
        part = [(pair, relation_of(pair.cached, pair.new, pair.language)) for pair in pairs[at : at + _PART]]
        part = [(pair, relation) for pair, relation in part if not is_other_task(relation)]
        old = texts_embed_locally([pair.cached for pair, _relation in part])
        new = texts_embed_locally([without_additions(pair.new, relation.additions) for pair, relation in part])
        for (pair, relation), cosine in zip(part, (old * new).sum(axis=1), strict=True):
            features.append(features_of(float(cosine), relation))
            kept.append(pair)
    return features, kept


def _fitted(features: Sequence[dict[str, float]], pairs: Sequence[Pair]) -> dict[str, Any]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    names = list(features[0])
    rows = np.array([[one[name] for name in names] for one in features])
    weights = [(_PARAPHRASES if one.may_share else 1.0) * (_OWN if one.is_own else 1.0) for one in pairs]
    scaler = StandardScaler().fit(rows)
    model = LogisticRegression(C=1.0, max_iter=5000)
    model.fit(scaler.transform(rows), [bool(one.may_share) for one in pairs], sample_weight=weights)
    found = model.coef_[0] / scaler.scale_
    return {
        "intercept": round(float(model.intercept_[0] - found @ scaler.mean_), 4),
        "weights": {name: round(float(weight), 4) for name, weight in zip(names, found, strict=True)},
    }


if __name__ == "__main__":
    main()
