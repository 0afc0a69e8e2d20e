"""Accepted examples as the lines of a pack file. See docs/packs.md for where they go."""

from typing import Any

import yaml

from routing.models import LabelledExample
from routing.packs.reading import SENTENCE_CHARACTERS, same

EXPORTED_AT_MOST = 10_000
LABEL = "corrected"


def examples_exported() -> str:
    """YAML of `domains: {key: {examples: {corrected: [...]}}}`, the latest `EXPORTED_AT_MOST` of them.

    Left out is what no pack could hold: erased, blank, too long and repeated texts.
    """
    domains: dict[str, Any] = {}
    exported: set[str] = set()
    for domain, text in _accepted():
        if same(text) not in exported:
            exported.add(same(text))
            domains.setdefault(domain, {"examples": {LABEL: []}})["examples"][LABEL].append(text)
    content: str = yaml.safe_dump({"domains": domains}, allow_unicode=True, sort_keys=False, width=10**9)
    return content


def _accepted() -> list[tuple[str, str]]:
    """Domain and words, in the order of the domains."""
    rows = LabelledExample.objects.filter(state=LabelledExample.State.ACCEPTED, question__message__isnull=False)
    latest = rows.order_by("-created_at").values_list("domain", "question__message")[:EXPORTED_AT_MOST]
    texts = ((domain, " ".join(bytes(words or b"").decode("utf-8", "replace").split())) for domain, words in latest)
    return sorted((domain, text) for domain, text in texts if 0 < len(text) <= SENTENCE_CHARACTERS and "\0" not in text)
