from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from analysis.files.opening import OpenFiles

REFUSED = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_blob('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/etc/*')",
    "SELECT * FROM sniff_csv('/etc/passwd')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_csv('{file}')",
    "COPY data TO '{folder}/out.csv'",
    "COPY data TO '{folder}/out' (FORMAT parquet, PARTITION_BY a)",
    "COPY data FROM '/etc/passwd'",
    "EXPORT DATABASE '{folder}/out'",
    "ATTACH '{folder}/other.db'",
    "INSTALL httpfs",
    "LOAD httpfs",
    "LOAD '{folder}/x.duckdb_extension'",
    "SELECT * FROM read_csv('https://example.com/data.csv')",
    "SELECT * FROM read_parquet('s3://bucket/data.parquet')",
    "SET enable_external_access = true",
    "SET disabled_filesystems = ''",
    "SET allowed_paths = ['/etc/passwd']",
    "SET lock_configuration = false",
    "SET memory_limit = '100GB'",
    "SET threads = 64",
    "RESET memory_limit",
    "RESET ALL",
    "SET temp_directory = '{folder}'",
    "SET home_directory = '{folder}'",
    "SET extension_directory = '{folder}'",
    "SET file_search_path = '/etc'",
    "SET allowed_directories = ['/']",
    "SET allow_unsigned_extensions = true",
    "SET custom_extension_repository = 'http://127.0.0.1'",
    "SET python_enable_replacements = true",
    "SET python_scan_all_frames = true",
    "SET enable_profiling = 'json'",
    "SET profiling_output = '{folder}/profile.json'",
    "PRAGMA profiling_output = '{folder}/profile.json'",
    "SET log_query_path = '{folder}/queries.log'",
    "SET logging_storage = 'file'",
    "CALL enable_profiling(format = 'json', save_location = '{folder}/profile.json')",
    "CALL enable_logging(storage = 'file', storage_path = '{folder}/log')",
    "CALL enable_logging(storage = 'file', storage_config = {{'path': '{folder}/log'}})",
    "FROM '/etc/*.csv'",
    "FROM '{file}'",
    'FROM "{file}"',
    "SUMMARIZE '{file}'",
    "DESCRIBE '{file}'",
    "FROM query_table('{file}')",
    "FROM query('FROM read_text(''/etc/passwd'')')",
    "FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''/etc/passwd'')'))",
    "FROM read_text('/proc/self/environ')",
    "FROM read_csv('file:///etc/passwd')",
    "FROM read_csv('/dev/stdin', auto_detect = true)",
    "FROM read_duckdb('{folder}/other.db')",
    "FROM parquet_metadata('{file}')",
    "FROM parquet_kv_metadata('{file}')",
    "FROM duckdb_extensions()",
    "CREATE VIEW v AS FROM read_text('/etc/passwd')",
    "CREATE MACRO m() AS TABLE FROM read_text('/etc/passwd')",
    "PREPARE q AS COPY data TO '{folder}/out.csv'; EXECUTE q",
    "EXPLAIN ANALYZE COPY data TO '{folder}/out.csv'",
    "COPY data TO '{file}'",
    "COPY data TO '/dev/stdout'",
    "IMPORT DATABASE '{folder}'",
    "ATTACH '{file}' (READ_ONLY)",
    "ATTACH '{file}' (TYPE sqlite)",
    "INSTALL httpfs FROM '{folder}'",
    "INSTALL httpfs FROM community",
    "FORCE INSTALL json",
    "UPDATE EXTENSIONS",
    "SELECT getenv('HOME')",
    "FROM pandas_scan(12345::POINTER)",
    ".read /etc/passwd",
    "CREATE PERSISTENT SECRET s (TYPE http)",
]


@pytest.mark.parametrize("sql", REFUSED)
def test_an_open_file_reaches_nothing_else(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], tmp_path: Path, sql: str
) -> None:
    path = write("a,b\n1,2\n")
    backend = opened(path).backend
    with pytest.raises(duckdb.Error):
        backend.con.execute(sql.format(file=path, folder=tmp_path))
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("sql", ["PRAGMA enable_profiling", "CALL enable_logging(storage = 'stdout')"])
def test_profiling_and_logging_print_and_write_no_file(
    write: Callable[..., Path],
    opened: Callable[..., OpenFiles],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    sql: str,
) -> None:
    """DuckDB 1.5 allows them on a locked connection. What is printed is the query and its plan."""
    path = write("a,b\n1,2\n")
    monkeypatch.chdir(tmp_path)
    connection = opened(path).backend.con
    connection.execute(sql)
    assert connection.execute("SELECT a FROM data").fetchall() == [(1,)]
    assert list(tmp_path.iterdir()) == [path]
    printed = capfd.readouterr()
    assert "SELECT a FROM data" in printed.out + printed.err


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("FROM duckdb_secrets()", []),
        ("SELECT name, file FROM pragma_database_list WHERE file IS NOT NULL", []),
        ("SELECT current_setting('home_directory')", [("",)]),
    ],
)
def test_what_can_be_listed_names_no_file(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], sql: str, rows: list[tuple[object, ...]]
) -> None:
    assert opened(write("a\n1\n")).backend.con.execute(sql).fetchall() == rows


def test_a_variable_of_python_is_no_table(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    secrets = opened(write("a\n1\n"))
    with pytest.raises(duckdb.CatalogException):
        secrets.backend.con.execute("SELECT * FROM secrets")


def test_memory_and_threads_are_bounded(write: Callable[..., Path], opened: Callable[..., OpenFiles]) -> None:
    connection = opened(write("a\n1\n")).backend.con
    memory, threads, temp = connection.execute(
        "SELECT current_setting('memory_limit'), current_setting('threads'), current_setting('temp_directory')"
    ).fetchone()
    assert (memory, temp) == ("3.7 GiB", "")
    assert threads <= 4


def test_nothing_is_left_on_disk_and_closing_ends_the_connection(
    write: Callable[..., Path], opened: Callable[..., OpenFiles], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    files = opened(write("a\n1\n"))
    assert list(temporary.iterdir()) == []
    files.close()
    with pytest.raises(duckdb.Error):
        files.backend.con.execute("SELECT 1")
