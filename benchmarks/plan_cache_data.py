"""Pairs of texts for the plan cache: public ones, and those of tests/data/plans."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

OWN: Final = Path(__file__).parent.parent / "tests" / "data" / "plans"
SETS: Final = ("stsb_train_en_es.jsonl", "gptcache_mock_pairs.jsonl")
PARAPHRASE, DIFFERENT = 4.0, 3.0
"""Labels of the STS benchmark from which a pair is a paraphrase, and under which it is none."""


@dataclass(frozen=True)
class Pair:
    """`band`: paraphrase, gptcache, near (3 to 4), different (2 to 3), unrelated; of our own also addition and near
    miss.
    """

    cached: str
    new: str
    language: str
    band: str
    held_out: bool = False
    is_own: bool = False

    @property
    def may_share(self) -> bool | None:
        """Whether one plan may serve both; None where opinions differ."""
        if self.band == "near":
            return None
        return self.band in {"paraphrase", "gptcache", "addition"}


def public_pairs(folder: Path) -> Iterator[Pair]:
    """Those of the folder's `similarity`; a fifth is held out, by a hash of the pair."""
    for name in SETS:
        path = folder / "similarity" / name
        if path.exists():
            yield from (_public(row) for row in _rows(path))


def own_pairs(name: str) -> list[Pair]:
    """Pairs of a file of tests/data/plans: `paraphrases.jsonl` or `near_misses.jsonl`."""
    return [
        Pair(row["cached"], row["new"], row["language"], _band(row["kind"]), is_own=True) for row in _rows(OWN / name)
    ]


def _band(kind: str) -> str:
    return kind if kind in {"paraphrase", "addition"} else "near miss"


def _public(row: dict[str, Any]) -> Pair:
    digest = hashlib.sha256(f"{row['a']}\0{row['b']}".encode()).hexdigest()
    if row["dataset"] == "gptcache_mock":
        band = "gptcache"
    elif row["label"] >= PARAPHRASE:
        band = "paraphrase"
    elif row["label"] >= DIFFERENT:
        band = "near"
    else:
        band = "different" if row["label"] >= 2 else "unrelated"
    return Pair(row["a"], row["b"], row["lang"], band, int(digest, 16) % 5 == 0)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())
