"""The functions of the catalog: what a tool is named there, it is named here.

Each takes the table `df` and its parameters by name, and returns its catalog entry's outputs in order: a table, a
`Chart`, a `Deferred`. It may take `ask` (small queries now) and `tables` (the tables of the run) too. Only portable
ibis expressions.
"""

from analysis.execution.tools.aggregates import aggregate, pivot, share
from analysis.execution.tools.charts import plot_bar, plot_box, plot_heatmap, plot_line, plot_pie, plot_scatter
from analysis.execution.tools.histograms import histogram
from analysis.execution.tools.periods import parse_datetime
from analysis.execution.tools.rows import derive, filter_rows, join, rank, select, table
from analysis.execution.tools.segments import segment
from analysis.execution.tools.series import detect_trend, forecast_naive
from analysis.execution.tools.statistics import compute_summary_stats, correlate, detect_anomalies

filter = filter_rows  # noqa: A001 - the catalog's name

__all__ = [
    "aggregate",
    "compute_summary_stats",
    "correlate",
    "derive",
    "detect_anomalies",
    "detect_trend",
    "filter",
    "forecast_naive",
    "histogram",
    "join",
    "parse_datetime",
    "pivot",
    "plot_bar",
    "plot_box",
    "plot_heatmap",
    "plot_line",
    "plot_pie",
    "plot_scatter",
    "rank",
    "segment",
    "select",
    "share",
    "table",
]
