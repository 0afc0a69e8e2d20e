"""What the dashboard shows: a registry that layers above fill in `AppConfig.ready()`.

A `Measure` says what is counted; a `Panel` or a `Tile` says which measures it wants, and puts the figures it gets into
words and numbers. Neither draws anything: `telemetry.charts` does.
"""

from .figures import Axis, Cell, Figures, Filters, Periods, Want, want
from .measures import Measure, is_true, number, text
from .registry import (
    courses,
    courses_register,
    measure,
    measure_register,
    measures,
    panel_register,
    panels,
    tile_register,
    tiles,
)
from .timeline import timeline_view
from .views import (
    Bars,
    CourseChoice,
    Durations,
    Heading,
    Linked,
    Number,
    Panel,
    Series,
    Table,
    TableCell,
    Text,
    Tile,
    Tone,
    Unit,
    View,
    Written,
)
from .words import dollars, duration, percent, period, whole

__all__ = (
    "Axis",
    "Bars",
    "Cell",
    "CourseChoice",
    "Durations",
    "Figures",
    "Filters",
    "Heading",
    "Linked",
    "Measure",
    "Number",
    "Panel",
    "Periods",
    "Series",
    "Table",
    "TableCell",
    "Text",
    "Tile",
    "Tone",
    "Unit",
    "View",
    "Want",
    "Written",
    "courses",
    "courses_register",
    "dollars",
    "duration",
    "is_true",
    "measure",
    "measure_register",
    "measures",
    "number",
    "panel_register",
    "panels",
    "percent",
    "period",
    "text",
    "tile_register",
    "tiles",
    "timeline_view",
    "want",
    "whole",
)
