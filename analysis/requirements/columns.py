"""What a column is for a question: of dates or of whole years."""

from typing import Final

from analysis.contracts.tables import Column

YEARS: Final = (1600, 2100)


def is_of_years(column: Column) -> bool:
    """Whether a column of whole numbers seems to hold years."""
    if column.type != "integer":
        return False
    numbers = [value for value in (column.lowest, column.highest, *column.values[:5]) if value is not None]
    try:
        return bool(numbers) and all(YEARS[0] <= int(float(value)) <= YEARS[1] for value in numbers)
    except ValueError:
        return False


def holds_time(column: Column) -> bool:
    """Whether results can be spread over a column as time."""
    return column.is_time or is_of_years(column)
