"""The database of a test process: a copy of one that was migrated once and is kept for the runs to come.

The copy is made anew in each run, so `--reuse-db` and `--create-db` change nothing.
"""

import fcntl
import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from config.database_roles import APPLICATION, OWNER, SUPERUSER, database_prepare
from core.operations.rights import refused_by
from gateway.ledger import pricing

TEMPLATE = "migrated_"
"""Followed by the key of its schema. There is one at a time."""
UNSAFE = ("fsync", "full_page_writes", "synchronous_commit")
"""What protects data from a power cut; the rows of a test need no protection."""


def superuser() -> str:
    """The role that makes databases: the embedded server's, or that of `DATABASE_URL`, which must be one then."""
    return SUPERUSER if settings.EMBEDDED else settings.APPLICATION_ROLE


def with_role(url: str, role: str, **changes: str) -> str:
    """The URL with another user, and other changes."""
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items() if value is not None}
    return make_conninfo(**{**parts, "user": role, **changes})


def administration(url: str = settings.DATABASE_URL) -> psycopg.Connection[tuple[Any, ...]]:
    """A connection that may make and drop databases."""
    return psycopg.connect(with_role(url, superuser()), autocommit=True)


def this_database(**more: str) -> str:
    """How the application reaches the database of this test."""
    return with_role(settings.DATABASE_URL, APPLICATION, dbname=str(connection.settings_dict["NAME"]), **more)


def database_create(name: str) -> None:
    """Create the database `name` with the whole schema, in place of one that an earlier run left."""
    with administration() as server:
        template = template_of(server)
        statement(server, "DROP DATABASE IF EXISTS {}", name)
        database_copy(server, name, template)


def database_copy(server: psycopg.Connection[tuple[Any, ...]], name: str, template: str) -> None:
    """A copy with the same rights: those of the database itself are not copied."""
    statement(server, "CREATE DATABASE {} TEMPLATE {}", name, template)
    statement(server, "ALTER DATABASE {} OWNER TO {}", name, OWNER)
    statement(server, "REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC", name)


def database_drop(name: str) -> None:
    """Drop it, and end the connections to it."""
    with administration() as server:
        statement(server, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def durability_off() -> None:
    """Let the embedded server of the tests answer before its disk does. Never the one of `make run`."""
    if not settings.EMBEDDED or settings.VAR_DIR == settings.BASE_DIR / "var":
        return
    with administration() as server:
        for name in UNSAFE:
            statement(server, "ALTER SYSTEM SET {} = off", name)
        server.execute("SELECT pg_reload_conf()")


def template_of(server: psycopg.Connection[tuple[Any, ...]]) -> str:
    """Return the name of the migrated database of this schema. The first process that asks makes it, others wait."""
    name = TEMPLATE + schema_key()
    Path(settings.VAR_DIR).mkdir(parents=True, exist_ok=True)
    with (Path(settings.VAR_DIR) / "template.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        # So that tests with many rows can ask for statistics, which autovacuum gathers elsewhere.
        statement(server, "GRANT pg_maintain TO {}", APPLICATION)
        query = "SELECT datname FROM pg_database WHERE starts_with(datname, %s)"
        known = {row[0] for row in server.execute(query, [TEMPLATE])}
        if name not in known:
            for other in known:
                statement(server, "DROP DATABASE {} WITH (FORCE)", other)
            unfinished = f"{TEMPLATE}unfinished"
            roles = with_role(settings.DATABASE_URL, superuser(), dbname=unfinished)
            database_prepare(with_role(settings.DATABASE_URL, superuser()), roles, unfinished)
            migrate(unfinished)
            statement(server, "ALTER DATABASE {} RENAME TO {}", unfinished, name)
    return name


def migrate(name: str) -> None:
    """Apply all migrations to an empty database, as `manage.py migrate` does: as the owner."""
    kept = dict(connection.settings_dict)
    connection.close()
    connection.settings_dict.update(NAME=name, OPTIONS={"options": f"-c role={OWNER}"})
    role, settings.APPLICATION_ROLE = settings.APPLICATION_ROLE, APPLICATION
    try:
        call_command("migrate", verbosity=0, interactive=False)
    finally:
        connection.close()
        connection.settings_dict.update(kept)
        settings.APPLICATION_ROLE = role


def schema_key() -> str:
    """Return what changes with anything that a migrated database holds."""
    digest = hashlib.sha256()
    rights = Path(settings.BASE_DIR, "core/operations/rights.py").read_text()
    for part in (version("django"), rights, *migrations(), *permissions(), repr(pricing.DEFAULTS)):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def migrations() -> Iterator[str]:
    for app in apps.get_app_configs():
        for path in sorted(Path(app.path, "migrations").glob("*.py")):
            yield f"{app.label}/{path.name}\n{path.read_text()}"


def permissions() -> Iterator[str]:
    """What Django writes of each model after the migrations."""
    for model in apps.get_models(include_auto_created=True):
        options = model._meta
        names = (options.default_permissions, options.permissions, options.verbose_name_raw)
        yield f"{options.label} {options.db_table} {names} {[sorted(part) for part in refused_by(model)]}"


def statement(server: psycopg.Connection[tuple[Any, ...]], text: LiteralString, *names: str) -> None:
    server.execute(sql.SQL(text).format(*map(sql.Identifier, names)))
