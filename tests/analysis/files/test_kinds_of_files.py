import json
from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import ibis
import pyarrow as pa
import pyarrow.parquet as pq

from analysis.files.opening import OpenFiles
from tests.analysis.files.conftest import cells, only_schema, types


def test_json_lines(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    rows = [
        {"id": 1, "cp": "01001", "when": "31/01/2023", "nested": {"a": [1]}, "ok": True},
        {"id": 2, "cp": "28013", "when": None, "x/y~z'\"": "late", "ok": False, "ID": "other"},
    ]
    files = opened(write("\n\n".join(json.dumps(row) for row in rows), "data.jsonl"))
    assert types(files) == {
        "id": "integer", "cp": "text", "when": "date", "nested": "text", "ok": "boolean",
        "x/y~z'\"": "text", "ID_2": "text",
    }  # fmt: skip
    assert cells(files, "nested") == ['{"a":[1]}', None]
    assert cells(files, "x/y~z'\"") == [None, "late"]
    assert cells(files, "when") == [date(2023, 1, 31), None]


def test_json_lines_are_known_by_their_content_and_transcoded(
    write: Callable[..., Path], opened: Callable[..., OpenFiles]
) -> None:
    assert cells(opened(write('{"a": "ñ"}\n', "data", encoding="utf-16")), "a") == ["ñ"]


def test_parquet_types(opened: Callable[..., OpenFiles], tmp_path: Path) -> None:
    table = pa.table(
        {
            "int": pa.array([1, None], pa.int32()),
            "decimal": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "nan": pa.array([float("nan"), 2.0]),
            "day": pa.array([date(2023, 1, 31), None]),
            "zoned": pa.array([datetime(2023, 1, 31, 10), None], pa.timestamp("ns", tz="UTC")),  # noqa: DTZ001
            "flag": pa.array([True, None]),
            "written": pa.array(["1.234,50", "2,5"]),
            "list": pa.array([[1, 2], None]),
            "bytes": pa.array([b"\x00", None]),
            "kind": pa.array(["a", "b"]).dictionary_encode(),
        }
    )
    pq.write_table(table, tmp_path / "data.parquet")
    files = opened(tmp_path / "data.parquet")
    assert types(files) == {
        "int": "integer", "decimal": "number", "nan": "number", "day": "date", "zoned": "timestamp", "flag": "boolean",
        "written": "number", "list": "text", "kind": "text",
    }  # fmt: skip
    assert cells(files, "nan") == [None, 2.0]
    assert cells(files, "written") == [1234.5, 2.5]
    assert cells(files, "zoned") == [datetime(2023, 1, 31, 10), None]  # noqa: DTZ001
    assert any("holds bytes and was left out" in note for note in files.notes)


def test_several_files_can_be_joined(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    sales = write("cliente;importe\n1;2,5\n2;3,5\n1;1,0\n", "Ventas Año 2023.csv")
    clients = write('{"id": 1, "nombre": "Ana"}\n{"id": 2, "nombre": "Luis"}\n', "clientes.jsonl")
    files = opened(sales, clients)
    sales_table, clients_table = files.tables["ventas_ano_2023"], files.tables["clientes"]
    joined = sales_table.join(clients_table, sales_table.cliente == clients_table.id)
    total = joined.group_by("nombre").aggregate(total=joined.importe.sum()).order_by("nombre")
    assert total.to_pyarrow().to_pylist() == [{"nombre": "Ana", "total": 3.5}, {"nombre": "Luis", "total": 3.5}]


def test_tables_are_named_after_files_and_numbered(
    write: Callable[..., Path], opened: Callable[..., OpenFiles]
) -> None:
    names = ["a b.csv", "A-B.csv", 'x"; drop table y.csv', "2023.csv", "日本.csv"]
    files = opened(*(write("a\n1\n", name) for name in names))
    assert list(files.tables) == ["a_b", "a_b_2", "x_drop_table_y", "table_2023", "table"]
    assert all(table.count().to_pyarrow().as_py() == 1 for table in files.tables.values())


def test_the_profile_of_columns(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    rows = "".join(f"{n};{'bc'[n % 3 == 0]};{n % 4};{n / 2:.1f};{n % 28 + 1:02d}/01/2023;n{n}\n" for n in range(250))
    schema = only_schema(opened(write("id;letter;few;half;day;name\n" + rows)))
    assert schema.rows == 250
    profile = {c.name: (c.distinct, c.values[:4], c.complete, c.lowest, c.highest) for c in schema.columns}
    assert profile["id"] == (250, (), False, "0", "249")
    assert profile["letter"] == (2, ("b", "c"), True, None, None)
    assert profile["few"] == (4, ("0", "1", "2", "3"), True, "0", "3")
    assert profile["half"] == (250, (), False, "0.0", "124.5")
    assert profile["day"] == (28, (), False, "2023-01-01", "2023-01-28")
    assert profile["name"][0] == 250
    assert len(schema.columns[5].values) == 200
    assert schema.columns[5].complete is False


def test_a_query_over_many_rows_of_parquet(opened: Callable[..., OpenFiles], tmp_path: Path) -> None:
    count = 300_000
    pq.write_table(pa.table({"n": range(count), "group": [n % 7 for n in range(count)]}), tmp_path / "many.parquet")
    table = opened(tmp_path / "many.parquet").tables["many"]
    result = table.group_by("group").aggregate(total=table.n.sum()).order_by(ibis.desc("total")).to_pyarrow()
    assert sum(result.column("total").to_pylist()) == count * (count - 1) // 2


def test_rows_are_in_the_order_of_the_file(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    count = 300_000  # more than DuckDB loads at once
    rows = "".join(f"{n},{'Yes' if n % 3 else 'No'},{n / 4}\n" for n in range(count))
    assert cells(opened(write("id,active,amount\n" + rows)), "id") == list(range(count))
