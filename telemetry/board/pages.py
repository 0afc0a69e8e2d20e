"""What pages of charts for staff are made of: the dashboard's own, and those of layers above with figures of their own.

An app puts its figures into words and numbers (`telemetry.panels`); here they become what the template
`telemetry/board.html` shows, which such pages extend.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from csp.decorators import csp_update
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.formats import get_format

from telemetry.board.charts import chart_json
from telemetry.board.forms import DaysForm
from telemetry.panels import (
    Filters,
    Heading,
    Linked,
    Number,
    TableCell,
    View,
    Written,
    panels,
    period,
    tiles,
    whole,
)
from telemetry.rollups.figures import figures_read

__all__ = ("Board", "DaysForm", "ShownCell", "ShownPanel", "board_page", "panel_shown", "with_charts")

# plotly puts one empty style element into the page and styles what it draws by attributes; scripts need no exception.
_PLOTLY_STYLES = {
    "style-src": ["'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"],
    "style-src-attr": ["'unsafe-inline'"],
}
with_charts = csp_update(_PLOTLY_STYLES)
"""Decorates a view whose page draws charts: it allows plotly the two styles that it cannot do without."""


@dataclass(frozen=True)
class ShownCell:
    """A cell as it is read; `url` leads somewhere when it is not empty."""

    text: str
    is_number: bool = False
    url: str = ""


@dataclass(frozen=True)
class ShownPanel:
    """A panel with its view, or with None where nothing was counted; then it has neither table nor figure."""

    panel: Heading
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
    """Everything on such a page that depends on the filters. `behind`: see `panels.Figures`."""

    tiles: Sequence[tuple[Heading, Number]]
    panels: Sequence[ShownPanel]
    behind: int = 0


def panel_shown(panel: Heading, view: View | None, *, unit: str = "day") -> ShownPanel:
    """The panel filled in; a date in its table is a day, or the beginning of a week or month."""
    if view is None:
        return ShownPanel(panel, None, (), (), None)
    rows = [[_cell(cell, unit) for cell in row] for row in view.table.rows]
    columns = [ShownCell(str(name), cell.is_number) for name, cell in zip(view.table.columns, rows[0], strict=True)]
    return ShownPanel(panel, view, columns, rows, chart_json(view.chart))


def board_page(request: HttpRequest, template: str, page: dict[str, Any]) -> HttpResponse:
    """The page inside the administration; `page` needs a title, the form of its filters and the board."""
    separators = f"{get_format('DECIMAL_SEPARATOR')}{get_format('THOUSAND_SEPARATOR')}"
    return TemplateResponse(request, template, {**admin.site.each_context(request), "separators": separators, **page})


def _cell(cell: TableCell, unit: str) -> ShownCell:
    match cell:
        case Linked(url=url, text=text):
            return ShownCell(text, url=url)
        case Written(text=text):
            return ShownCell(text, is_number=True)
        case date():
            return ShownCell(period(cell, unit))
        case int() | float():
            return ShownCell(whole(cell), is_number=True)
        case _:
            return ShownCell(cell)


def board_of(filters: Filters) -> Board:
    """All registered tiles and panels; see `figures.figures_read` for the queries."""
    narrowed = bool(filters.course or filters.mode)
    shown = [panel for panel in panels() if panel.of_courses or not narrowed]
    wanted = {want for tile in tiles() for want in tile.wants}
    wanted.update(want for panel in shown for want in panel.wants(filters))
    figures = figures_read(wanted, filters)
    return Board(
        tiles=[(tile, tile.build(figures)) for tile in tiles()],
        panels=[panel_shown(panel, panel.build(figures), unit=figures.periods.unit) for panel in shown],
        behind=figures.behind,
    )
