"""Which of all that a result says a criterion is about: by the name first, then by the place."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from .lexicon import words
from .naming import FLOOR, Name, Sought, entity_groups, fit, has_phrase, name_read
from .walk import Group, Listing, Node, ResultReading
from .words import folded, stem

SURE: Final = 0.95
"""From here on a name is the name, and one that only means the same does not compete."""
_BAND_SURE, _BAND, _GOOD = 0.02, 0.125, 0.7
_LABELS: Final = frozenset({"name", "id", "title", "nombre", "titulo", "code", "codigo"})
SELECTED, PLAIN, ASIDE, EXCLUDED = 2, 1, 0, -1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node whose name fits. `place`: SELECTED, PLAIN or ASIDE; `of_subject`: what the criterion names is above it."""

    node: Node
    fit: float
    place: int
    of_subject: bool
    at_root: bool


@dataclass(frozen=True, slots=True)
class _Selection:
    """Items of lists that the result itself marks as the chosen ones, and lists that have such an item."""

    items: frozenset[str]
    lists: frozenset[str]


def candidates(
    reading: ResultReading, wanted: Sought, allowed: frozenset[str] = frozenset(), floor: float = FLOOR
) -> list[Candidate]:
    """Every node that may be meant, in the result's order."""
    fits = reading.memo.setdefault(("fits", wanted, allowed), {})
    selection, found = _selection(reading), []
    for node in reading.nodes:
        if not node.names:
            continue
        if node.names not in fits:
            fits[node.names] = _judged(wanted, node.names, allowed)
        score, place, of_subject, at_root = fits[node.names]
        if score >= floor and place != EXCLUDED:
            found.append(Candidate(node, score, _placed(place, node, selection), of_subject, at_root))
    return found


def best(
    found: list[Candidate], readable: Callable[[Node], bool] = lambda _: True, *, of_many: bool = False
) -> list[Candidate]:
    """Those that are equally good, in the result's order: in the right place, with the best name and a readable value.

    `of_many`: the criterion speaks of every item of a list; else what stands outside of lists goes first. What cannot
    be read counts where nothing else of that name can be, so that it is told why.
    """
    pool = _in_number(_with_the_subject(_chosen(found)), of_many)
    if not pool:
        return []
    for some in ([one for one in pool if readable(one.node)], pool):
        top = max((one.fit for one in some), default=0.0)
        if top and (top >= max(one.fit for one in pool) - _BAND or some is pool):
            band = _BAND_SURE if top >= SURE else _BAND
            close = [one for one in some if one.fit >= top - band - 1e-9]
            if of_many:
                patterns = {one.node.pattern for one in close}
                return [one for one in pool if one.node.pattern in patterns]
            rooted = [one for one in close if one.at_root]
            return rooted if rooted and len(rooted) < len(close) and top >= SURE else close
    return []


def _chosen(found: list[Candidate]) -> list[Candidate]:
    """Those of what was selected, where a good name is among them; else whatever is not put aside."""
    for place in (SELECTED, PLAIN):
        if any(one.place == place and one.fit >= _GOOD for one in found):
            at_root = [one for one in found if one.at_root and one.fit >= SURE and one.place == PLAIN]
            return [one for one in found if one.place == place or one in at_root]
    return found


def _with_the_subject(found: list[Candidate]) -> list[Candidate]:
    right = [one for one in found if one.of_subject and one.fit >= _GOOD]
    return right or found


def _in_number(found: list[Candidate], of_many: bool) -> list[Candidate]:
    """The total of an order rather than the prices of its items; and the other way round."""
    right = [one for one in found if bool(one.node.owner) is of_many and one.fit >= _GOOD]
    return right or found


def _judged(wanted: Sought, names: tuple[str, ...], allowed: frozenset[str]) -> tuple[float, int, bool, bool]:
    """The fit of a name in its place, the place, whether the subject is there, whether it stands at the root."""
    keys = tuple(map(name_read, names))
    key, parents = keys[-1], tuple(one for one in keys[:-1] if one.stems not in words().wrappers)
    score = fit(wanted, key, keys[:-1], allowed)
    if score <= 0:
        return 0.0, EXCLUDED, False, False
    of_subject = has_subject(wanted, keys)
    if not of_subject and wanted.groups and _belongs_elsewhere(wanted, parents):
        return 0.0, EXCLUDED, False, False
    return score, place_of(keys), of_subject, not parents


def has_subject(wanted: Sought, keys: Iterable[Name]) -> bool:
    """Whether some key on the way names the subject, or the kind of thing that it is."""
    if not wanted.subject:
        return False
    subject = set(wanted.subject)
    return any(subject <= set(key.stems) or bool(wanted.groups & entity_groups(key)) for key in keys)


def _belongs_elsewhere(wanted: Sought, parents: tuple[Name, ...]) -> bool:
    """Whether the innermost thing above is of another kind: a flight's quality is not the hotel's."""
    containers = words().containers
    for parent in reversed(parents):
        if groups := entity_groups(parent):
            if groups & wanted.groups:
                return False
            if not any((one,) in containers for one in parent.stems):
                return True
    return False


def place_of(keys: tuple[Name, ...]) -> int:
    """What the keys on the way say of what is there: chosen, put aside, or not part of the outcome at all."""
    lists, place = words(), PLAIN
    if not keys:
        return place
    for above in keys[:-1]:
        if above.stems in lists.excluded_alone or has_phrase(above, lists.excluded):
            return EXCLUDED
        if lists.selected.intersection(above.stems):
            place = SELECTED
        elif place == PLAIN and has_phrase(above, lists.aside):
            place = ASIDE
    return SELECTED if lists.selected.intersection(keys[-1].stems) and len(keys[-1].stems) > 1 else place


def _placed(place: int, node: Node, selection: _Selection) -> int:
    if not node.item or place == EXCLUDED:
        return place
    if node.item in selection.items or node.owner in selection.items:
        return SELECTED
    return ASIDE if node.item.rpartition("[")[0] in selection.lists else place


def _selection(reading: ResultReading) -> _Selection:
    known = reading.memo.get("selection")
    if not isinstance(known, _Selection):
        items = _flagged(reading) | _referred_to(reading)
        known = _Selection(frozenset(items), frozenset(item.rpartition("[")[0] for item in items))
        reading.memo["selection"] = known
    return known


def _flagged(reading: ResultReading) -> set[str]:
    flags = words().flags
    return {
        node.item for node in reading.nodes if node.item and node.value is True and name_read(node.name).stems in flags
    }


def _referred_to(reading: ResultReading) -> set[str]:
    """Items that something selected names: {"hotels": [{"name": "A"}], "selected": "A"}."""
    wanted = {
        folded(str(node.value))
        for node in reading.nodes
        if not node.item
        and isinstance(node.value, (str, int))
        and not isinstance(node.value, bool)
        and _is_choice(node)
    }
    if not wanted:
        return set()
    return {
        node.item
        for node in reading.nodes
        if node.item
        and isinstance(node.value, (str, int))
        and stem(folded(node.name)) in map(stem, _LABELS)
        and folded(str(node.value)) in wanted
    }


def _is_choice(node: Node) -> bool:
    return bool(words().selected.intersection(name_read(node.name).stems))


def is_container(node: Node) -> bool:
    """Whether it holds others."""
    return isinstance(node.value, (Listing, Group))
