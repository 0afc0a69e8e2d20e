"""Decides the figures: columns with their functions, two columns in one, and the count of rows."""

from collections.abc import Sequence
from typing import Final, cast

from analysis.contracts.requirements import Arithmetic, Expression, Function
from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.meaning import Figure, Reason
from analysis.requirements.network import LEFT, OPERATORS, PARTS, RIGHT, Outcome
from analysis.requirements.phrasing import Naming

LIKELY: Final = 0.5
FUNCTIONS: Final = slice(1, PARTS.index(LEFT))
"""The places of the functions among `PARTS`."""
_SIDE: Final = 0.2
"""The probability from which a column is one of two in one."""
_OF_NUMBERS: Final = ("sum", "mean", "median", "std")


def figures_of(schema: TableSchema, outcome: Outcome, naming: Naming) -> list[Figure]:
    """The figures in the order of the columns, the count of rows first; empty where none is likely."""
    computed = _computed(schema, outcome, naming)
    sides = computed.columns if computed else ()
    likely = outcome.parts[:, FUNCTIONS].sum(axis=1)
    figures = [
        _figure(column, at, outcome, naming)
        for at, column in enumerate(schema.columns)
        if likely[at] > LIKELY and column.name not in sides
    ]
    counted = [count_of(naming, outcome)] if outcome.counted > LIKELY else []
    return [*counted, *([computed] if computed else []), *figures]


def likeliest_figure(schema: TableSchema, outcome: Outcome, naming: Naming, busy: set[str]) -> Figure:
    """One figure where none is likely: the likeliest column that is not `busy` otherwise, or the count of rows."""
    likely = outcome.parts[:, FUNCTIONS].sum(axis=1)
    free = [at for at, column in enumerate(schema.columns) if column.name not in busy]
    best = max(free, key=lambda at: likely[at], default=None)
    if best is None or outcome.counted >= likely[best]:
        return count_of(naming, outcome)
    return _figure(schema.columns[best], best, outcome, naming)


def number_beside(schema: TableSchema, outcome: Outcome, naming: Naming, taken: Sequence[Figure]) -> Figure | None:
    """The likeliest column of numbers that no figure is of yet, as it is."""
    likely, names = outcome.parts[:, 1:].sum(axis=1), [figure.column for figure in taken]
    free = [at for at, column in enumerate(schema.columns) if column.is_number and column.name not in names]
    best = max(free, key=lambda at: likely[at], default=None)
    return None if best is None else Figure(schema.columns[best].name, "none", reason=naming.reason(best, likely))


def count_of(naming: Naming, outcome: Outcome) -> Figure:
    return Figure(None, "count", reason=Reason(naming.of_cue("func:count"), outcome.counted))


def _figure(column: Column, at: int, outcome: Outcome, naming: Naming) -> Figure:
    function = cast(Function, PARTS[FUNCTIONS][int(outcome.parts[at, FUNCTIONS].argmax())])
    is_number = column.is_number or column.type == "boolean"
    if function in _OF_NUMBERS and not column.is_number:
        function = "mean" if column.type == "boolean" else "count_distinct"
    reason = naming.reason(at, outcome.parts[:, FUNCTIONS].sum(axis=1))
    return Figure(column.name, function, is_number=is_number, reason=reason)


def _computed(schema: TableSchema, outcome: Outcome, naming: Naming) -> Figure | None:
    """The figure of two columns that the words put into one; days between two dates are their difference."""
    operator = OPERATORS[int(outcome.operator.argmax())]
    if operator == "no" or len(schema.columns) < 2:
        return None
    left = int(outcome.parts[:, PARTS.index(LEFT)].argmax())
    others = outcome.parts[:, PARTS.index(RIGHT)].copy()
    others[left] = 0
    if min(outcome.parts[left, PARTS.index(LEFT)], others.max()) < _SIDE:
        return None
    sides = [schema.columns[left], schema.columns[int(others.argmax())]]
    are_times = all(column.is_time for column in sides)
    if are_times:  # the days to the later one, whichever is named first
        sides.sort(key=lambda column: (column.highest or "", column.lowest or ""), reverse=True)
    if not (are_times or all(column.is_number for column in sides)):
        return None
    function = cast(Function, PARTS[FUNCTIONS][int(outcome.operator_part[FUNCTIONS].argmax())])
    if are_times:
        operator, function = "subtract", "mean" if function == "sum" else function
    expression = Expression(operator=cast(Arithmetic, operator), left=sides[0].name, right=sides[1].name)
    reason = Reason(naming.of_cue(f"expr:{operator}"), float(outcome.operator.max()))
    return Figure(None, function, expression, reason=reason)
