"""Which part of a result a criterion about things speaks of: what was chosen, or each item of a list by itself."""

from dataclasses import dataclass

from .finding import ASIDE, EXCLUDED, PLAIN, SELECTED, _placed, _selection, place_of
from .lexicon import words
from .naming import Sought, entity_groups, has_phrase, name_read
from .voices import is_voice
from .walk import Group, Node, ResultReading


@dataclass(frozen=True, slots=True)
class Scope:
    """The nodes that belong together; `path` of the list item that they are, empty for what is no item."""

    path: str
    nodes: tuple[Node, ...]


def scopes_of(reading: ResultReading, wanted: Sought) -> list[Scope]:
    """What the criterion must hold for: the chosen things, else each item of the lists, else all of the result.

    What users say, what was asked for and what was discarded is in none.
    """
    placed = [
        (node, place) for node, place in _places(reading) if place != EXCLUDED and not _is_elsewhere(wanted, node)
    ]
    if any(place == SELECTED and isinstance(node.value, Group) for node, place in placed):
        placed = [(node, place) for node, place in placed if place == SELECTED or (place == PLAIN and not node.owner)]
    elif any(place == PLAIN and node.names for node, place in placed):
        placed = [(node, place) for node, place in placed if place != ASIDE or not node.owner]
    owners = list(dict.fromkeys(node.owner for node, _ in placed if node.owner and _is_about(wanted, node)))
    if not owners:
        return [Scope("", tuple(node for node, _ in placed))]
    shared = tuple(node for node, _ in placed if not node.owner)
    by_owner: dict[str, list[Node]] = {}
    for node, _ in placed:
        by_owner.setdefault(node.owner, []).append(node)
    of_items = [Scope(owner, tuple(by_owner[owner])) for owner in owners[:500]]
    return [*of_items, Scope("", shared)]


def _places(reading: ResultReading) -> list[tuple[Node, int]]:
    known = reading.memo.get("places")
    if not isinstance(known, list):
        selection, by_names = _selection(reading), {}
        known = []
        for node in reading.nodes:
            if node.names not in by_names:
                keys = tuple(map(name_read, node.names))
                place = place_of(keys) if not any(map(is_voice, keys)) else EXCLUDED
                if keys and isinstance(node.value, Group) and words().selected.intersection(keys[-1].stems):
                    place = SELECTED if place != EXCLUDED else place
                by_names[node.names] = place
            known.append((node, _placed(by_names[node.names], node, selection)))
        reading.memo["places"] = known
    return known


def _is_elsewhere(wanted: Sought, node: Node) -> bool:
    """Whether it belongs to a thing of another kind than the subject."""
    if not wanted.groups:
        return False
    containers = words().containers
    for above, name in enumerate(reversed(node.names)):
        key = name_read(name)
        groups = entity_groups(key)
        if groups & wanted.groups:
            return False
        if above and groups and not has_phrase(key, containers) and _is_thing(key.stems):
            return True
    return False


def _is_thing(stems: tuple[str, ...]) -> bool:
    return stems[-1:] in words().entities or stems in words().entities


def _is_about(wanted: Sought, node: Node) -> bool:
    """Whether the list that it is in holds what the criterion is about: hotels, or simply results, options."""
    if not wanted.groups:
        return True
    above = node.owner.rpartition("[")[0].rpartition(".")[2]
    groups = entity_groups(name_read(above)) if above else frozenset()
    return not groups or bool(groups & wanted.groups)
