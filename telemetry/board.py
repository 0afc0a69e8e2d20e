"""The dashboard filled in: what is registered, with the figures for the filters, ready for the page."""

from telemetry.figures import figures_read
from telemetry.pages import Board, panel_shown
from telemetry.panels import Filters, panels, tiles


def board_of(filters: Filters) -> Board:
    """All registered tiles and panels; see `figures.figures_read` for the queries."""
    narrowed = bool(filters.course or filters.mode)
    shown = [panel for panel in panels() if panel.of_courses or not narrowed]
    wanted = {one for tile in tiles() for one in tile.wants}
    wanted.update(one for panel in shown for one in panel.wants(filters))
    figures = figures_read(wanted, filters)
    return Board(
        tiles=[(tile, tile.build(figures)) for tile in tiles()],
        panels=[panel_shown(panel, panel.build(figures), unit=figures.periods.unit) for panel in shown],
        behind=figures.behind,
    )
