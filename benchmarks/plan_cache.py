"""`python -m benchmarks.plan_cache`: how often the plan cache serves paraphrases, and how often what it must not serve.

Cosine, model and guard as the product has them; pairs of public sets count only where they were held out of the fit.
"""

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

DATA: Final = "ANDAMIO_DATA"
_PART: Final = 400
_BANDS: Final = {
    "paraphrase": "STS, label 4 to 5",
    "gptcache": "GPTCache, all paraphrases",
    "near": "STS, label 3 to 4",
    "different": "STS, label 2 to 3",
    "unrelated": "STS, label under 2",
}


def report(data: Path | None) -> list[str]:
    """The lines of the report; without the folder of the public sets only our own pairs."""
    from benchmarks.plan_cache_data import own_pairs, public_pairs

    lines = ["Plan cache: pairs served from the cache of all pairs"]
    own = [*own_pairs("near_misses.jsonl"), *own_pairs("paraphrases.jsonl")]
    served = served_of([(one.cached, one.new, one.language) for one in own])
    for band in ("paraphrase", "addition", "near miss"):
        lines += _lines(f"our own, {band}", [hit for one, hit in zip(own, served, strict=True) if one.band == band])
    lines += [
        f"  served and must not: {one.cached} | {one.new}"
        for one, hit in zip(own, served, strict=True)
        if hit and not one.may_share
    ]
    if data is None:
        return lines
    held = [one for one in public_pairs(data) if one.held_out]
    served = served_of([(one.cached, one.new, one.language) for one in held])
    for band, name in _BANDS.items():
        for language in ("en", "es"):
            found = [
                hit for one, hit in zip(held, served, strict=True) if one.band == band and one.language == language
            ]
            lines += _lines(f"{name}, {language}", found)
    may = [hit for one, hit in zip(held, served, strict=True) if one.may_share]
    may_not = [hit for one, hit in zip(held, served, strict=True) if one.may_share is False]
    return [*lines, *_lines("all held-out paraphrases", may), *_lines("all held-out others (label under 3)", may_not)]


def served_of(pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
    """Whether the plan of each pair's first task would serve the second one."""
    from gateway.services import texts_embed_locally
    from planning.cache.guard import relation_of
    from planning.cache.nominating import THRESHOLD, share_probabilities

    related = [(cached, new, relation_of(cached, new, language)) for cached, new, language in pairs]
    return [
        probability >= THRESHOLD
        for at in range(0, len(related), _PART)
        for probability in share_probabilities(related[at : at + _PART], texts_embed_locally)
    ]


def _lines(name: str, hits: Sequence[bool]) -> list[str]:
    return [f"  {name:<38} {sum(hits):>5} of {len(hits):>5}  {100 * sum(hits) / len(hits):6.2f} %"] if hits else []


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plan_cache", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA), help=f"folder of the public sets; or {DATA}")
    options = parser.parse_args()
    begun = time.perf_counter()
    print(*report(Path(options.data) if options.data else None), sep="\n")
    print(f"{time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
