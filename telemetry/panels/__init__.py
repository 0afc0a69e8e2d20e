"""What the dashboard shows: a registry that layers above fill in `AppConfig.ready()`.

A `Measure` says what is counted; a `Panel` or a `Tile` says which measures it wants, and puts the figures it gets into
words and numbers. Neither draws anything: `telemetry.board.charts` does.
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
from .views import (
    Bars,
    Chart,
    CourseChoice,
    Durations,
    Heading,
    Line,
    Lines,
    Linked,
    Mark,
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
from .words import dollars, duration, percent, period, timeline_view, whole
