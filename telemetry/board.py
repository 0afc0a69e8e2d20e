"""The dashboard filled in: what is registered, with the figures for the filters, ready for the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from telemetry.charts import chart_json
from telemetry.figures import figures_read
from telemetry.panels import (
    Figures,
    Filters,
    Linked,
    Number,
    Panel,
    TableCell,
    Tile,
    View,
    panels,
    period,
    tiles,
    whole,
)


@dataclass(frozen=True)
class ShownCell:
    """A cell as it is read; `url` leads somewhere when it is not empty."""

    text: str
    is_number: bool = False
    url: str = ""


@dataclass(frozen=True)
class ShownPanel:
    """A panel with its view, or with None where nothing was counted; then it has neither table nor figure."""

    panel: Panel
    view: View | None
    columns: Sequence[ShownCell]
    rows: Sequence[Sequence[ShownCell]]
    figure: dict[str, Any] | None

    @property
    def figure_id(self) -> str:
        """The id of the element that holds the figure's JSON."""
        return f"figure-{self.panel.code}"


@dataclass(frozen=True)
class Board:
    """Everything on the dashboard that depends on the filters."""

    tiles: Sequence[tuple[Tile, Number]]
    panels: Sequence[ShownPanel]
    behind: int


def board_of(filters: Filters) -> Board:
    """All registered tiles and panels; see `figures.figures_read` for the queries."""
    wanted = {one for tile in tiles() for one in tile.wants}
    wanted.update(one for panel in panels() for one in panel.wants(filters))
    figures = figures_read(wanted, filters)
    return Board(
        tiles=[(tile, tile.build(figures)) for tile in tiles()],
        panels=[_shown(panel, figures) for panel in panels()],
        behind=figures.behind,
    )


def _shown(panel: Panel, figures: Figures) -> ShownPanel:
    view = panel.build(figures)
    if view is None:
        return ShownPanel(panel, None, (), (), None)
    rows = [[_cell(cell, figures.periods.unit) for cell in row] for row in view.table.rows]
    columns = [ShownCell(str(name), cell.is_number) for name, cell in zip(view.table.columns, rows[0], strict=True)]
    return ShownPanel(panel, view, columns, rows, chart_json(view.chart))


def _cell(cell: TableCell, unit: str) -> ShownCell:
    match cell:
        case Linked(url=url, text=text):
            return ShownCell(text, url=url)
        case date():
            return ShownCell(period(cell, unit))
        case int() | float():
            return ShownCell(whole(cell), is_number=True)
        case _:
            return ShownCell(cell)
