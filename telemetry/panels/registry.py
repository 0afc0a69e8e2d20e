"""Who registered what. Filled while Django starts, only read afterwards."""

from collections.abc import Callable, Sequence

from .measures import Measure
from .views import CourseChoice, Panel, Tile

Courses = Callable[[], Sequence[CourseChoice]]

_measures: dict[str, Measure] = {}
_panels: dict[str, Panel] = {}
_tiles: dict[str, Tile] = {}
_courses: list[Courses] = []


def measure_register(measure: Measure) -> None:
    """Count this from now on, and everything that was before; raises `ValueError` for a name that means another."""
    if _measures.setdefault(measure.name, measure) != measure:
        raise ValueError(f"there is another measure {measure.name!r}")


def panel_register(panel: Panel) -> None:
    """Add a panel; panels are shown in the order of registration, those that are not of courses behind the others. A
    panel with a registered code replaces it.
    """
    _panels[panel.code] = panel


def tile_register(tile: Tile) -> None:
    """Show this on top; as with panels."""
    _tiles[tile.code] = tile


def courses_register(courses: Courses) -> None:
    """Say which courses one can choose; asked once for each page."""
    _courses.append(courses)


def measures() -> tuple[Measure, ...]:
    """All measures, by name."""
    return tuple(_measures[name] for name in sorted(_measures))


def measure(name: str) -> Measure:
    """The measure of this name; raises `KeyError` when there is none."""
    return _measures[name]


def panels() -> tuple[Panel, ...]:
    """All panels in their order."""
    return tuple(sorted(_panels.values(), key=lambda panel: not panel.of_courses))


def tiles() -> tuple[Tile, ...]:
    """All tiles in their order."""
    return tuple(_tiles.values())


def courses() -> list[CourseChoice]:
    """All courses one can choose, as they were registered."""
    return [choice for ask in _courses for choice in ask()]
