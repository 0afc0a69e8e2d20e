"""Lists in any order: items by synonyms, with slips of the keyboard, also inside a sentence."""

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

from lesson_engine.contracts import Ask, ListAnswer, Verdict
from lesson_engine.grading.quantities import is_other_quantity, only_quantity, place_of_quantity

from .andamio_3.fold import fold
from .lexicon import lexicon
from .matching import Matcher
from .misconceptions import code_where, exact, recognised
from .normalise import Phrase, read, read_authored
from .polarity import denied_stems
from .segments import cut_at_conjunctions, has_words, parts
from .verdicts import Embed, accept, partial, reject

SEMANTIC_CUT = 0.8
"""Cosine above which a part of several words is one of the items in other words."""


@dataclass(slots=True)
class Listed:
    """What a reply lists: places of items in the lesson's list, and parts that are none of them."""

    items: set[int] = field(default_factory=set)
    extra: list[str] = field(default_factory=list)


def grade_list(ask: Ask, answer: ListAnswer, text: str, words: Matcher, embed: Embed) -> Verdict:
    """All needed items and nothing else is right; some, or all with wrong ones among them, partly."""
    reply = read(text, words.language)
    if code := exact(ask, reply, words):
        return recognised(ask, code, "misconception.exact")
    listed = find_items(answer, text, words)
    if listed.extra and len(listed.items) < len(answer.items):
        _add_by_meaning(answer, listed, words, embed)
    needed = answer.required or len(answer.items)
    named = [answer.items[at][0] for at in sorted(listed.items)]
    details: dict[str, Any] = {"found": named, "missing": max(0, needed - len(named)), "extra": listed.extra[:10]}
    wrong = _misconception(ask, answer, listed, words) if listed.extra else None
    score = min(len(named), needed) / needed
    if score == 1 and not listed.extra:
        return accept("list.items", **details)
    if wrong is not None:
        return recognised(ask, wrong, "misconception.exact", score * 0.3).model_copy(update={"details": details})
    if not named or len(listed.extra) > max(2, len(named)):
        return reject("list.items", score * 0.3, **details)
    return partial("list.extra" if listed.extra else "list.some", min(0.9, score) - 0.1 * bool(listed.extra), **details)


def find_items(answer: ListAnswer, text: str, words: Matcher) -> Listed:
    """The items in a text. An item whose own wording has an "and" is looked for before parts are cut there."""
    listed = Listed()
    for part in parts(text):
        if places := _quantities_of(answer, part, words) or _item_of(answer, part, words):
            listed.items |= places
            continue
        for piece in cut_at_conjunctions(part, words.language) if not _inside(answer, part, words) else [part]:
            _take(answer, piece, words, listed)
    return listed


def _quantities_of(answer: ListAnswer, part: str, words: Matcher) -> set[int]:
    """The item that a part is as a quantity; the items, where "2,5" are two of them and not a number."""
    if (place := place_of_quantity(answer.items, part, words)) is not None:
        return {place}
    if "," not in part:
        return set()
    places = [place_of_quantity(answer.items, piece, words) for piece in part.split(",")]
    return {place for place in places if place is not None} if None not in places else set()


def _take(answer: ListAnswer, piece: str, words: Matcher, listed: Listed) -> None:
    reply = read(piece, words.language)
    place = place_of_quantity(answer.items, piece, words)
    items, left = ({place}, []) if place is not None else _items_within(answer, reply, words)
    if is_other_quantity(answer.items, piece, words):
        items, left = set(), list(reply.content)
    listed.items |= items
    if not items and _is_extra(left, reply, words):
        listed.extra.append(fold(piece).strip()[:80])


def _is_extra(left: list[str], reply: Phrase, words: Matcher) -> bool:
    """A part that names something: not only function words, verbs or words of the question, and not denied."""
    verbs = lexicon(words.language).verbs
    named = [word for word in left if word not in verbs]
    return bool(named) and not denied_stems(reply, words.language)


def _item_of(answer: ListAnswer, part: str, words: Matcher) -> set[int]:
    if is_other_quantity(answer.items, part, words):
        return set()
    typed = read(part, words.language).key.split()
    places = (
        at
        for at, synonyms in enumerate(answer.items)
        if any(words.same_words(typed, read_authored(synonym, words.language).key.split()) for synonym in synonyms)
    )
    return set(islice(places, 1))


def _inside(answer: ListAnswer, part: str, words: Matcher) -> bool:
    """Whether the part contains an authored item with a conjunction of its own."""
    reply = read(part, words.language)
    conjunctions = lexicon(words.language).conjunctions
    return any(
        conjunctions.intersection(phrase.words) and words.find(phrase.words, reply.words) is not None
        for synonyms in answer.items
        for phrase in (read_authored(synonym, words.language) for synonym in synonyms)
    )


def _items_within(answer: ListAnswer, reply: Phrase, words: Matcher) -> tuple[set[int], list[str]]:
    """Items named in a part, longest wording first, and the content words that belong to none."""
    wordings = sorted(
        ((read_authored(s, words.language).content, at) for at, group in enumerate(answer.items) for s in group),
        key=lambda pair: -len(pair[0]),
    )
    denied = denied_stems(reply, words.language)
    items: set[int] = set()
    taken: set[int] = set()
    for wording, at in wordings:
        start = words.find(wording, reply.content, taken)
        if start is None:
            continue
        places = range(start, start + len(wording))
        taken.update(places)
        if not denied.issuperset(reply.stems[place] for place in places):
            items.add(at)
    stopwords = lexicon(words.language).stopwords
    left = [w for place, w in enumerate(reply.content) if place not in taken and w not in stopwords]
    return items, [word for word in left if not words.in_question(word)]


def _add_by_meaning(answer: ListAnswer, listed: Listed, words: Matcher, embed: Embed) -> None:
    """Counts parts of two words or more that mean a missing item; single words are too easily its neighbours."""
    several = (extra for extra in listed.extra if len(read(extra, words.language).content) > 1)
    candidates = [extra for extra in several if has_words(extra) and not only_quantity(extra, words.language)][:10]
    if not candidates:
        return
    wordings = [(synonym, at) for at, group in enumerate(answer.items) if at not in listed.items for synonym in group]
    vectors = embed([*candidates, *(wording for wording, _ in wordings)])
    cosines = vectors[: len(candidates)] @ vectors[len(candidates) :].T
    for row, candidate in zip(cosines, candidates, strict=True):
        best = int(row.argmax())
        if row[best] >= SEMANTIC_CUT:
            listed.items.add(wordings[best][1])
            listed.extra.remove(candidate)


def _misconception(ask: Ask, answer: ListAnswer, listed: Listed, words: Matcher) -> str | None:
    """The misconception whose example lists the same wrong things, or two thirds of them."""
    extras = _keys(listed, words)

    def lists_the_same(example: str) -> bool:
        theirs = _extras_of(answer, example, words)
        return bool(theirs) and 3 * len(theirs & extras) >= 2 * len(theirs)

    return code_where(ask, lists_the_same)


@lru_cache(maxsize=2048)
def _extras_of(answer: ListAnswer, example: str, words: Matcher) -> frozenset[str]:
    return _keys(find_items(answer, example, words), words)


def _keys(listed: Listed, words: Matcher) -> frozenset[str]:
    return frozenset(read(extra, words.language).key for extra in listed.extra)
