"""What two tasks that share all their words still say differently: compounds, and what a deed is done for."""

from collections.abc import Iterator, Sequence

from planning.cache.contracts import Conflict
from planning.cache.matching import CONTENT
from planning.understanding.facts_items import OBJECT, QUALITY, VERB, Item, Reading
from planning.understanding.facts_words import word_set


def compound_conflicts(extra: Sequence[Item], reading: Reading, matched: frozenset[int]) -> Iterator[Conflict]:
    """Words that a hyphen joins to one that both tasks have: a mother-in-law is no mother."""
    ends = {item.last: item.first for item in reading.items}
    for item in extra:
        if item.kind not in CONTENT or item.kind == QUALITY:
            continue
        joins = [at for at in {item.begins, item.first} if at < len(reading.tokens) and reading.tokens[at].hyphen]
        before = any(ends.get(at, -1) in matched for at in joins)
        follows = item.last < len(reading.tokens) and reading.tokens[item.last].hyphen and item.last in matched
        if before or follows:
            said = reading.wording(item)
            yield Conflict(kind="compound", cached="", new=said)


def purpose_conflicts(cached: Reading, new: Reading) -> Iterator[Conflict]:
    """To prepare the interview is another thing than to prepare for it. In Spanish both are said in the same way."""
    if cached.language != "en":
        return
    left, right = _purposes(cached), _purposes(new)
    for done, role in left.items():
        if done in right and right[done] != role:
            yield Conflict(kind="purpose", cached=f"{role} {done[1]}".strip(), new=f"{right[done]} {done[1]}".strip())


def _purposes(reading: Reading) -> dict[tuple[str, str], str]:
    """By verb and the thing right behind it, "for" where that stands between them."""
    verbs = {item.last: item for item in reading.items if item.kind == VERB and item.value in word_set("guard_for")}
    found = {}
    for item in reading.items:
        if item.kind not in CONTENT:
            continue
        at = item.begins
        while at > 0 and at not in verbs and reading.fold(at - 1) in word_set("phrases_articles"):
            at -= 1
        if at in verbs and (item.kind == OBJECT or item.role == "for"):
            found[verbs[at].value, item.value] = "for" if item.role == "for" else ""
    return found
