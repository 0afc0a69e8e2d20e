"""Accepted examples as the lines of a pack file. See docs/packs.md for where they go."""

from typing import Any

import yaml

from routing.models import LabelledExample
from routing.pack_reading import SENTENCE_CHARACTERS, same

EXPORTED_AT_MOST = 10_000
LABEL = "corrected"


def examples_exported() -> str:
    """YAML of `domains: {key: {examples: {corrected: [...]}}}`, the latest `EXPORTED_AT_MOST` of them.

    What no pack could hold is left out: erased and blank words, more than a sentence may have, and the same twice.
    """
    found: dict[str, Any] = {}
    seen: set[str] = set()
    for domain, text in _accepted():
        if same(text) not in seen:
            seen.add(same(text))
            found.setdefault(domain, {"examples": {LABEL: []}})["examples"][LABEL].append(text)
    written: str = yaml.safe_dump({"domains": found}, allow_unicode=True, sort_keys=False, width=10**9)
    return written


def _accepted() -> list[tuple[str, str]]:
    """Domain and words, in the order of the domains."""
    rows = LabelledExample.objects.filter(state=LabelledExample.State.ACCEPTED, question__message__isnull=False)
    latest = rows.order_by("-created_at").values_list("domain", "question__message")[:EXPORTED_AT_MOST]
    texts = ((domain, " ".join(bytes(words or b"").decode("utf-8", "replace").split())) for domain, words in latest)
    return sorted((domain, text) for domain, text in texts if 0 < len(text) <= SENTENCE_CHARACTERS and "\0" not in text)
