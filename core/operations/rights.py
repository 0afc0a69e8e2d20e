"""What the roles are granted in the database: by `migrate`, which the role that owns the tables runs.

The application's role works in every table, but for what the triggers of its model refuse without a condition
(`Refuse`, `Protect`, `ReadOnly`): that it is not granted, and TRUNCATE never. So a model says once what may happen to
its rows. The role for reports reads the tables of `_REPORTED`, and of our other models the columns that can hold no
text.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pgtrigger
from django.apps import apps
from django.conf import settings
from django.core import checks
from django.db import OperationalError, connection, models, transaction
from psycopg import sql

from core.models import ReadOnlyButForOwner, Refuse

READER = "andamio_reader"
_READ_ONLY = ("auth_permission", "django_content_type", "django_migrations")
_BROKER = ("kombu_message", "kombu_queue")
_ALL = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE"})
_REPORTED = (
    "gateway_account", "gateway_alert", "gateway_breaker", "gateway_entry", "gateway_hold", "gateway_operationtiming",
    "gateway_price", "lesson_engine_course", "lesson_engine_courselesson", "lesson_engine_lesson",
    "lesson_engine_lessonversion", "lesson_engine_publication", "routing_packversion", "telemetry_chain",
    "telemetry_event", "telemetry_rollup",
)  # fmt: skip
_WITHOUT_TEXT = (
    models.BooleanField, models.DateField, models.FloatField, models.ForeignKey, models.IntegerField, models.UUIDField,
)  # fmt: skip

_GRANTED = """
SELECT class.relname, acl.column, acl.role, acl.privilege FROM pg_class AS class CROSS JOIN LATERAL (
    SELECT '' AS column, pg_get_userbyid(nullif(grantee, 0)) AS role, privilege_type AS privilege
    FROM aclexplode(class.relacl)
    UNION ALL
    SELECT attname, pg_get_userbyid(nullif(grantee, 0)), privilege_type
    FROM pg_attribute, aclexplode(attacl) WHERE attrelid = class.oid
) AS acl
WHERE class.relnamespace = 'public'::regnamespace AND (acl.role = ANY(%s) OR acl.role IS NULL)
"""
_THERE = """
SELECT relname, relkind = 'S', array(SELECT attname::text FROM pg_attribute WHERE attrelid = class.oid)
FROM pg_class AS class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'S')
"""
_ROLES = """
SELECT rolname FROM pg_roles WHERE rolname = ANY(%s) AND NOT EXISTS (
    SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relowner = pg_roles.oid)
"""
_OWNS = """
SELECT rolsuper OR EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
                           AND pg_has_role(relowner, 'MEMBER'))
FROM pg_roles WHERE rolname = current_user
"""
# The functions of pgtrigger ask this one, which would believe a variable that every session may set.
_NEVER = "SELECT false"
_NEVER_IGNORED = f"""
CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean
LANGUAGE sql IMMUTABLE AS '{_NEVER}'
"""
_IGNORED = "SELECT prosrc FROM pg_proc WHERE oid = to_regprocedure('public._pgtrigger_should_ignore(name)')"


class Grant(NamedTuple):
    """A privilege of a role on a table or sequence, or on one column of it; a role of None is everybody."""

    table: str
    column: str
    role: str | None
    privilege: str


def triggers_never_ignored() -> None:
    """Take from all sessions the variable that would switch triggers off. The connection is the owner's."""
    with connection.cursor() as cursor:
        cursor.execute(_NEVER_IGNORED)


def rights_apply() -> int:
    """Grant what the roles should have and revoke the rest; on how many tables that changed something.

    The connection is the owner's. A role that is not there, or owns tables itself, gets nothing.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql.SQL("REVOKE TEMPORARY ON DATABASE {} FROM PUBLIC").format(_name_of_database()))
        cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        wanted, differing = _compared()
        roles = sql.SQL(", ").join([sql.SQL("PUBLIC"), *map(sql.Identifier, _roles())])
        for table in differing:
            cursor.execute(sql.SQL("REVOKE ALL ON {} FROM {}").format(sql.Identifier(table), roles))
        for statement in _statements(grant for grant in wanted if grant.table in differing):
            cursor.execute(statement)
    return len(differing)


def rights_are_granted() -> bool:
    """Whether the roles have what they should, and triggers cannot be switched off. Four queries."""
    with connection.cursor() as cursor:
        cursor.execute(_IGNORED)
        is_never = cursor.fetchone() == (_NEVER,)
    return is_never and not _compared()[1]


@checks.register(checks.Tags.security, deploy=True)
def rights_check(app_configs: Any = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """The application should not own its tables: an owner may do anything to them."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_OWNS)
            owns = cursor.fetchone()[0]
    except OperationalError:  # a check of settings need not reach the database
        return []
    if not owns:
        return []
    text = f"The role of DATABASE_URL, {settings.APPLICATION_ROLE!r}, owns the tables that it works on."
    hint = 'Make a second role and set DATABASE_OWNER_URL for `migrate`: docs/operator.md, "Three roles".'
    return [checks.Warning(text, hint=hint, id="core.W001")]


def _compared() -> tuple[set[Grant], set[str]]:
    """What should be granted on what is there, and the tables where something else is."""
    roles = _roles()
    with connection.cursor() as cursor:
        cursor.execute(_THERE)
        there = {table: (is_sequence, {"", *columns}) for table, is_sequence, columns in cursor.fetchall()}
        cursor.execute(_GRANTED, [roles])
        granted = {Grant(*row) for row in cursor.fetchall() if row[0] in there}
    sequences = [table for table, (is_sequence, _columns) in there.items() if is_sequence]
    # After going back to an earlier migration a table or a column of the models may be missing.
    wanted = {
        grant
        for role in roles
        for grant in _wanted(role, sequences)
        if grant.table in there and grant.column in there[grant.table][1]
    }
    return wanted, {grant.table for grant in wanted ^ granted}


def _roles() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(_ROLES, [[settings.APPLICATION_ROLE, READER]])
        return [row[0] for row in cursor.fetchall()]


def _wanted(role: str, sequences: list[str]) -> Iterator[Grant]:
    if role == READER:
        yield from _wanted_by_reader()
        return
    yield from (Grant(name, "", role, privilege) for name in sequences for privilege in ("SELECT", "USAGE"))
    yield from (Grant(table, "", role, "SELECT") for table in _READ_ONLY)
    yield from (Grant(table, "", role, privilege) for table in _BROKER for privilege in _ALL)
    for model in apps.get_models(include_auto_created=True):
        if (table := model._meta.db_table) not in _READ_ONLY:
            refused, columns = refused_by(model)
            yield from (Grant(table, "", role, privilege) for privilege in _ALL - refused)
            yield from (Grant(table, column, role, "UPDATE") for column in columns)


def refused_by(model: type[models.Model]) -> tuple[set[str], set[str]]:
    """Which statements the application is refused in any case, and the columns that it may update all the same."""
    refused, columns = set(), set[str]()
    for trigger in getattr(model._meta, "triggers", ()):
        if isinstance(trigger, pgtrigger.ReadOnly):
            refused.add("UPDATE")
            excluded = trigger.exclude or ()
            if not isinstance(trigger, ReadOnlyButForOwner):
                columns |= {str(field.column) for field in model._meta.concrete_fields if field.name in excluded}
        elif isinstance(trigger, Refuse | pgtrigger.Protect) and trigger.condition is None:
            refused |= set(str(trigger.operation).split(" OR "))
    return refused, columns


def _wanted_by_reader() -> Iterator[Grant]:
    yield from (Grant(table, "", READER, "SELECT") for table in _REPORTED)
    for model in apps.get_models():
        table = model._meta.db_table
        if table in _REPORTED or not Path(settings.BASE_DIR, model._meta.app_config.name).is_dir():
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, _WITHOUT_TEXT) or field.choices:
                yield Grant(table, str(field.column), READER, "SELECT")


def _statements(grants: Iterable[Grant]) -> Iterator[sql.Composed]:
    grouped = defaultdict[tuple[str, str | None, str], list[str]](list)
    for grant in sorted(grants):
        grouped[grant.table, grant.role, grant.privilege].append(grant.column)
    for (table, role, privilege), columns in grouped.items():
        some = sql.SQL(" ({})").format(sql.SQL(", ").join(map(sql.Identifier, columns)))
        what = sql.SQL(privilege) + (some if columns != [""] else sql.SQL(""))
        kind = sql.SQL("SEQUENCE" if privilege == "USAGE" else "TABLE")
        names = sql.Identifier(table), sql.Identifier(str(role))
        yield sql.SQL("GRANT {} ON {} {} TO {}").format(what, kind, *names)


def _name_of_database() -> sql.Identifier:
    return sql.Identifier(str(connection.settings_dict["NAME"]))
