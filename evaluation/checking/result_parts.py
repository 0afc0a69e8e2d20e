"""Which part of a result a criterion about things speaks of: what was chosen, or each item of a list by itself."""

from dataclasses import dataclass

from evaluation.checking.finding import ASIDE, EXCLUDED, PLAIN, SELECTED, place_of, placed, selection_of
from evaluation.checking.lexicon import words
from evaluation.checking.naming import Target, entity_groups, has_phrase, name_read
from evaluation.checking.speakers import is_opinion
from evaluation.checking.walk import Group, Node, ResultReading


@dataclass(frozen=True, slots=True)
class ResultPart:
    """The nodes that belong together; `path` of the list item that they are, empty for what is no item."""

    path: str
    nodes: tuple[Node, ...]


def result_parts_of(reading: ResultReading, wanted: Target) -> list[ResultPart]:
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
        return [ResultPart("", tuple(node for node, _ in placed))]
    shared = tuple(node for node, _ in placed if not node.owner)
    by_owner: dict[str, list[Node]] = {}
    for node, _ in placed:
        by_owner.setdefault(node.owner, []).append(node)
    of_items = [ResultPart(owner, tuple(by_owner[owner])) for owner in owners[:500]]
    return [*of_items, ResultPart("", shared)]


def _places(reading: ResultReading) -> list[tuple[Node, int]]:
    places = reading.memo.get("places")
    if not isinstance(places, list):
        selection, by_names = selection_of(reading), {}
        places = []
        for node in reading.nodes:
            if node.names not in by_names:
                keys = tuple(map(name_read, node.names))
                place = place_of(keys) if not any(map(is_opinion, keys)) else EXCLUDED
                if keys and isinstance(node.value, Group) and words().selected.intersection(keys[-1].stems):
                    place = SELECTED if place != EXCLUDED else place
                by_names[node.names] = place
            places.append((node, placed(by_names[node.names], node, selection)))
        reading.memo["places"] = places
    return places


def _is_elsewhere(wanted: Target, node: Node) -> bool:
    """Whether it belongs to a thing of another kind than the subject."""
    if not wanted.groups:
        return False
    containers = words().containers
    for above, name in enumerate(reversed(node.names)):
        key = name_read(name)
        groups = entity_groups(key)
        if groups & wanted.groups:
            return False
        if (
            above
            and groups
            and not has_phrase(key, containers)
            and (key.stems[-1:] in words().entities or key.stems in words().entities)
        ):
            return True
    return False


def _is_about(wanted: Target, node: Node) -> bool:
    """Whether the list that it is in holds what the criterion is about: hotels, or simply results, options."""
    if not wanted.groups:
        return True
    above = node.owner.rpartition("[")[0].rpartition(".")[2]
    groups = entity_groups(name_read(above)) if above else frozenset()
    return not groups or bool(groups & wanted.groups)
