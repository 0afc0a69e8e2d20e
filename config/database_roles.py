"""The roles of the embedded server: one owns the database, one works in it. docs/operator.md has the same for others.

A database of an earlier version, in which everything is the superuser's, is taken over. What each role may do is
granted by `migrate`: `core.operations.rights`.
"""

import psycopg
from psycopg import sql

SUPERUSER, OWNER, APPLICATION, READER = "postgres", "andamio_owner", "andamio_app", "andamio_reader"
_LOCK = "SELECT pg_advisory_lock(5307114902419)"  # any number: others that start wait until all is there
_IS_OWNED = "SELECT pg_get_userbyid(datdba) = %s FROM pg_database WHERE datname = current_database()"
_MISSING = "SELECT name FROM unnest(%s::text[]) AS name WHERE name NOT IN (SELECT rolname FROM pg_roles)"
# Of an extension is what it made itself; what belongs to a column goes with its table.
_TAKE_OVER = """
DO $$
DECLARE thing text;
BEGIN
    FOR thing IN
        SELECT format('TABLE %s', oid::regclass) FROM pg_class AS class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') AND NOT EXISTS (
            SELECT FROM pg_depend
            WHERE classid = 'pg_class'::regclass AND objid = class.oid AND deptype IN ('a', 'e', 'i'))
        UNION ALL
        SELECT format('FUNCTION %s', oid::regprocedure) FROM pg_proc AS function
        WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
            SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = function.oid AND deptype = 'e')
    LOOP
        EXECUTE format('ALTER %s OWNER TO {owner}', thing);
    END LOOP;
END $$
"""


def is_prepared(url: str) -> bool:
    """Whether the database of this URL is there, with its roles."""
    try:
        with psycopg.connect(url) as connection:
            row = connection.execute(_IS_OWNED, [OWNER]).fetchone()
    except psycopg.OperationalError:
        return False
    return bool(row and row[0])


def database_prepare(maintenance_url: str, url: str, name: str) -> None:
    """Make the roles and the database, or take over one that is the superuser's. Both URLs are the superuser's."""
    with psycopg.connect(maintenance_url, autocommit=True) as server:
        server.execute(_LOCK)
        for role in server.execute(_MISSING, [[OWNER, APPLICATION, READER]]).fetchall():
            server.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(*role)))
        if not server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with psycopg.connect(url) as database:
            database.execute("CREATE EXTENSION IF NOT EXISTS vector")
            owner = sql.Identifier(OWNER)
            database.execute(sql.SQL(_TAKE_OVER).format(owner=owner))
            database.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(sql.Identifier(name), owner))
