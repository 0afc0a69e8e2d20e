"""The schema of a table from a few of its rows."""

from typing import Any

from analysis.requirements.sampling import schema_of_sample
from tests.each import each


@each(
    "values, kind",
    [
        (["1", "-20", "+3"], "integer"),
        ([1, 2], "integer"),
        (["1.5", "2", "-.5", "1e3"], "number"),
        ([1.5, 2], "number"),
        (["2024-01-05", "2024/2/3"], "date"),
        (["31/12/2024"], "date"),
        (["2024-01-05T10:00:00", "2024-01-05 9:30"], "timestamp"),
        (["2024-01-05", "2024-01-05 9:30"], "text"),
        ([True, False], "boolean"),
        (["007", "12"], "text"),
        (["Madrid", "5"], "text"),
        (["1", "", None, "NULL", "n/a"], "integer"),
        ([None, ""], "text"),
        ([], "text"),
        ([{"deep": 1}, [2]], "text"),
    ],
)
def test_a_column_has_the_type_that_all_its_cells_have(values: list[Any], kind: str) -> None:
    (column,) = schema_of_sample("t", ["x"], [[value] for value in values]).columns
    assert column.type == kind


def test_values_are_told_once_without_blanks_and_in_their_order() -> None:
    (column,) = schema_of_sample("t", ["x"], [[" b "], ["a"], [None], ["b"], [""]]).columns
    assert column.values == ("b", "a")
    assert not column.complete


def test_rows_may_be_shorter_or_longer_than_the_columns() -> None:
    schema = schema_of_sample("sales", ["x", "y"], [["1"], [], ["2", "a", "more"]])
    assert schema.table == "sales"
    assert [(column.name, column.type, column.values) for column in schema.columns] == [
        ("x", "integer", ("1", "2")), ("y", "text", ("a",)),
    ]  # fmt: skip
