"""Several tables as one: which keys connect them, and which joins a reading needs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from analysis import services
from analysis.contracts.requirements import Expression, Filter, Join, Reading
from analysis.contracts.results import Analysis
from analysis.contracts.tables import Column, TableSchema
from analysis.files.opening import OpenFiles, files_open
from analysis.requirements.joining import reading_joined, tables_joined
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from tests.each import each

SALES = "sale,Shop ID,price,floor\n1,a,10,1\n2,a,20,2\n3,b,40,1\n4,x,80,2\n"
SHOPS = "shop_id,city,size,floor\na,Rome,15,9\nb,Lima,30,9\nc,Oslo,90,9\n"
JOIN = Join(table="shops", key="Shop ID", other_key="shop_id", columns=("city", "size"))


def table(name: str, rows: int, **columns: int | None) -> TableSchema:
    """Columns of text with so many different values each; None where they were not counted."""
    made = [Column(name=column.replace("_", " "), distinct=distinct) for column, distinct in columns.items()]
    return TableSchema(table=name, columns=tuple(made), rows=rows)


def joined(first: TableSchema, *others: TableSchema) -> tuple[list[str], list[tuple[str, str, str]]]:
    schemas = {schema.table: schema for schema in (first, *others)}
    schema, joins = tables_joined(schemas, first.table)
    return [column.name for column in schema.columns], [(join.table, join.key, join.other_key) for join in joins]


def test_a_table_is_connected_by_the_key_that_it_has_once_each() -> None:
    names, joins = joined(table("sales", 9, shop_id=3, price=7), table("shops", 3, Shop_ID=3, city=2))
    assert names == ["shop id", "price", "city"]
    assert joins == [("shops", "shop id", "Shop ID")]


@each(
    "other",
    [
        table("shops", 5, shop_id=3, city=2),
        table("shops", 3, shop_id=None, city=2),
        table("shops", 3, place=3, city=2),
        TableSchema(table="shops", columns=(Column(name="shop id", type="date", distinct=3),), rows=3),
    ],
)
def test_a_column_of_another_name_or_type_or_with_a_value_twice_is_no_key(other: TableSchema) -> None:
    names, joins = joined(table("sales", 9, shop_id=3, price=7), other)
    assert (names, joins) == (["shop id", "price"], [])


def test_an_identifier_is_a_key_before_another_column() -> None:
    first = table("sales", 9, city=3, shop_id=3)
    assert joined(first, table("shops", 3, city=3, shop_id=3))[1] == [("shops", "shop id", "shop id")]


def test_a_column_that_is_there_already_keeps_its_first_table() -> None:
    names, _joins = joined(
        table("sales", 9, shop_id=3, floor=2), table("shops", 3, shop_id=3, Floor=1, size=3),
        table("more", 3, shop_id=3, size=1, age=2),
    )  # fmt: skip
    assert names == ["shop id", "floor", "size", "age"]


PRICE = Figure("price", "sum")


@each(
    "meaning, columns",
    [
        (Meaning([PRICE], {"floor": Reason()}), ()),
        (Meaning([PRICE], {"city": Reason()}), ("city",)),
        (Meaning([Figure("size", "mean")]), ("size",)),
        (Meaning([PRICE], time=("city", "year")), ("city",)),
        (Meaning([Figure("price", "none")], listed=["city", "size"]), ("city", "size")),
        (Meaning([PRICE], filters=[Filter(column="city", op="=", value="Rome")]), ("city",)),
        (Meaning([PRICE], filters=[Filter(column="price", op=">", value={"column": "size"})]), ("size",)),
        (Meaning([Figure("price", "none")], direction="desc", order_by="size"), ("size",)),
        (Meaning([Figure(None, "sum", Expression(operator="divide", left="price", right="size"))]), ("size",)),
    ],
)
def test_a_reading_has_the_joins_whose_columns_it_uses(meaning: Meaning, columns: tuple[str, ...]) -> None:
    joins = reading_joined(reading_of(meaning), [JOIN]).details.joins
    assert joins == ((JOIN.model_copy(update={"columns": columns}),) if columns else ())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenFiles]:
    folder: Path = tmp_path_factory.mktemp("joining")
    for name, content in (("sales", SALES), ("shops", SHOPS)):
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    with files_open([folder / "sales.csv", folder / "shops.csv"]) as opened:
        yield opened


def answered(files: OpenFiles, reading: Reading) -> Analysis:
    """The answer to a question over both files that is read like this."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "question_read", lambda _question, _schema: reading)
        return services.question_answer("", source=files, schemas=files.schemas)


@each(
    "meaning, rows",
    [
        (Meaning([PRICE], {"city": Reason()}), [(None, 80), ("Lima", 40), ("Rome", 30)]),
        (Meaning([Figure("sale", "none")], filters=[Filter(column="city", op="=", value="Lima")]), [(3,)]),
        (Meaning([Figure("sale", "none")], direction="desc", order_by="size", limit=1), [(3,)]),
        (
            Meaning([Figure("sale", "none")], filters=[Filter(column="price", op=">", value={"column": "size"})]),
            [(2,), (3,)],
        ),
        (Meaning([PRICE], {"floor": Reason()}), [(1, 50), (2, 100)]),
    ],
)
def test_questions_over_two_files_are_answered(meaning: Meaning, rows: list[tuple[Any, ...]], files: OpenFiles) -> None:
    analysis = answered(files, reading_of(meaning))
    assert sorted(analysis.execution.table.rows, key=str) == sorted(rows, key=str)
    is_joined = "floor" not in analysis.reading.requirements.group_by
    assert (analysis.plan.steps[0].tool == "join") is is_joined
    assert analysis.coverage.valid
