"""What in a part of a result speaks for a thing or against it. None: it says nothing of the thing."""

from typing import Final

from evaluation.checking.assertions import is_asserted
from evaluation.checking.booleans import (
    FREE,
    Shortfall,
    is_charged,
    is_free,
    is_negated_form,
    is_optional,
    is_other_head,
    is_taken,
    shortfall_of,
    truth,
)
from evaluation.checking.concepts import Concept, is_none_of, kind_values, kinds, lists, values_in
from evaluation.checking.result_parts import ResultPart
from evaluation.checking.words import cosines
from evaluation.contracts import Reason

from .finding import best, candidates, nodes_named
from .lexicon import words
from .naming import Name, Target, has_phrase, name_read
from .outcome import Outcome, Quantifier, agreed, combined, decided, opposite, unknown
from .values import is_missing
from .walk import Group, Listing, Node, ResultReading
from .words import name_stems, plain_text, text_stems

FLOOR: Final = 0.86
"""A thing's name must fit better than a value's: a pool bar is no pool."""
_ALIKE, _PERHAPS = 0.78, 0.64
"""From where the embedder's word counts, and from where it leaves a doubt (docs/checks.md)."""
_ITEMS: Final = 60


def by_name(reading: ResultReading, about: Target, *, gratis: bool = False) -> Outcome | None:
    """Values that have the thing's name, or the name with a denial in it. `gratis`: at no charge."""

    def judge(node: Node) -> Outcome:
        return _of_value(node, reading, about, gratis)

    allowed = lists().yes_words | lists().no_words
    for wanted in (about, _denied(about)):
        fitting = candidates(reading, wanted, allowed, FLOOR)
        # Items of a list that has the thing's name are the things; each by itself is none to read.
        named = [candidate for candidate in fitting if not (candidate.node.is_item or _is_excluded(candidate.node))]
        readings = best(named, lambda node: judge(node).met is not None)
        if readings:
            outcome = combined(readings, judge, Quantifier.ANY)
            return outcome if wanted is about else opposite(outcome)
    return None


def _is_excluded(node: Node) -> bool:
    return isinstance(node.value, str) and has_phrase(name_read(node.name), words().excluded)


def _denied(about: Target) -> Target:
    name = about.name
    other = Name(name.stems, name.phrases, name.pieces, name.unit, not name.negated)
    return Target(other, about.subject, about.groups, about.bounds)


def _of_value(node: Node, reading: ResultReading, about: Target, gratis: bool) -> Outcome:
    """What a value under the thing's name says."""
    of_thing = frozenset((*about.name.stems, *about.subject))
    met = truth(node.value, " ".join(about.spoken))
    if isinstance(node.value, Group) and node.value.size:
        met = _of_parts(node, reading)
    elif isinstance(node.value, Listing) and met and _are_others(node.value, of_thing):
        met = None
    elif isinstance(node.value, str) and met is not False:
        met = _of_text(node.value, name_read(node.name), of_thing, met)
    if gratis and met:
        met = _at_no_charge(node.value)
    if met is not None:
        key = set(name_read(node.name).stems)
        return decided(met is not bool(key & lists().no_words), node)
    return unknown(Reason.DATA_MISSING, node)


def _of_text(text: str, key: Name, of_thing: frozenset[str], met: bool | None) -> bool | None:
    """{"furnished": "unfurnished"}, {"ticket": "non-refundable"}, {"parking": "full"}."""
    if is_negated_form(text, of_thing | set(key.stems)) or is_taken(text, key.stems):
        return False
    return met


def _at_no_charge(value: object) -> bool | None:
    """Whether what is there comes free; a plain number may be its price or how many there are."""
    if isinstance(value, bool):
        return True
    if isinstance(value, (int, float)):
        return None
    if not isinstance(value, str):
        return True
    charged = is_charged(value)
    if charged is None:
        return None if is_optional(value) else True
    return not charged


def _are_others(listed: Listing, of_thing: frozenset[str]) -> bool:
    """Whether every item is another thing with the name in it: ["pool table"] under `pool`."""
    if not listed.texts or len(listed.texts) != listed.size:
        return False
    named = [name_stems(text) for text in listed.texts[:_ITEMS]]
    return all(len(stems) > 1 and stems[-2] in of_thing and is_other_head(stems[-1]) for stems in named)


def _of_parts(node: Node, reading: ResultReading) -> bool:
    """{"pool": {"available": false}}: what a part says of the whole, else that there is one."""
    for part in reading.nodes:
        if part.names[:-1] != node.names or not part.path.startswith(node.path):
            continue
        if _is_answer(part.value):
            stems = set(name_read(part.name).stems)
            met = truth(part.value)
            if met is not None and stems & (lists().yes_words | lists().no_words):
                return met is not bool(stems & lists().no_words)
        elif (
            isinstance(part.value, str)
            and has_phrase(name_read(part.name), kinds()["status"].names)
            and shortfall_of(part.value) is Shortfall.FAILED
        ):
            return False  # {"payment": {"status": "declined"}}
    return True


def _is_answer(value: object) -> bool:
    if isinstance(value, str):
        return plain_text(value) in lists().yes_texts | lists().no_texts
    return isinstance(value, bool)


def _names_of_price(thing: Concept) -> tuple[str, ...]:
    stems = [stem for stem in thing.stems if (stem,) not in FREE]
    if len(stems) == len(thing.stems):
        return ()
    return (" ".join(("cost", *stems)), " ".join((*stems, "cost"))) if stems else ("price",)


def by_none(reading: ResultReading, thing: Concept, about: Target) -> Outcome | None:
    """What the thing has none of: `stops: 0` of a direct flight."""
    for name in is_none_of(thing):
        for node in nodes_named(reading, name, about, floor=FLOOR):
            some = None if isinstance(node.value, str) else truth(node.value)
            if some is not None and not node.is_item:
                return decided(not some, node)
    return None


def by_price(reading: ResultReading, thing: Concept, about: Target) -> Outcome | None:
    """Whether the price of it is zero, where it is to be free: `shipping_cost` of "free shipping"."""
    for name in _names_of_price(thing):
        for node in nodes_named(reading, name, about):
            if (met := is_free(node.value)) is not None:
                return decided(met, node)
    return None


def by_text(part: ResultPart, thing: Concept, *, is_state: bool = False) -> Outcome | None:
    """Texts and items of lists that name the thing. `is_state`: it is to be so wholly, not "50% complete"."""
    outcomes: list[Outcome] = []
    for node in part.nodes:
        if isinstance(node.value, str) and not is_missing(node.value) and not _is_label(node):
            met = is_asserted(node.value, thing, _context(node, thing))
            if met and is_state and not shortfall_of(thing.spoken) and (short := shortfall_of(node.value)):
                if short is Shortfall.DOUBTFUL:
                    return unknown(Reason.AMBIGUOUS, node, "text")
                met = False
            if met is not None:
                denied = name_read(node.name).negated or bool(set(name_read(node.name).stems) & lists().no_words)
                outcomes.append(decided(met is not denied, node))
    return agreed(outcomes) if outcomes else None


def _is_label(node: Node) -> bool:
    """A name of something, which does not say what it has: Pool Plaza Hotel. The name of a listed thing does."""
    above = node.names[-2] if len(node.names) > 1 else ""
    listed = name_read(above).stems
    return name_read(node.name).stems in words().labels and not (listed in lists().catalogues and node.owner)


def _context(node: Node, thing: Concept) -> frozenset[str]:
    """What the names above a value say already, and what a list of levels need not say: that they are of slopes."""
    above = [stem for name in node.names[-2:] for stem in name_stems(name)]
    for kind, _ in thing.kinds:
        if has_phrase(name_read(node.name), kinds()[kind].names):
            unsaid = [part for part in thing.parts if not any(map(kind_values, part))]
            above += [stem for part in unsaid for phrase in part for stem in phrase]
    return frozenset(above)


def of_kind(part: ResultPart, kind: str) -> list[tuple[Node, frozenset[int]]]:
    """Nodes whose name is one of the kind's and whose value is of it, with the values."""
    named = kinds()[kind].names
    return [
        (node, values)
        for node in part.nodes
        if not node.is_item and has_phrase(name_read(node.name), named) and (values := _values_of(node, kind))
    ]


def _values_of(node: Node, kind: str) -> frozenset[int]:
    if isinstance(node.value, str):
        return values_in(node.value, kind)
    if isinstance(node.value, Listing):
        return frozenset[int]().union(*(values_in(text, kind) for text in node.value.texts))
    return frozenset()


def by_kind(part: ResultPart, thing: Concept) -> Outcome | None:
    """A value of the same kind that is another one says no; so does a list of them that leaves it out."""
    for kind, wanted in sorted(thing.kinds):
        for node, values in of_kind(part, kind):
            return decided(wanted in values, node)
    return None


def by_catalogue(part: ResultPart, thing: Concept) -> Outcome | None:
    """A list of that kind of thing that does not name it says no, unless something in it is much alike."""
    if thing.stems in lists().no_catalogue_for or not thing.stems:
        return None
    for node in part.nodes:
        texts = _listed(node.value)
        if texts and (is_catalogue(node) or name_read(node.name).stems == thing.stems[-1:]):
            outcome = _alike(node, texts, thing)
            if outcome.met is False and not is_catalogue(node) and not thing.is_known:
                return unknown(Reason.AMBIGUOUS, node, "text")  # fees that may be the hidden ones
            return outcome
    return None


def is_catalogue(node: Node) -> bool:
    """Whether its name is one of a list that names all there is: amenities, ingredients."""
    key = name_read(node.name).stems
    return key in lists().catalogues or key[-1:] in lists().catalogues


def _listed(value: object) -> tuple[str, ...]:
    """The items of a list, also of one in a text: "wifi, gym, spa"."""
    if isinstance(value, Listing):
        return value.texts
    return tuple(value.split(",")) if isinstance(value, str) and "," in value else ()


def _alike(node: Node, texts: tuple[str, ...], thing: Concept) -> Outcome:
    """A thing that no list knows may go by another name."""
    scores = [] if thing.is_known else cosines(thing.spoken, texts[:_ITEMS])
    score, item = max(zip(scores, texts, strict=False), key=lambda pair: pair[0], default=(0.0, ""))
    is_part = bool(set(thing.stems) & set(text_stems(item)))  # "paid wifi" is much like "free wifi"
    if score >= _ALIKE and not is_part:
        return decided(True, node, actual=item)
    if score >= _PERHAPS:
        return unknown(Reason.AMBIGUOUS, node, "alike", actual=item)
    return decided(False, node, "list")
