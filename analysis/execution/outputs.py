"""What tools return beside tables, and what they may ask for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import ibis
import pyarrow as pa

from analysis.contracts.requirements import ChartShape
from analysis.contracts.results import Statistic

Axis = Literal["x", "y", "color"]


@dataclass(frozen=True)
class Chart:
    """A chart of a table. `shape` names the columns of `rows` that are drawn; the chart's data are x, y and color.

    `columns`: the data, where they are others. `categories` and `colors`: the most that are drawn of x and of color, or
    of y in a heat map; None: as many as there are. `is_sorted`: by x. `table`: the rows that it is drawn of, where
    those of its step are more; they are shown where no step says what is.
    """

    shape: ChartShape
    rows: ibis.Table
    columns: tuple[str, ...] = ()
    categories: int | None = None
    colors: int | None = None
    is_sorted: bool = False
    note: str = ""
    table: ibis.Table | None = None

    @property
    def figure(self) -> str | None:
        """The column of the numbers that are drawn."""
        return self.shape.color if self.shape.type == "heatmap" else self.shape.y

    @property
    def axes(self) -> tuple[tuple[Axis, int | None], ...]:
        """The axes that may have categories, and the most that are drawn of each."""
        return (("x", self.categories), ("y" if self.shape.type == "heatmap" else "color", self.colors))

    def column(self, axis: Axis) -> str | None:
        column: str | None = getattr(self.shape, axis)
        return column

    @property
    def drawn(self) -> tuple[str, ...]:
        """The columns that the chart's data have, in order."""
        names = self.columns or (self.shape.x, self.shape.y, self.shape.color)
        return tuple(dict.fromkeys(name for name in names if name is not None))


@dataclass(frozen=True)
class Deferred:
    """A statistic of a library, from few rows: `finish` gets them once the engine has computed them."""

    rows: ibis.Table
    finish: Callable[[pa.Table], Statistic]


class Ask(Protocol):
    """Run a small query now. Tools get it as the keyword `ask`, for what must be known before an expression is built.

    Raises `ToolRefused` where more than `most` rows would come.
    """

    def __call__(self, table: ibis.Table, *, most: int = 1000) -> Sequence[dict[str, Any]]: ...


Output = ibis.Table | Chart | Deferred
