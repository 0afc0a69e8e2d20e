"""Which of all that a result says a criterion is about: by the name first, then by the place."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from .lexicon import words
from .naming import FLOOR, Name, Target, entity_groups, fit, has_phrase, name_read
from .walk import Node, ResultReading
from .words import plain_text, stem

SURE: Final = 0.95
"""From here on a name is the name, and one that only means the same does not compete."""
_BAND_SURE, _BAND, _GOOD = 0.02, 0.125, 0.7
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
    reading: ResultReading, wanted: Target, allowed: frozenset[str] = frozenset(), floor: float = FLOOR
) -> list[Candidate]:
    """Every node that may be meant, in the result's order."""
    fits = reading.memo.setdefault(("fits", wanted, allowed), {})
    selection, fitting = selection_of(reading), []
    for node in reading.nodes:
        if not node.names:
            continue
        if node.names not in fits:
            fits[node.names] = _judged(wanted, node.names, allowed)
        score, place, of_subject, at_root = fits[node.names]
        if score >= floor and place != EXCLUDED:
            fitting.append(Candidate(node, score, placed(place, node, selection), of_subject, at_root))
    return fitting


def best(
    fitting: list[Candidate], readable: Callable[[Node], bool] = lambda _: True, *, of_many: bool = False
) -> list[Candidate]:
    """Those that are equally good, in the result's order: in the right place, with the best name and a readable value.

    `of_many`: the criterion speaks of every item of a list; else values outside of lists go first. What cannot
    be read counts where nothing else of that name can be read, so that the reason is known.
    """
    pool = _in_number(_with_the_subject(_chosen(fitting)), of_many)
    for some in ([candidate for candidate in pool if readable(candidate.node)], pool):
        top = max((candidate.fit for candidate in some), default=0.0)
        if top and (top >= max(candidate.fit for candidate in pool) - _BAND or some is pool):
            band = _BAND_SURE if top >= SURE else _BAND
            close = [candidate for candidate in some if candidate.fit >= top - band - 1e-9]
            if of_many:
                patterns = {candidate.node.pattern for candidate in close}
                return [candidate for candidate in pool if candidate.node.pattern in patterns]
            rooted = [candidate for candidate in close if candidate.at_root]
            return rooted if rooted and len(rooted) < len(close) and top >= SURE else close
    return []


def nodes_named(
    reading: ResultReading, name: str, about: Target, allowed: frozenset[str] = frozenset(), floor: float = FLOOR
) -> list[Node]:
    """The best readings of another name of the same subject."""
    wanted = Target(name_read(name), about.subject, about.groups)
    return [candidate.node for candidate in best(candidates(reading, wanted, allowed, floor))]


def _chosen(fitting: list[Candidate]) -> list[Candidate]:
    """Those of what was selected, where a good name is among them; else whatever is not put aside."""
    for place in (SELECTED, PLAIN):
        if any(candidate.place == place and candidate.fit >= _GOOD for candidate in fitting):
            at_root = [
                candidate
                for candidate in fitting
                if candidate.at_root and candidate.fit >= SURE and candidate.place == PLAIN
            ]
            return [candidate for candidate in fitting if candidate.place == place or candidate in at_root]
    return fitting


def _with_the_subject(fitting: list[Candidate]) -> list[Candidate]:
    right = [candidate for candidate in fitting if candidate.of_subject and candidate.fit >= _GOOD]
    return right or fitting


def _in_number(fitting: list[Candidate], of_many: bool) -> list[Candidate]:
    """The total of an order rather than the prices of its items; and the other way round."""
    right = [candidate for candidate in fitting if bool(candidate.node.owner) is of_many and candidate.fit >= _GOOD]
    return right or fitting


def _judged(wanted: Target, names: tuple[str, ...], allowed: frozenset[str]) -> tuple[float, int, bool, bool]:
    """The fit of a name in its place, the place, whether the subject is there, whether it is at the root."""
    keys = tuple(map(name_read, names))
    key, parents = keys[-1], tuple(parent for parent in keys[:-1] if parent.stems not in words().wrappers)
    score = fit(wanted, key, keys[:-1], allowed)
    if score <= 0:
        return 0.0, EXCLUDED, False, False
    of_subject = has_subject(wanted, keys)
    if not of_subject and wanted.groups and _belongs_elsewhere(wanted, parents):
        return 0.0, EXCLUDED, False, False
    return score, place_of(keys), of_subject, not parents


def has_subject(wanted: Target, keys: Iterable[Name]) -> bool:
    """Whether some key on the way names the subject, or the kind of thing that it is."""
    if not wanted.subject:
        return False
    subject = set(wanted.subject)
    return any(subject <= set(key.stems) or bool(wanted.groups & entity_groups(key)) for key in keys)


def _belongs_elsewhere(wanted: Target, parents: tuple[Name, ...]) -> bool:
    """Whether the innermost thing above is of another kind: a flight's quality is not the hotel's."""
    containers = words().containers
    for parent in reversed(parents):
        if groups := entity_groups(parent):
            if groups & wanted.groups:
                return False
            if not any((stem,) in containers for stem in parent.stems):
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


def placed(place: int, node: Node, selection: _Selection) -> int:
    if not node.item or place == EXCLUDED:
        return place
    if node.item in selection.items or node.owner in selection.items:
        return SELECTED
    return ASIDE if node.item.rpartition("[")[0] in selection.lists else place


def selection_of(reading: ResultReading) -> _Selection:
    selection = reading.memo.get("selection")
    if not isinstance(selection, _Selection):
        items = _flagged(reading) | _referred_to(reading)
        selection = _Selection(frozenset(items), frozenset(item.rpartition("[")[0] for item in items))
        reading.memo["selection"] = selection
    return selection


def _flagged(reading: ResultReading) -> set[str]:
    flags = words().flags
    return {
        node.item for node in reading.nodes if node.item and node.value is True and name_read(node.name).stems in flags
    }


def _referred_to(reading: ResultReading) -> set[str]:
    """Items that something selected names: {"hotels": [{"name": "A"}], "selected": "A"}."""
    wanted = {
        plain_text(str(node.value))
        for node in reading.nodes
        if not node.item
        and isinstance(node.value, (str, int))
        and not isinstance(node.value, bool)
        and words().selected.intersection(name_read(node.name).stems)
    }
    return {
        node.item
        for node in reading.nodes
        if node.item
        and isinstance(node.value, (str, int))
        and stem(plain_text(node.name)) in words().reference_names
        and plain_text(str(node.value)) in wanted
    }
