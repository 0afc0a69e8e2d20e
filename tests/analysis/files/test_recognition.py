from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from analysis.files.opening import OpenFiles, files_open
from tests.analysis.files.conftest import cells, only_schema, types

Read = Callable[..., list[Any]]


@pytest.fixture
def column(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> Callable[..., OpenFiles]:
    """A file with the values in a column `x`, in order, beside a text."""

    def written(values: list[str], separator: str = ";") -> OpenFiles:
        rows = [f'k{number}{separator}"{value}"' for number, value in enumerate(values)]
        return opened(write("\n".join([f"key{separator}x", *rows])))

    return written


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (["1.234,50", "12,5", "7"], [1234.5, 12.5, 7]),
        (["12,5 %", "3 %", "-0,5%"], [12.5, 3, -0.5]),
        (["1.234 €", "12,50€"], [1234, 12.5]),
        (["€ 12,50", "-€3"], [12.5, -3]),
        (["1,234.50", "$1,000", "-$12.25"], [1234.5, 1000, -12.25]),
        (["1234.5", "1e3", ".5", "2."], [1234.5, 1000, 0.5, 2]),
        (["1 234,50", "12,5", "1\u00a0000"], [1234.5, 12.5, 1000]),
        (["−3,5", "+2"], [-3.5, 2]),
        (["0.125", "1.500"], [0.125, 1.5]),
        (["1.234.567", "1.000"], [1234567, 1000]),
        (["1.5", "NA", "n/a", "", "null", "-", "s/d", "2"], [1.5, None, None, None, None, None, None, 2]),
    ],
)
def test_numbers(column: Callable[..., OpenFiles], values: list[str], numbers: list[float | None]) -> None:
    files = column(values)
    assert types(files)["x"] in ("number", "integer")
    assert cells(files, "x") == numbers


@pytest.mark.parametrize(
    ("values", "separator", "number"),
    [
        (["1.234", "2.500"], ";", 1234),
        (["1.234", "2.500"], ",", 1.234),
        (["1,234", "2,500"], ",", 1234),
        (["1,234", "2,500"], ";", 1.234),
    ],
)
def test_three_digits_after_a_sign_are_read_as_the_separator_suggests_with_a_note(
    column: Callable[..., OpenFiles], values: list[str], separator: str, number: float
) -> None:
    files = column(values, separator)
    assert cells(files, "x")[0] == number
    assert any("may have decimals or thousands" in note for note in files.notes)


def test_another_column_shows_what_the_sign_is(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    files = opened(write("k\ta\tb\nx\t1.234\t1,5\ny\t2.500\t12,25\n"))
    assert cells(files, "a") == [1234, 2500]


@pytest.mark.parametrize(
    "values",
    [
        ["01001", "28013"],
        ["+34600123456", "+34600123457"],
        ["600 123 456", "600 123 457"],
        ["1234567890123456789", "12"],
        ["12 %", "3 €"],
        ["1.2.3", "1.2.4"],
        ["inf", "nan"],
        ["3", "tres", "4"],
    ],
)
def test_codes_and_mixtures_stay_text(column: Callable[..., OpenFiles], values: list[str]) -> None:
    files = column(values)
    assert types(files)["x"] == "text"
    assert cells(files, "x") == values


def test_whole_numbers_are_integers_whatever_else_the_file_has(column: Callable[..., OpenFiles]) -> None:
    files = column(["3", "-4", "1.000"])
    assert types(files)["x"] == "integer"
    assert only_schema(files).columns[1].values == ("-4", "3", "1000")


@pytest.mark.parametrize(
    ("values", "dates"),
    [
        (["2023-01-31", "2023-02-01"], [date(2023, 1, 31), date(2023, 2, 1)]),
        (["31/01/2023", "1/2/2023"], [date(2023, 1, 31), date(2023, 2, 1)]),
        (["3-4-23", "5-6-99"], [date(2023, 4, 3), date(1999, 6, 5)]),
        (["31.12.2022"], [date(2022, 12, 31)]),
        (["01/31/2023", "02/01/2023"], [date(2023, 1, 31), date(2023, 2, 1)]),
        (["Jan 1 2000", "Feb 28, 2001"], [date(2000, 1, 1), date(2001, 2, 28)]),
        (["1 ene 2023", "2 Ago. 2023"], [date(2023, 1, 1), date(2023, 8, 2)]),
        (["12 de marzo de 2022", "1 de Septiembre del 2023"], [date(2022, 3, 12), date(2023, 9, 1)]),
        (["12-mar-21", "1-dic-98"], [date(2021, 3, 12), date(1998, 12, 1)]),
        (["enero 2023", "Febrero de 2024"], [date(2023, 1, 1), date(2024, 2, 1)]),
        (["2023-01", "2023-12"], [date(2023, 1, 1), date(2023, 12, 1)]),
        (["2023-01-31 00:00:00", "2023-02-01T00:00"], [date(2023, 1, 31), date(2023, 2, 1)]),
        (["01/02/2023", "s/d", "13/02/2023"], [date(2023, 2, 1), None, date(2023, 2, 13)]),
    ],
)
def test_dates(column: Callable[..., OpenFiles], values: list[str], dates: list[date | None]) -> None:
    files = column(values)
    assert types(files)["x"] == "date"
    assert cells(files, "x") == dates


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2023-01-31T14:30:15.5Z", datetime(2023, 1, 31, 14, 30, 15, 500_000)),  # noqa: DTZ001
        ("31/01/2023 9:05", datetime(2023, 1, 31, 9, 5)),  # noqa: DTZ001
        ("31/01/23 02:30 p. m.", datetime(2023, 1, 31, 14, 30)),  # noqa: DTZ001
        ("01/31/2023 12:15:00 AM", datetime(2023, 1, 31, 0, 15)),  # noqa: DTZ001
        ("3 de enero de 2023, 18:00", datetime(2023, 1, 3, 18)),  # noqa: DTZ001
        ("2023-01-31 10:00+02:00", datetime(2023, 1, 31, 10)),  # noqa: DTZ001
    ],
)
def test_dates_with_times(column: Callable[..., OpenFiles], value: str, moment: datetime) -> None:
    files = column([value, value])
    assert types(files)["x"] == "timestamp"
    assert cells(files, "x") == [moment, moment]


def test_day_or_month_first_is_noted_where_nothing_rules_one_out(column: Callable[..., OpenFiles]) -> None:
    files = column(["03/04/2023", "05/06/2023"])
    assert cells(files, "x")[0] == date(2023, 4, 3)
    assert any("the other way round" in note for note in files.notes)
    assert not any("the other way round" in note for note in column(["03/04/2023", "13/06/2023"]).notes)


@pytest.mark.parametrize("values", [["31/02/2023"], ["today", "now"], ["infinity"], ["10:30", "11:45"], ["1/2", "3/4"]])
def test_what_is_no_date_stays_text(column: Callable[..., OpenFiles], values: list[str]) -> None:
    assert types(column(values))["x"] == "text"


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["True", "false", ""], "boolean"),
        (["verdadero", "FALSO"], "boolean"),
        (["Sí", "No", ""], "text"),
        (["yes", "NO"], "text"),
        (["true", "False"], "boolean"),
        (["sí", "no", "quizá"], "text"),
        (["sí", "false"], "text"),
        (["1", "0"], "integer"),
    ],
)
def test_booleans(column: Callable[..., OpenFiles], values: list[str], kind: str) -> None:
    schema = only_schema(column(values))
    assert schema.columns[1].type == kind
    if kind == "boolean":
        assert set(schema.columns[1].values) == {"true", "false"}


@pytest.mark.parametrize(("good", "kind"), [(98, "number"), (97, "text")])
def test_nearly_all_values_must_fit(column: Callable[..., OpenFiles], good: int, kind: str) -> None:
    files = column(["1,5"] * good + ["unos diez"] * (100 - good))
    assert types(files)["x"] == kind
    assert any("2 values that are no number" in note for note in files.notes) == (kind == "number")


def test_a_mark_for_missing_values_is_a_value_of_a_text(column: Callable[..., OpenFiles]) -> None:
    assert cells(column(["NA", "ES", " "]), "x") == ["NA", "ES", None]


def test_a_form_that_comes_late_in_a_large_file_is_seen(column: Callable[..., OpenFiles]) -> None:
    files = column([""] * 20_000 + ["31/01/2023"] * 5)
    assert types(files)["x"] == "date"
    assert types(column(["5"] * 20_000 + ["05"]))["x"] == "text"


@pytest.mark.parametrize(
    ("plain", "late", "kind", "last"),
    [
        ("5", "1.5", "number", 1.5),
        ("5", "n/a", "integer", None),
        ("1.5", "2e3", "number", 2000.0),
        ("2023-01-31", "2023/02/01", "date", date(2023, 2, 1)),
        ("2023-01-31", "2023-02-30", "date", None),
        ("2023-01-31 10:00:00", "2023-01-31T10:30Z", "timestamp", datetime(2023, 1, 31, 10, 30)),  # noqa: DTZ001
    ],
)
def test_a_column_that_a_sample_shows_as_plain_may_have_another_form_later(
    column: Callable[..., OpenFiles], plain: str, late: str, kind: str, last: object
) -> None:
    files = column([plain] * 20_000 + [late])
    assert types(files)["x"] == kind
    assert cells(files, "x")[-1] == last


def test_moments_of_iso_have_one_order(column: Callable[..., OpenFiles]) -> None:
    files = column(["2023-03-04 10:00", "2023-05-06 11:00"])
    assert not any("the other way round" in note for note in files.notes)


def test_values_of_texts_and_of_few_integers(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    rows = "".join(f"t{n % 200},u{n % 201},{n % 50},{n % 51}\n" for n in range(1_000))
    columns = only_schema(opened(write("texts,many,few,integers\n" + rows))).columns
    kept = [(len(column.values), column.complete, column.distinct) for column in columns]
    assert kept == [(200, True, 200), (200, False, 201), (50, True, 50), (0, False, 51)]


def test_numbers_with_their_unit_behind_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("visit,stay\n1,65 min\n2,40 min\n3,125 min\n", encoding="utf-8")
    with files_open([tmp_path / "visits.csv"]) as files:
        assert files.tables["visits"].stay.sum().execute() == 230
