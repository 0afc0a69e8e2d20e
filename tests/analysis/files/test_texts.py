from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.files.opening import OpenFiles
from tests.analysis.files.conftest import cells, types

TABLE = "Año;Población\nCórdoba;319.515\nÁvila;57.949\nLogroño «centro» 5 €;1.500\n"
RUSSIAN = "город;население\nМосква;100\nСанкт-Петербург;200\nНижний Новгород;300\nВеликий Устюг;400\n"


@pytest.mark.parametrize(
    ("encoding", "label"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16-LE"),
        ("utf-16-be", "UTF-16-BE"),
        ("utf-32", "UTF-32"),
        ("cp1252", "Windows-1252"),
    ],
)
def test_encodings_of_western_texts(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], encoding: str, label: str
) -> None:
    files = opened(write(TABLE, encoding=encoding))
    assert types(files) == {"Año": "text", "Población": "integer"}
    assert set(cells(files, "Año")) == {"Córdoba", "Ávila", "Logroño «centro» 5 €"}
    assert files.notes[0] == f"“data.csv” was read as {label} with semicolon between cells."


@pytest.mark.parametrize("encoding", ["cp1251", "koi8-r"])
def test_other_encodings(write: Callable[..., Path], opened: Callable[..., OpenFiles], encoding: str) -> None:
    files = opened(write(RUSSIAN, encoding=encoding))
    assert set(cells(files, "город")) == {"Москва", "Санкт-Петербург", "Нижний Новгород", "Великий Устюг"}


def test_old_spanish_of_dos(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    text = "provincia;año\nCórdoba;1\nCastellón;2\nLa Coruña;3\nÁlava;4\nLeón y Cádiz;5\nAlmería, Málaga;6\n"
    assert "Castellón" in cells(opened(write(text, encoding="cp850")), "provincia")


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_and_line_ends(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], separator: str, end: str
) -> None:
    rows = [["name", "note", "n"], ["Ana", '"a ""b"", c; d\te|f"', "1"], ["Luis", "plain", "2"]]
    files = opened(write(end.join(separator.join(row) for row in rows) + end))
    assert types(files) == {"name": "text", "note": "text", "n": "integer"}
    assert 'a "b", c; d\te|f' in cells(files, "note")


def test_mixed_line_ends_are_one(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    assert sorted(cells(opened(write(b"a,b\r\n1,2\n3,4\r5,6")), "a")) == [1, 3, 5]


def test_titles_above_the_table_are_left_out(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    files = opened(write("Informe de ventas\n\nmes;ventas\nenero;1,5\nfebrero;2,5\n"))
    assert types(files) == {"mes": "text", "ventas": "number"}
    assert "“data.csv” has 2 lines above the table, which were left out." in files.notes


def test_a_column_of_text_alone(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    assert types(opened(write("comentario\nbien, gracias\nmal\n\nregular; o no\n"))) == {"comentario": "text"}


def test_one_column_of_decimal_commas(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    files = opened(write("importe\n1,5\n-2,5\n3.003,25\n"))
    assert types(files) == {"importe": "number"}
    assert cells(files, "importe") == [1.5, -2.5, 3003.25]


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("país,2020\nPerú,33\nCuba,11\n", ["país", "2020"]),
        ("país,1990,2000,2010\nPerú,22,26,29\nCuba,10,,11\n", ["país", "1990", "2000", "2010"]),
        ("Cádiz,2020\nSoria,2021\n", ["column_1", "column_2"]),
        ("Ana,2000\nLuis,1500\nEva,1850\n", ["column_1", "column_2"]),
        ("Ana,10,20,40\nLuis,1,2,3\n", ["column_1", "column_2", "column_3", "column_4"]),
    ],
)
def test_years_beside_a_name_are_a_header_where_the_rows_below_have_none(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], content: str, names: list[str]
) -> None:
    assert list(types(opened(write(content)))) == names


@pytest.mark.parametrize(
    ("first", "names"),
    [
        (" país ,,a,A,a", ["país", "column_2", "a", "A_2", "a_3"]),
        ("país,2020,2021,2022,2023", ["país", "2020", "2021", "2022", "2023"]),
        ("Chile,1,2.5,7,8", ["column_1", "column_2", "column_3", "column_4", "column_5"]),
        ('"""; DROP TABLE data; --","it\'s",%,select,"{x}"', ['"; DROP TABLE data; --', "it's", "%", "select", "{x}"]),
    ],
)
def test_names_of_columns(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], first: str, names: list[str]
) -> None:
    files = opened(write(f"{first}\nPerú,10,11,12,13\nCuba,20,21,22,23\n"))
    assert list(types(files)) == names
    assert len(cells(files, names[0])) == (3 if names[0] == "column_1" else 2)
